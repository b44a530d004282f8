package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// runReport is what run prints with --json; several runs are printed as runsReport.
type runReport struct {
	Run       string        `json:"run"`
	Suite     string        `json:"suite"`
	Family    string        `json:"family"`
	Phase     engine.Phase  `json:"phase"`
	Skipped   int           `json:"skipped_images"`
	PerSecond float64       `json:"images_per_s"`
	Models    []modelReport `json:"models"`
	Mixed     bool          `json:"mixed,omitempty"`
	Shards    []shardState  `json:"shards,omitempty"` // of a collected plan
	Error     string        `json:"error,omitempty"`  // why it was not started
	family    string        // as people read it
}

type modelReport struct {
	ID       string       `json:"id"`
	Hash     string       `json:"hash"`
	Phase    engine.Phase `json:"phase"`
	Computed int64        `json:"computed"`
	Reused   int64        `json:"reused"`
	Accuracy *float64     `json:"accuracy"`
	Robust   *float64     `json:"robust_accuracy"`
	Error    string       `json:"error,omitempty"`
}

// runsReport is several runs in their order.
type runsReport struct {
	Runs []runReport `json:"runs"`
}

func newRunReport(ws *store.Workspace, suiteHash string, status engine.Status, refused []job.Refused) runReport {
	report := runReport{
		Run: status.ID, Suite: status.Suite, Family: status.Family, family: ws.FamilyName(status.Family), Phase: status.Phase, Skipped: status.Skipped, PerSecond: status.PerSecond,
	}
	for _, t := range status.Tasks {
		row := modelReport{ID: t.ID, Hash: t.Model, Phase: t.Phase, Computed: t.Done - t.Reused, Reused: t.Reused}
		if t.Err != nil {
			row.Error = t.Err.Error()
		}
		row.Accuracy, row.Robust = accuracies(ws, t.Model, suiteHash, status.Family)
		report.Models = append(report.Models, row)
	}
	for _, r := range refused {
		report.Models = append(report.Models, modelReport{ID: r.ID, Hash: r.Model, Phase: engine.Failed, Error: r.Err.Error()})
	}
	return report
}

// accuracies are nil where nothing was computed or the suite has no labels.
func accuracies(ws *store.Workspace, hash, suiteHash, family string) (plain, robust *float64) {
	m, err := ws.Model(hash)
	if err != nil {
		return nil, nil
	}
	summary, ok, err := ws.Summary(m, suiteHash, family)
	if err != nil || !ok || len(summary.Accuracy) == 0 {
		return nil, nil
	}
	return &summary.Accuracy[summary.Identity()], &summary.Robust
}

func (r runReport) rows() [][]string {
	rows := [][]string{{"model", "state", "computed", "reused", "accuracy", "robust accuracy"}}
	for _, m := range r.Models {
		rows = append(rows, m.row())
	}
	if r.Skipped > 0 {
		rows = append(rows, []string{fmt.Sprintf("%d corrupt images were left out of the suite", r.Skipped)})
	}
	return append(rows, remarksOn(r.Shards)...)
}

func (m modelReport) row() []string {
	return []string{m.ID, string(m.Phase), fmt.Sprint(m.Computed), fmt.Sprint(m.Reused), number(m.Accuracy), number(m.Robust)}
}

// rows are those of all runs, each behind its suite and the text of its family; a run that was not started is one line.
func (r runsReport) rows(family func(runReport) string) [][]string {
	rows := [][]string{{"suite", "family", "model", "state", "computed", "reused", "accuracy", "robust accuracy"}}
	for _, run := range r.Runs {
		place := []string{run.Suite, family(run)}
		if run.Error != "" {
			rows = append(rows, append(place, "-", string(run.Phase), "0", "0", "-", "-"))
		}
		for _, m := range run.Models {
			rows = append(rows, slices.Concat(place, m.row()))
		}
	}
	return rows
}

func (r runReport) err() error { return joined(r.reasons()) }

// err holds every sentence once: a model that cannot take part is refused by each run.
func (r runsReport) err() error {
	var reasons []string
	for _, run := range r.Runs {
		for _, reason := range run.reasons() {
			if !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
		}
	}
	return joined(reasons)
}

// reasons are the sentences of what went wrong.
func (r runReport) reasons() []string {
	var reasons []string
	if r.Error != "" {
		reasons = append(reasons, r.Error)
	}
	for _, m := range r.Models {
		if m.Error != "" {
			reasons = append(reasons, m.Error)
		}
	}
	return reasons
}

// joined is one sentence per line, nil without any.
func joined(reasons []string) error {
	if len(reasons) == 0 {
		return nil
	}
	return errors.New(strings.Join(reasons, "\n"))
}

func number(v *float64) string {
	if v == nil {
		return "-"
	}
	return result.Number.Say(*v, 4)
}
