package shards

import (
	"fmt"
	"strings"
)

// script is job.sh: an array job of Slurm that a shell can run, too. It finds the folder by the manifest with the plan's hash, since Slurm runs
// a copy of the script that lies somewhere else.
func (p *Plan) script() []byte {
	return []byte(strings.NewReplacer("@N@", fmt.Sprint(p.Shards()), "@ID@", p.ID).Replace(scriptText))
}

const scriptText = `#!/bin/sh
#SBATCH --job-name=variscope
#SBATCH --array=1-@N@
# Computes one of the @N@ shards of this plan; README.txt says more.
#   Slurm:         cd FOLDER && sbatch job.sh
#   GNU parallel:  VARISCOPE_CORES=1 parallel sh job.sh ::: $(seq @N@)
#   a loop:        for k in $(seq @N@); do sh job.sh $k; done
# VARISCOPE is the program (variscope on the PATH), VARISCOPE_CORES the number of cores of a shard, VARISCOPE_PLAN this folder where the script
# does not find it.
set -eu
plan=@ID@
shard=${1:-${SLURM_ARRAY_TASK_ID:-}}
if [ -z "$shard" ]; then
	echo "job.sh: which shard? sh job.sh K, with K from 1 to @N@, or sbatch job.sh for all" >&2
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
`

// readme is README.txt.
func (p *Plan) readme() []byte {
	processor := fmt.Sprintf("processors with %s (%s)", p.Level, p.Arch)
	if p.Mixed() {
		processor = "processors of any kind"
	}
	return []byte(strings.NewReplacer(
		"@N@", fmt.Sprint(p.Shards()), "@SUITE@", p.Suite, "@FAMILY@", p.Request.Family, "@MODELS@", fmt.Sprint(p.Models()),
		"@UNITS@", fmt.Sprint(p.UnitCount()), "@PROGRAM@", p.Program, "@RUNTIME@", p.Runtime, "@PROCESSOR@", processor,
	).Replace(readmeText))
}

const readmeText = `A plan of Variscope @PROGRAM@: @UNITS@ units of work of @MODELS@ models on suite @SUITE@ under @FAMILY@, cut into @N@ shards.

It holds all that is needed but the program: models, images and the description of the units. It may be copied or moved to any machine. The
machines need Variscope @PROGRAM@ with ONNX Runtime @RUNTIME@, and @PROCESSOR@.

Compute the shards, in any order, on as many machines as see this folder:

    sbatch job.sh                                              with Slurm, inside this folder
    VARISCOPE_CORES=1 parallel sh job.sh ::: $(seq @N@)          with GNU parallel
    for k in $(seq @N@); do sh job.sh $k; done                   one after the other
    variscope worker --plan . --shard 1                        one of them

Where variscope is not on the PATH, set VARISCOPE to the program. A shard that was interrupted is started again: it computes what is missing.
Computing a shard twice changes nothing.

Then collect the results into the workspace that the plan was made of:

    variscope run WORKSPACE --collect THIS-FOLDER

It says which shards are missing, and can be repeated. Afterwards this folder can be removed.
`
