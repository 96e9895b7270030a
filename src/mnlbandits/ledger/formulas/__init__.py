"""The paper's quantities, once each, over any arithmetic."""
