"""The engine of many machines, on dask.distributed (the extra ``cluster``).

``remote`` runs on the workers, all else at the coordinator. Nothing here is imported unless a
config asks for it.
"""

from referee.tournament.engine.cluster.connect import check_scheduler
from referee.tournament.engine.cluster.engine import open_cluster

__all__ = ["check_scheduler", "open_cluster"]
