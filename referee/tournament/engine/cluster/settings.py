"""What dask.distributed is told wherever a scheduler or a worker of ours starts."""

SETTINGS = {
    # Workers are not handed more than they play: who dies has lost that only.
    "distributed.scheduler.worker-saturation": 1.0,
    "distributed.scheduler.allowed-failures": 2,
    # One process that plays needs no more than it has; a bot's memory is limited by itself.
    "distributed.worker.memory.terminate": False,
    "distributed.worker.memory.pause": False,
}
