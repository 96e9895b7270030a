"""The paper's statements, one module per subsection; each imports the toolkit only, never another."""

from importlib import import_module

PARTS: dict[str, tuple[str, ...]] = {
    "introduction": (
        "abstract",
        "introduction",
        "related_work",
        "kappa_definition",
        "contributions",
        "leading_term",
        "table_one",
        "logit_bandits",
    ),
    "setting": (
        "framework",
        "problem_constants",
        "kappa_size",
        "kappa_computed",
        "assumptions",
        "additional_notations",
    ),
    "exploration": (
        "exploration_algorithm",
        "exploration_routine",
        "lemma_one",
        "lemma_one_free",
        "lemma_one_diameter",
        "appendix_exploration_set",
        "appendix_exploration_relaxation",
        "appendix_proposition_three",
        "appendix_proposition_three_end",
        "appendix_diameter",
        "appendix_diameter_potential",
    ),
    "learning": (
        "optimistic_maximum",
        "optimistic_reward",
        "learning_routine",
        "learning_algorithm",
        "confidence_set",
        "lemma_two_steps",
        "appendix_confidence_set",
    ),
    "regret": (
        "nu",
        "theorem_one",
        "theorem_one_powers",
        "theorem_one_constant",
        "theorem_one_improvement",
        "kappa_star_as_kappa",
        "uniform_rewards",
        "lower_bound_in_words",
        "proof_sketch",
        "proof_sketch_variance",
    ),
    "adaptive": (
        "adaptive_exploration",
        "changing_sets",
        "theorem_three",
        "algorithm_three",
        "algorithm_three_learning",
        "adaptive_confidence",
        "adaptive_sets",
        "adaptive_learning_set",
        "adaptive_regret_split",
        "adaptive_regret",
    ),
    "theorem_one": (
        "theorem_one_start",
        "theorem_one_step_one",
        "theorem_one_step_two",
        "theorem_one_step_two_potential",
        "theorem_one_step_two_determinant",
        "theorem_one_step_three",
        "theorem_one_step_four",
        "theorem_one_step_four_sum",
        "theorem_one_step_four_potential",
        "theorem_one_step_five",
        "theorem_one_step_six",
        "theorem_one_step_six_end",
        "optimal_action",
    ),
    "appendices": (
        "appendix_notations",
        "appendix_kappa",
        "appendix_kappa_choice",
        "appendix_kappa_star",
        "appendix_kappa_star_large",
        "appendix_fisher",
        "appendix_information",
        "appendix_amani",
        "appendix_amani_kappa",
        "appendix_logit",
        "appendix_auxiliary",
    ),
    "theorem_two": (
        "theorem_two",
        "theorem_two_expectation",
        "theorem_two_pairs",
        "theorem_two_optimality",
        "theorem_two_family",
        "theorem_two_members",
        "theorem_two_step_one",
        "theorem_two_events",
        "theorem_two_step_two",
        "theorem_two_step_three",
        "theorem_two_divergence",
        "theorem_two_entropy",
        "theorem_two_steps_four_five",
        "theorem_two_cap",
        "theorem_two_step_six",
        "theorem_two_choice",
        "theorem_two_conclusion",
    ),
}
"""Parts of the paper, which are examined side by side, and their modules, in the order in which they are read."""


def load(*parts: str) -> list[str]:
    """Import the modules of these parts, of all if none is named; the ids of their claims in order."""
    from mnlbandits.ledger.claim import CLAIMS  # slow to import, and all that reads a Snakefile needs is `PARTS`

    modules = [module for part in parts or PARTS for module in PARTS[part]]
    for module in modules:
        import_module(f"{__name__}.{module}")
    return [id for module in modules for id, claim in CLAIMS.items() if claim.section == module]
