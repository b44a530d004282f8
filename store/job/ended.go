package job

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/store"
)

// Ended is a run that has ended, or was not started: its Reason says why.
type Ended struct {
	Listed
	SuiteHash, FamilyText string // FamilyText is canonical
}

// EndedAs is a run as its engine tells of it.
func EndedAs(status engine.Status, suiteHash string, refused []Refused) Ended {
	r := Ended{List([]engine.Status{status}, nil, Names{}, error.Error)[0], suiteHash, status.Family}
	r.Models = append(r.Models, RefusedModels(refused)...)
	r.Failed += len(refused)
	return r
}

// EndedIn is a run in a workspace, with what that knows of its models.
func EndedIn(ws *store.Workspace, suiteHash string, status engine.Status, refused []Refused) Ended {
	r := EndedAs(status, suiteHash, refused)
	r.Family = ws.FamilyName(status.Family)
	records, err := ws.Runs()
	if k := slices.IndexFunc(records, func(one store.RunRecord) bool { return one.ID == status.ID }); err == nil &&
		k >= 0 {
		r.SetDevices(records[k])
	}
	for k := range status.Tasks {
		measured(ws, &r.Models[k], suiteHash, status.Family)
	}
	return r
}

// RefusedModels are models that cannot take part, as models of a run that failed.
func RefusedModels(refused []Refused) (list []Model) {
	for _, r := range refused {
		list = append(list, Model{
			ID: r.ID, Hash: r.Model, Phase: engine.Failed, Reason: r.Err.Error(), Accuracy: math.NaN(),
			Robust: math.NaN(),
		})
	}
	return list
}

// NotStarted is a run that could not be started.
func NotStarted(ws *store.Workspace, req Request, why error) Ended {
	name := req.Suite
	if m, err := ws.Suite(req.Suite); err == nil {
		name = m.Name
	}
	return Ended{Listed{
		ID: "not started " + req.Suite + " " + req.Family, Suite: name, Family: ws.FamilyName(req.Family),
		Phase: engine.Failed, Mixed: req.Mixed, Reason: why.Error(),
	}, req.Suite, req.Family}
}

// measured sets what is known of a model on a suite: the accuracies, NaN where nothing was computed
// or the suite has no labels, how they stand beside chance, how classes were matched, and what a
// look at the model found.
func measured(ws *store.Workspace, m *Model, suiteHash, family string) {
	m.Accuracy, m.Robust = math.NaN(), math.NaN()
	known, err := ws.Model(m.Hash)
	if err != nil {
		return
	}
	m.Looks = ws.Looks(known, suiteHash)
	summary, ok, err := ws.Summary(known, suiteHash, family)
	if err != nil || !ok {
		return
	}
	m.MappedBy = summary.MappedBy
	if len(summary.Accuracy) > 0 {
		m.Accuracy, m.Robust = summary.Accuracy[summary.Identity()], summary.Robust
	}
	if summary.Chance != nil {
		m.Chance = summary.Chance.Level()
	}
}

// OutcomesOf are the models of runs, and a row without a model for each run that was not started.
func OutcomesOf(runs []Ended) (list []Outcome) {
	for _, r := range runs {
		models, id := r.Models, r.ID
		if len(models) == 0 && r.Reason != "" {
			models, id = []Model{{Phase: engine.Failed, Reason: r.Reason, Accuracy: math.NaN(), Robust: math.NaN()}}, ""
		}
		for _, m := range models {
			list = append(list, Outcome{
				Subject: subject.Subject{
					Model: m.ID, ModelHash: m.Hash, Suite: r.Suite, SuiteHash: r.SuiteHash, Family: r.FamilyText,
					FamilyName: r.Family,
				},
				Run: id, Model: m,
			})
		}
	}
	return list
}

// Sheets are the runs and what they made of the models.
func Sheets(runs []Ended) []*result.Sheet {
	listed := make([]Listed, len(runs))
	for k, r := range runs {
		listed[k] = r.Listed
	}
	return []*result.Sheet{Outcomes.Sheet(OutcomesOf(runs)), Runs.Sheet(listed)}
}

// Doubts say which models look as if they want another recipe or are no better than chance, each
// sentence once.
func Doubts(runs []Ended) (list []string) {
	for _, o := range OutcomesOf(runs) {
		for _, text := range []string{o.Looks.Sentence(), o.Chance.Sentence()} {
			if line := o.ID + ": " + text; text != "" && !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
	}
	return list
}

// Reasons are the sentences of what went wrong, one per line and each once: a model that cannot
// take part is refused by each run. None without any.
func Reasons(runs ...Ended) (list []string) {
	for _, r := range runs {
		all := []string{r.Reason}
		for _, m := range r.Models {
			all = append(all, m.Reason)
		}
		for _, reason := range all {
			if reason != "" && !slices.Contains(list, reason) {
				list = append(list, reason)
			}
		}
	}
	return list
}
