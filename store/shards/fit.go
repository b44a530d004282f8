package shards

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store/job"
)

// apart says, by hash, which models of the plan a run does not have, or with units of other names,
// and why. Of these, changed are those that the run does not refuse itself. absent is what is said
// behind the name of a model that the run does not know.
func (p *Plan) apart(run job.Prepared, absent string) (apart map[string]error, changed []job.Refused) {
	apart = map[string]error{}
	refused, specs := map[string]error{}, map[string]signal.Spec{}
	for _, r := range run.Refused {
		refused[r.Model] = r.Err
	}
	for _, t := range run.Tasks {
		specs[t.Spec.Model] = t.Spec
	}
	for i, m := range p.models {
		hash := m.Spec.Model
		now, there := specs[hash]
		err, known := refused[hash]
		switch {
		case known:
		case !there:
			err = fmt.Errorf("model %s %s", m.ID, absent)
		case now.Key() != p.keys[i]:
			err = fmt.Errorf("model %s was planned with %s; "+
				"undo that change, or plan the run again into another folder", m.ID, difference(m.Spec, now))
		default:
			continue
		}
		if apart[hash] = err; !known {
			changed = append(changed, job.Refused{Model: hash, ID: m.ID, Err: err})
		}
	}
	return apart, changed
}

// difference says in which way a unit of a plan is not that of a run.
func difference(planned, now signal.Spec) string {
	return cmp.Or(
		when(planned.Source != now.Source, "another suite"),
		when(planned.Family != now.Family, "the family "+planned.Family),
		when(planned.IsMixed() && !now.IsMixed(), "--mixed"),
		when(!planned.IsMixed() && now.IsMixed(), "one kind of processor, without --mixed"),
		when(planned.Runtime != now.Runtime, "another version of ONNX Runtime"),
		when(planned.Arch != now.Arch || planned.Level != now.Level, "another kind of processor"),
		when(fmt.Sprint(planned.Preprocessing) != fmt.Sprint(now.Preprocessing), "another preprocessing"),
		when(planned.OutputKind != now.OutputKind, "another kind of output"),
		when(planned.Output != now.Output, "another output"),
		when(!slices.Equal(planned.Positions, now.Positions), "other positions"),
		when(!slices.Equal(planned.Vectors, now.Vectors), "other vector modalities"),
		when(planned.Batch != now.Batch, "another batch size"),
		when(!slices.Equal(planned.TrueClass, now.TrueClass), "other classes"),
		"other settings",
	)
}

func when(is bool, what string) string {
	if is {
		return what
	}
	return ""
}
