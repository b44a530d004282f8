package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/store"
)

// ImportOptions say how models, suites and logs of training are taken in, as the command import
// takes them.
type ImportOptions struct {
	SuiteOptions
	ModelOptions
	LogOptions
}

// Fit refuses options that are about one thing where there is another number of such things. Where
// it is not known what lies at a path, that is what to say, and none is no fault.
func (o ImportOptions) Fit(sources []Source) error {
	wrong := func(kind Kind) (n int, yes bool) {
		n = len(Paths(sources, kind))
		return n, n > 1 || n == 0 && len(Paths(sources, Unknown)) == 0
	}
	if n, yes := wrong(SuiteKind); yes && (o.Name != "" || o.Labels != "") {
		return option.Errorf("{name} and {idx-labels} are for one suite; among the paths there are %d", n)
	}
	if n, yes := wrong(LogKind); yes && o.Model != "" {
		return option.Errorf("{model} names the model of one log; among the paths there are %d", n)
	}
	return nil
}

// Importer brings in what was recognised.
type Importer struct {
	Workspace *store.Workspace
	Runtime   engine.Runtime // nil: models come in without being tried
	Read      Reader
	Say       func(error) string                // why something was not imported, for people
	Stage     func(name string) engine.Progress // called for all models at once, and for each suite
}

// Import brings in suites, models, labels, records and logs, in this order, since each may speak of
// those before. The outcomes have the models first. What fails is among them with the reason, has
// left the workspace as it was, and keeps none of the others out. The error is for what stops
// everything (the end of ctx, a full or read-only disk); the outcomes are what came in before.
func (i Importer) Import(ctx context.Context, sources []Source, o ImportOptions) ([]Outcome, error) {
	var others []Outcome
	var models Report
	var stopped error
	ended := func() bool { return stopped != nil || ctx.Err() != nil }
	add := func(path string, came Outcome, err error) {
		switch {
		case err == nil:
			others = append(others, came)
		case fatal(err):
			stopped = cmp.Or(stopped, err)
		case ctx.Err() == nil:
			others = append(others, NotImported(path, i.Say(err)))
		}
	}
	each := func(kind Kind, do func(path string) (Outcome, error)) {
		for _, path := range Paths(sources, kind) {
			if !ended() {
				came, err := do(path)
				add(path, came, err)
			}
		}
	}
	for _, s := range sources {
		switch s.Kind {
		case Unknown:
			add(s.Path, Outcome{}, s.Err)
		case WorkspaceKind:
			add(s.Path, Outcome{}, fmt.Errorf("%s is a workspace, which is opened and not imported; "+
				"to have its models here, import their files", s.Path))
		}
	}
	each(SuiteKind, func(path string) (Outcome, error) {
		m, err := Suite(ctx, i.Workspace, path, o.SuiteOptions, i.Stage(filepath.Base(path)))
		return suiteOutcome(m), err
	})
	if paths := Paths(sources, ModelKind); len(paths) > 0 && !ended() {
		models, stopped = Models(ctx, i.Workspace, i.Runtime, i.Read, paths, o.ModelOptions, i.Stage("models"))
	}
	if paths := Paths(sources, LabelKind); len(paths) > 0 && !ended() {
		came, err := importLabels(ctx, i.Workspace, paths)
		add(paths[0], came, err)
	}
	each(RecordKind, func(path string) (Outcome, error) { return Records(i.Workspace, path) })
	each(LogKind, func(path string) (Outcome, error) { return Log(ctx, i.Workspace, path, o.LogOptions) })
	list, err := models.Outcomes(i.Workspace)
	list = append(list, others...)
	for _, f := range models.Failed {
		list = append(list, NotImported(f.Path, i.Say(f)))
	}
	return list, errors.Join(cmp.Or(stopped, ctx.Err()), err)
}
