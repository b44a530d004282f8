package app

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// ran is a run that has ended, or was not started: its Reason says why.
type ran struct {
	job.Listed
	suiteHash, family string // the canonical text
}

// ranOf is a run as its engine tells of it.
func ranOf(status engine.Status, suiteHash string, refused []job.Refused) ran {
	r := ran{job.List([]engine.Status{status}, nil, job.Names{}, error.Error)[0], suiteHash, status.Family}
	r.Models = append(r.Models, refusedModels(refused)...)
	r.Failed += len(refused)
	return r
}

// newRan is a run in a workspace, with what that knows of its models.
func newRan(ws *store.Workspace, suiteHash string, status engine.Status, refused []job.Refused) ran {
	r := ranOf(status, suiteHash, refused)
	r.Family = ws.FamilyName(status.Family)
	records, err := ws.Runs()
	if k := slices.IndexFunc(records, func(one store.RunRecord) bool { return one.ID == status.ID }); err == nil && k >= 0 {
		r.SetDevices(records[k])
	}
	for k := range status.Tasks {
		measured(ws, &r.Models[k], suiteHash, status.Family)
	}
	return r
}

func refusedModels(refused []job.Refused) (list []job.Model) {
	for _, r := range refused {
		list = append(list, job.Model{
			ID: r.ID, Hash: r.Model, Phase: engine.Failed, Reason: r.Err.Error(), Accuracy: math.NaN(), Robust: math.NaN(),
		})
	}
	return list
}

// notStarted is a run that could not be started.
func notStarted(ws *store.Workspace, req job.Request, why error) ran {
	return ran{job.Listed{
		ID: "not started " + req.Suite + " " + req.Family, Suite: suiteName(ws, req.Suite), Family: ws.FamilyName(req.Family), Phase: engine.Failed,
		Mixed: req.Mixed, Reason: why.Error(),
	}, req.Suite, req.Family}
}

// measured sets what is known of a model on a suite: the accuracies, NaN where nothing was computed
// or the suite has no labels, how they stand beside chance, how classes were matched, and what a
// look at the model found.
func measured(ws *store.Workspace, m *job.Model, suiteHash, family string) {
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

// outcomes are the models of runs, and a row without a model for each run that was not started.
func outcomes(runs []ran) (list []job.Outcome) {
	for _, r := range runs {
		models, id := r.Models, r.ID
		if len(models) == 0 && r.Reason != "" {
			models, id = []job.Model{{Phase: engine.Failed, Reason: r.Reason, Accuracy: math.NaN(), Robust: math.NaN()}}, ""
		}
		for _, m := range models {
			list = append(list, job.Outcome{
				Subject: subject.Subject{
					Model: m.ID, ModelHash: m.Hash, Suite: r.Suite, SuiteHash: r.suiteHash, Family: r.family, FamilyName: r.Family,
				},
				Run: id, Model: m,
			})
		}
	}
	return list
}

// sheets are the runs and what they made of the models.
func sheets(runs []ran) []*result.Sheet {
	listed := make([]job.Listed, len(runs))
	for k, r := range runs {
		listed[k] = r.Listed
	}
	return []*result.Sheet{job.Outcomes.Sheet(outcomes(runs)), job.Runs.Sheet(listed)}
}

// reportRuns writes what runs did into the folder out, where that is not empty, and prints it, with
// remarks below, and with more sheets in files. What went wrong is the error.
func (s *session) reportRuns(options any, out string, runs []ran, remarks []string, more ...*result.Sheet) error {
	doc := result.Document{Schema: "variscope.run", Version: 1, Options: options, Sheets: append(sheets(runs), more...)}
	table := job.Outcomes
	remarks = append(doubts(runs), remarks...)
	if len(runs) == 1 {
		table = table.Place(result.FileOnly, "suite", "family")
		if n := runs[0].Skipped; n > 0 {
			remarks = append([]string{result.Counted(n, "corrupt image") + " of the suite left out"}, remarks...)
		}
	}
	shown := []*result.Sheet{table.Sheet(outcomes(runs))}
	err := s.give(answer{Document: doc, name: "run", folder: out, tables: shown, lines: remarks})
	return cmp.Or(err, reasons(runs...))
}

// doubts say which models look as if they want another recipe or are no better than chance, each
// sentence once.
func doubts(runs []ran) (list []string) {
	for _, o := range outcomes(runs) {
		for _, text := range []string{o.Looks.Sentence(), o.Chance.Sentence()} {
			if line := o.ID + ": " + text; text != "" && !slices.Contains(list, line) {
				list = append(list, line)
			}
		}
	}
	return list
}

// reasons are the sentences of what went wrong, one per line and each once: a model that cannot
// take part is refused by each run. It is nil without any.
func reasons(runs ...ran) error {
	var list []string
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
	return joined(list)
}

// joined is one sentence per line, nil without any.
func joined(reasons []string) error {
	list := make([]error, len(reasons))
	for i, reason := range reasons {
		list[i] = errors.New(reason)
	}
	return errors.Join(list...)
}
