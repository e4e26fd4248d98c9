#!/bin/bash
#SBATCH --job-name=referee
#SBATCH --array=1-4
#SBATCH --cpus-per-task=1
#SBATCH --output=part-%a.log
# A run in four parts, each a job of its own, which know nothing of each other:
#   referee tournament CONFIG --prepare prepared
#   sbatch --wait array.sh
#   referee merge part-? --out whole
set -euo pipefail
part="part-$SLURM_ARRAY_TASK_ID"
[ -d "$part" ] || cp -r prepared "$part"
referee tournament "$part" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
