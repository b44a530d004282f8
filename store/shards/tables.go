package shards

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/variscope/variscope/engine/result"
)

// Plans is the table of plans.
var Plans = result.Table[Written]{
	Name: "plan", Title: "Plans", Noun: "plan", ID: func(m Written) string { return m.ID },
	Columns: []result.Column[Written]{
		result.Texts("suite", "suite", "name of the test suite", func(m Written) string { return m.Suite }),
		result.Texts("family", "transformations", "family of transformations or set; files have its canonical text",
			func(m Written) string { return m.Request.Family }).Told(func(m Written) string { return m.FamilyName }),
		result.Counts("models", "models", "that lack units", func(m Written) int { return len(m.models) }),
		result.Counts("units", "units", "of work", func(m Written) int { return len(m.units) }),
		result.Counts("shards", "shards", "that the units are cut into", func(m Written) int { return m.Shards }),
		result.Texts("folder", "folder", "of the plan", func(m Written) string { return m.Folder }),
		file("plan", "content hash of the plan", func(m Written) string { return m.ID }),
		result.Bools("mixed", "mixed", "processors of any kind may compute it",
			func(m Written) bool { return m.Request.Mixed }).In(result.FileOnly),
		file("onnxruntime", "version of ONNX Runtime that machines need",
			func(m Written) string { return m.spec().Runtime }),
		file("level", "instruction set that they need", func(m Written) string { return m.spec().Level }),
		file("arch", "architecture of their processors", func(m Written) string { return m.spec().Arch }),
		result.Bools("again", "again", "the plan was there already",
			func(m Written) bool { return m.Again }).In(result.FileOnly),
		file("brought", "files of it that were brought back",
			func(m Written) string { return strings.Join(m.Brought, "; ") }),
	},
}

func file[R any](key, help string, text func(R) string) result.Column[R] {
	return result.Texts(key, key, help, text).In(result.FileOnly)
}

// Next says what to do with a plan.
func (m Written) Next() (lines []string) {
	if m.Again {
		lines = append(lines, fmt.Sprintf("the plan was there already; of its files %d were brought back",
			len(m.Brought)))
	}
	return append(lines,
		fmt.Sprintf("compute the shards: sbatch job.sh inside the folder, or sh job.sh K for each K from 1 to %d; "+
			"README.txt there says more", m.Shards),
		"then collect them: variscope run WORKSPACE --collect "+m.Folder)
}

// Collected is the table of what a collection found of the shards.
var Collected = result.Table[State]{
	Name: "shards", Title: "Shards", Noun: "shard", ID: func(s State) string { return strconv.Itoa(s.Shard) },
	Columns: []result.Column[State]{
		result.Counts("shard", "shard", "its number, from 1", func(s State) int { return s.Shard }),
		result.Counts("units", "units", "of work", func(s State) int { return s.Units }),
		result.Counts("missing", "missing", "units that the workspace lacks, those that failed among them",
			func(s State) int { return s.Missing }),
		result.Counts("damaged", "damaged", "units whose result cannot be used",
			func(s State) int { return s.Damaged }),
		result.Counts("failed", "failed", "units that could not be computed", func(s State) int { return s.Failed }),
		result.Counts("left", "left", "units of models that are left out", func(s State) int { return s.Left }),
		result.Bools("complete", "complete", "the workspace has all units of the shard", State.Complete),
	},
}

// Remarks are lines about the shards of a collected plan.
func Remarks(states []State) (lines []string) {
	var complete []int
	for _, s := range states {
		if s.Complete() {
			complete = append(complete, s.Shard)
			continue
		}
		text := fmt.Sprintf("shard %d: of %d units, %d have no result (%d failed) and %d a damaged one", s.Shard,
			s.Units, s.Missing, s.Failed, s.Damaged)
		if s.Left > 0 {
			text += fmt.Sprintf("; %d are of models that were left out", s.Left)
		}
		lines = append(lines, text)
	}
	if len(complete) > 0 {
		lines = slices.Insert(lines, 0, fmt.Sprintf("complete: %s, of %d", shardList(complete), len(states)))
	}
	return lines
}

// Reports is the table of what workers made of shards.
var Reports = result.Table[Report]{
	Name: "shard", Title: "Shard", Noun: "shard", ID: func(r Report) string { return strconv.Itoa(r.Shard) },
	Columns: []result.Column[Report]{
		result.Counts("shard", "shard", "its number, from 1", func(r Report) int { return r.Shard }),
		result.Counts("shards", "of", "shards of the plan", func(r Report) int { return r.Shards }),
		result.Counts("units", "units", "of work", func(r Report) int { return r.Units }),
		result.Counts("computed", "computed", "units", func(r Report) int { return r.Computed }),
		result.Counts("reused", "reused", "units with a result that was there", func(r Report) int { return r.Reused }),
		result.Counts("failed", "failed", "units that could not be computed", func(r Report) int { return r.Failed }),
		result.Counts("left", "left", "units that were not begun", func(r Report) int { return r.Left }),
		result.Numbers("took", "took", "seconds of the work", result.Duration,
			func(r Report) float64 { return r.Took.Seconds() }).In(result.FileOnly),
		result.Numbers("images_per_s", "images/s", "images x transformations per second", result.Count,
			func(r Report) float64 {
				return float64(r.Inferences) / max(r.Took, time.Millisecond).Seconds()
			}).In(result.FileOnly),
		file("plan", "content hash of the plan", func(r Report) string { return r.Plan }),
	},
}

// Failures is the table of units that could not be computed.
var Failures = result.Table[Failure]{
	Name: "failures", Title: "Failures", Noun: "unit", ID: func(f Failure) string { return f.Unit },
	Columns: []result.Column[Failure]{
		result.Texts("unit", "unit", "key of the unit", func(f Failure) string { return f.Unit }),
		result.Texts("model_id", "model", "name of the model", func(f Failure) string { return f.Model }),
		result.Counts("chunk", "chunk", "number of the chunk of images, from 0",
			func(f Failure) int { return f.Chunk }),
		result.Texts("reason", "reason", "why it failed", func(f Failure) string { return f.Reason }),
	},
}
