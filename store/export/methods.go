package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/variscope/variscope/engine/calibration"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/evaluate"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/store/predictions"
)

// scope is what methods are asked about, nil for all there is.
type scope struct{ models, suites, families, selections []string }

// limit sets the scope of the methods: the chosen models, or what a chosen round looks at.
func (e *exporting) limit() error {
	if e.scope.models = e.opts.Models; e.opts.Round == "" {
		return nil
	}
	of := scope{[]string{}, []string{}, []string{}, []string{}}
	for _, r := range e.set.Rounds {
		of.models = append(of.models, r.Models...)
		if r.Family != "" {
			of.families = append(of.families, r.Family)
		}
		if r.Selection != "" {
			of.selections = append(of.selections, r.Selection)
		}
		switch _, err := e.ws.Suite(r.Suite); {
		case err == nil:
			of.suites = append(of.suites, r.Suite)
		case !errors.Is(err, store.ErrNotFound): // a round package brings no suite
			return err
		}
	}
	e.scope = of
	return nil
}

// method notes for the card how many rows a method has and why others are left out, and yields its
// tables in its folder where there are any rows.
func (e *exporting) method(title string, in Part, rows int, reasons []string, sheets ...*result.Sheet) (files []file) {
	line := fmt.Sprintf("%s: %s, in `%s/`", title, result.Counted(rows, "row"), in)
	if rows == 0 {
		line, sheets = title+": nothing", nil
	}
	if len(reasons) > 0 {
		distinct := slices.Compact(slices.Sorted(slices.Values(reasons)))
		line += fmt.Sprintf("; %d left out: %s", len(reasons), result.EscapeMarkdown(result.Some(distinct)))
	}
	e.methods = append(e.methods, line)
	for _, sheet := range sheets {
		files = append(files, e.csv(path.Join(string(in), sheet.Name), sheet))
	}
	return files
}

// texts are the sentences of what is left out.
func texts[L any](left []L, why func(L) string) (list []string) {
	for _, l := range left {
		list = append(list, why(l))
	}
	return list
}

// invariance writes effective invariance under all families and sets with signals. What was never
// run is not listed as left out.
func (e *exporting) invariance(ctx context.Context) ([]file, error) {
	ask := evaluate.Ask{Models: e.scope.models, Suites: e.scope.suites, Families: e.scope.families}
	rows, left, err := evaluate.Measure(ctx, e.ws, ask, e.progress)
	if err != nil {
		return nil, err
	}
	left, reasons := failed(left)
	return e.method("Effective invariance", Invariance, len(rows), reasons,
		invariance.Results.Sheet(rows), invariance.Transformations.Sheet(invariance.Steps(rows, false)),
		invariance.LeftOuts.Sheet(left)), nil
}

// failed are those that were left out although they were run, and why.
func failed(left []invariance.LeftOut) ([]invariance.LeftOut, []string) {
	left = slices.DeleteFunc(left, func(l invariance.LeftOut) bool { return l.Reason.Code == signal.NoSignals })
	return left, texts(left, func(l invariance.LeftOut) string { return l.Reason.Text })
}

// calibration writes how well the models are calibrated under all families and sets with signals,
// and a reliability diagram of the images as they are for each model and suite.
func (e *exporting) calibration(ctx context.Context) ([]file, error) {
	ask := evaluate.Ask{Models: e.scope.models, Suites: e.scope.suites, Families: e.scope.families}
	var o calibration.Settings
	option.SetDefaults(&o)
	rows, left, err := evaluate.Calibrate(ctx, e.ws, ask, o, e.progress)
	if err != nil {
		return nil, err
	}
	left, reasons := failed(left)
	files := e.method("Calibration", Calibration, len(rows), reasons,
		append(calibration.Sheets(rows), invariance.LeftOuts.Sheet(left))...)
	drawn, taken := map[string]bool{}, map[string]bool{}
	for _, m := range rows {
		of, figure := m.ModelHash+m.SuiteHash, m.Original().Figure()
		if drawn[of] || !figure.Drawable() {
			continue
		}
		drawn[of] = true
		name := durable.Unused(taken, durable.FileName("reliability_"+m.Model+"_"+m.Suite)) + ".svg"
		files = append(files, file{path: path.Join(string(Calibration), name), fill: func(w io.Writer) error {
			return render.Draw(w, figure, render.Part{}, "svg")
		}})
	}
	return files, nil
}

// dScores writes D-Scores of all grids with signals, and their regions.
func (e *exporting) dScores(ctx context.Context) ([]file, error) {
	ask := diagnosis.Ask{Models: e.scope.models, Suites: e.scope.suites}
	rows, left, err := diagnosis.Diagnose(ctx, e.ws, ask, e.progress)
	if err != nil {
		return nil, err
	}
	return e.method("D-Scores", DScore, len(rows),
		texts(left, func(l dscore.LeftOut) string { return l.Reason.Text }),
		dscore.Scores.Sheet(rows), dscore.Regions.Sheet(dscore.RegionsOf(rows)), dscore.LeftOuts.Sheet(left)), nil
}

// ranking writes the rankings on every suite and table with predictions of enough models.
func (e *exporting) ranking(ctx context.Context) ([]file, error) {
	ids, err := e.ranked()
	if err != nil {
		return nil, err
	}
	var r rank.Rankings
	for _, id := range ids {
		one, err := e.rankingsOn(ctx, id)
		if err != nil {
			return nil, err
		}
		left := append(r.LeftOut, one.LeftOut...)
		if len(one.On) > 0 && len(r.On) == 0 {
			r = one
		} else {
			r.On = append(r.On, one.On...)
		}
		r.LeftOut = left
	}
	var sheets []*result.Sheet
	if len(r.On) > 0 {
		sheets = r.Sheets()
	}
	if len(r.On) > 1 { // the other tables are about the first suite alone
		names := []string{rank.Ranks.Name, rank.Scores.Name, rank.Qualities.Name, rank.LeftOuts.Name}
		sheets = slices.DeleteFunc(sheets, func(s *result.Sheet) bool { return !slices.Contains(names, s.Name) })
	}
	return e.method("Rankings", Ranking, len(rank.RankedOf(r.On...)),
		texts(r.LeftOut, func(l rank.LeftOut) string { return l.Reason.Text }), sheets...), nil
}

// ranked are the suites with predictions, by their hashes, and, where all is exported, the tables
// of predictions that are about no suite.
func (e *exporting) ranked() ([]string, error) {
	of := e.scope
	tables, err := e.ws.PredictionTables()
	if err != nil {
		return nil, err
	}
	in, alone := map[string]bool{}, []string{}
	for _, t := range tables {
		if t.Suite != "" {
			in[t.Suite] = true
		} else if of.models == nil {
			alone = append(alone, t.ID)
		}
	}
	if err := lookup.EachSet(e.ws, "", func(info store.SetInfo) { in[info.Spec.Source] = true }); err != nil {
		return nil, err
	}
	ids, err := lookup.InOrder(e.ws, in)
	ids = slices.DeleteFunc(ids, func(id string) bool { return of.suites != nil && !slices.Contains(of.suites, id) })
	return append(ids, alone...), err
}

// rankingsOn ranks the models on a suite or table by the rankers that need no labels: the others
// take long, and draw. A suite that cannot be ranked is left out with the reason, and On is empty.
func (e *exporting) rankingsOn(ctx context.Context, id string) (r rank.Rankings, err error) {
	names, err := predictions.NamesOf(e.ws, id)
	if err != nil {
		return r, err
	}
	on := &rank.OnSuite{Suite: names.Source}
	if m, err := e.ws.Suite(id); err == nil {
		on = predictions.OnSuite(m)
	} else if !errors.Is(err, store.ErrNotFound) { // a table is none
		return r, err
	}
	ask := predictions.Ask{Suite: id, Models: slices.Clone(e.scope.models), Given: true}
	ask.Models = slices.DeleteFunc(ask.Models, func(hash string) bool { return e.set.IDs[hash] == "" })
	if list := e.scope.families; len(list) > 0 {
		ask.Family = list[0]
	}
	r.SampleNames, r.ClassNames = names.Samples, names.Classes
	r.Data, r.LeftOut, err = predictions.Gather(ctx, e.ws, ask, e.progress)
	reason, err := lookup.Reason(err)
	if err != nil {
		return r, err
	}
	if reason.None() {
		if err := r.Data.Check(); err != nil {
			reason = rank.Why(err)
		}
	}
	if !reason.None() {
		r.LeftOut = slices.DeleteFunc(r.LeftOut, func(l rank.LeftOut) bool { return l.Reason.Code == signal.NoSignals })
		r.LeftOut = append(r.LeftOut, rank.LeftOut{Suite: on.Suite, SuiteHash: on.SuiteHash, Reason: reason})
		return r, nil
	}
	var o rank.Options
	option.SetDefaults(&o)
	o.Methods = slices.DeleteFunc(rank.Usual(), func(m rank.Method) bool { return m.Sampled() || !r.Data.Allows(m) })
	on.Leaderboard, err = rank.MakeLeaderboard(ctx, r.Data, o, e.progress)
	r.On = []*rank.OnSuite{on}
	return r, err
}
