"""Multinomial *Logit* (assortment) bandits, the other framework of App. logit bandits, apart from everything else.

In each round the learner offers a set S of at most K of M items; a customer takes one of them or none. Nothing in the rest
of the package depends on this one; `mnlbandits.plots.frameworks` says why neither framework is a case of the other.
"""
