package shards

import (
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// remaining is the plan's request without the models that the workspace has no more. Those that the plan has units of are gone; of the others there is
// nothing to collect: the workspace had all of their units when the plan was made.
func (p *Plan) remaining(ws *store.Workspace) (req job.Request, gone []job.Refused, err error) {
	req, req.Models = p.Request, nil
	names := map[string]string{}
	for _, m := range p.models {
		names[m.Spec.Model] = m.ID
	}
	for _, hash := range p.Request.Models {
		_, err := ws.Model(hash)
		switch {
		case errors.Is(err, store.ErrNotFound):
			id, planned := names[hash]
			if !planned {
				continue
			}
			err = fmt.Errorf("model %s was removed from the workspace since the plan was made, so its results are left out; import it again and collect again to have them", id)
			gone = append(gone, job.Refused{Model: hash, ID: id, Err: err})
		case err != nil:
			return req, nil, err
		default:
			req.Models = append(req.Models, hash)
		}
	}
	if len(req.Models) == 0 {
		return req, nil, fmt.Errorf("%w: the workspace has none of its %d models", ErrOtherPlan, len(p.Request.Models))
	}
	return req, gone, nil
}

// apart are the models of the plan that a run does not have, or whose units have other names there, with the reasons.
func (p *Plan) apart(run job.Prepared) (list []job.Refused) {
	tasks := map[string]engine.Task{}
	for _, t := range run.Tasks {
		tasks[t.Spec.Model] = t
	}
	for _, m := range p.models {
		task, there := tasks[m.Spec.Model]
		var err error
		switch i := indexOf(run.Refused, m.Spec.Model); {
		case i >= 0:
			err = run.Refused[i].Err
		case !there:
			err = fmt.Errorf("model %s of the plan is not in the run", m.ID)
		case task.Spec.Key() != m.key:
			err = fmt.Errorf("model %s was planned with %s; undo that change, or plan the run again into another folder", m.ID, difference(m.Spec, task.Spec))
		default:
			continue
		}
		list = append(list, job.Refused{Model: m.Spec.Model, ID: m.ID, Err: err})
	}
	return list
}

// indexOf is the place of a model in a list, -1 where it is not there.
func indexOf(list []job.Refused, model string) int {
	return slices.IndexFunc(list, func(r job.Refused) bool { return r.Model == model })
}

// news are those of a list that are not known yet.
func news(list, known []job.Refused) (fresh []job.Refused) {
	for _, r := range list {
		if indexOf(known, r.Model) < 0 {
			fresh = append(fresh, r)
		}
	}
	return fresh
}

// difference says in which way the settings of a plan are not those of the workspace.
func difference(planned, now signal.Spec) string {
	for _, d := range []struct {
		what    string
		differs bool
	}{
		{"another version of ONNX Runtime", planned.Runtime != now.Runtime},
		{"another kind of processor", planned.Arch != now.Arch || planned.Level != now.Level},
		{"another preprocessing", fmt.Sprint(planned.Preprocessing) != fmt.Sprint(now.Preprocessing)},
		{"another kind of output", planned.OutputKind != now.OutputKind},
		{"another output", planned.Output != now.Output},
		{"other positions", !slices.Equal(planned.Positions, now.Positions)},
		{"another batch size", planned.Batch != now.Batch},
		{"other classes", !slices.Equal(planned.TrueClass, now.TrueClass)},
	} {
		if d.differs {
			return d.what
		}
	}
	return "other settings"
}
