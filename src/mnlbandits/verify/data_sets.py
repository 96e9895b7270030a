"""The real data sets in numbers, and the logits fitted to them."""

import numpy as np
import pandas as pd

from mnlbandits.instances.data import DATA_SETS, data_instance, estimate, features_of
from mnlbandits.model.softmax import contrast_basis, softmax_jacobian


def data_sets_table() -> pd.DataFrame:
    """Every data set of the family `data`, with all its different rows as arms and S = ||theta_*||_F.

    Columns: dataset, decisions (n), rows (different ones), outcomes (K), dim (d), S, error (root of the summed squares of
    theta_*'s standard errors, over S), kappa (for every theta that S allows), kappa_of_theta (the largest inverse of
    lambda_{K-1}(grad mu(theta_* x)) among the rows, so for theta_* alone), kappa_star, gap, source, licence.
    """
    table = []
    for dataset, record in DATA_SETS.items():
        fitted = estimate(dataset, features_of(dataset))
        instance = data_instance(dataset, dataset, arms=0)
        constants = instance.constants
        basis = contrast_basis(instance.outcomes)
        curvatures = [np.linalg.eigvalsh(basis.T @ softmax_jacobian(instance.theta @ x) @ basis)[0] for x in fitted.rows]
        table.append(
            {"dataset": dataset, "decisions": int(fitted.counts.sum()), "rows": len(fitted.rows)}
            | {key: constants[key] for key in ("outcomes", "dim", "S")}
            | {"error": float(np.sqrt((fitted.standard_errors**2).sum())) / instance.norm_bound}
            | {"kappa": constants["kappa"], "kappa_of_theta": 1 / min(curvatures)}
            | {key: constants[key] for key in ("kappa_star", "gap")}
            | {"source": record.source, "licence": record.licence}
        )
    return pd.DataFrame(table)


def estimates_table() -> pd.DataFrame:
    """theta_* of every data set with its standard errors.

    Columns: dataset, outcome, reward, feature (``constant`` or a column, which goes from -1 to 1 before all rows are divided
    by the longest one's length), estimate, standard_error.
    """
    table = []
    for dataset, record in DATA_SETS.items():
        fitted = estimate(dataset, features_of(dataset))
        for k, outcome in enumerate(record.outcomes):
            for j, feature in enumerate(("constant", *record.features)):
                place = {"dataset": dataset, "outcome": outcome, "reward": record.rewards[k], "feature": feature}
                numbers = {"estimate": fitted.theta[k, j], "standard_error": fitted.standard_errors[k, j]}
                table.append(place | numbers)
    return pd.DataFrame(table)
