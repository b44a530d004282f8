#!/bin/sh
#SBATCH --job-name=variscope
#SBATCH --array=1-{{.Shards}}
# Computes one of the {{.Shards}} shards of this plan; README.txt says more.
#   Slurm:         cd FOLDER && sbatch job.sh
#   GNU parallel:  VARISCOPE_CORES=1 parallel sh job.sh ::: $(seq {{.Shards}})
#   a loop:        for k in $(seq {{.Shards}}); do sh job.sh $k; done
# VARISCOPE is the program (variscope on the PATH), VARISCOPE_CORES the number of cores of a shard, VARISCOPE_PLAN this folder where the script
# does not find it.
set -eu
plan={{.ID}}
shard=${1:-${SLURM_ARRAY_TASK_ID:-}}
if [ -z "$shard" ]; then
	echo "job.sh: which shard? sh job.sh K, with K from 1 to {{.Shards}}, or sbatch job.sh for all" >&2
	exit 2
fi
for folder in "${VARISCOPE_PLAN:-}" "$(dirname "$0")" "$PWD" "${SLURM_SUBMIT_DIR:-}" ""; do
	if [ -n "$folder" ] && grep -q "$plan" "$folder/manifest.json" 2>/dev/null; then
		break
	fi
done
if [ -z "$folder" ]; then
	echo "job.sh: the folder of the plan is not found; run sbatch inside it, or set VARISCOPE_PLAN to it" >&2
	exit 2
fi
cores=${VARISCOPE_CORES:-${SLURM_CPUS_PER_TASK:-${SLURM_JOB_ID:+1}}}
exec "${VARISCOPE:-variscope}" worker --plan "$folder" --shard "$shard" ${cores:+--cores "$cores"}
