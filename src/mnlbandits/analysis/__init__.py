"""From runs to numbers with intervals: tables in, tables out."""
