"""The works that systems come from: ``references.bib``, and which entries of it a system is to be cited by."""

from pathlib import Path

FILE = Path(__file__).with_name("references.bib")

PAPER = "boudart2026enjoying"

CITED = {
    "ada-ofu-ecolog": ("faury2022jointly",),
    "adaptive-real": (PAPER,),
    "b-mnl-cb": ("midigeshi2025achieving",),
    "eofd-mlogb": ("he2026efficient",),
    "evill": ("janz2024exploration",),
    "glb-omd": ("zhang2025generalized",),
    "glm-ucb": ("filippi2010parametric",),
    "improved-mnl-ucb-plus": ("lee2024improved",),
    "logistic-ucb-1": ("faury2020improved",),
    "logistic-ucb-2": ("faury2020improved",),
    "mle-second-order": ("zhang2023online",),
    "mnl-ucb": ("amani2021ucb",),
    "mnl-ucb-plus": ("lee2024improved",),
    "ofu-ecolog": ("faury2022jointly",),
    "ofu-mnl+": ("lee2024nearly",),
    "ofuglb": ("lee2024unified",),
    "oful-mlogb": ("zhang2023online",),
    "oful-mlogb-binary": ("zhang2023online",),
    "ofulog-plus": ("lee2024improved",),
    "ofulog-r": ("abeille2021instance",),
    "real": (PAPER,),
    "rs-mnl": ("midigeshi2025achieving",),
    "sup-split-log": ("bae2026logistic", "auer2002using"),
    "ts-ecolog": ("faury2022jointly",),
    "ts-mlogb": ("zhang2023online", "faury2022jointly"),
    "ucb-mnl": ("oh2021multinomial",),
}
"""Keys of the works that a system is from, by its name; yardsticks are from none."""
