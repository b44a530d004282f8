package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/store/predictions"
	"github.com/variscope/variscope/store/study"
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

// put writes the tables of a method that has any rows into its folder, and notes for the card how
// many these are and why others are left out.
func (e *exporting) put(
	ctx context.Context, method string, in Part, rows int, reasons []string, sheets ...*result.Sheet,
) error {
	line := fmt.Sprintf("%s: %s, in `%s/`", method, result.Counted(rows, "row"), in)
	if rows == 0 {
		line, sheets = method+": nothing", nil
	}
	if len(reasons) > 0 {
		distinct := slices.Compact(slices.Sorted(slices.Values(reasons)))
		line += fmt.Sprintf("; %d left out: %s", len(reasons), result.EscapeMarkdown(result.Some(distinct)))
	}
	e.methods = append(e.methods, line)
	var files []file
	for _, sheet := range sheets {
		files = append(files, e.csv(path.Join(string(in), sheet.Name), sheet))
	}
	return e.write(ctx, files...)
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
func (e *exporting) invariance(ctx context.Context) error {
	ask := study.Ask{Models: e.scope.models, Suites: e.scope.suites, Families: e.scope.families}
	rows, left, err := study.Measure(ctx, e.ws, ask, e.progress)
	if err != nil {
		return err
	}
	left = slices.DeleteFunc(left, func(l invariance.LeftOut) bool { return l.Reason.Code == signal.NoSignals })
	return e.put(ctx, "Effective invariance", Invariance, len(rows),
		texts(left, func(l invariance.LeftOut) string { return l.Reason.Text }),
		invariance.Results.Sheet(rows), invariance.Transformations.Sheet(invariance.Steps(rows, false)),
		invariance.LeftOuts.Sheet(left))
}

// dScores writes D-Scores of all grids with signals, and their regions.
func (e *exporting) dScores(ctx context.Context) error {
	ask := diagnosis.Ask{Models: e.scope.models, Suites: e.scope.suites}
	rows, left, err := diagnosis.Diagnose(ctx, e.ws, ask, e.progress)
	if err != nil {
		return err
	}
	return e.put(ctx, "D-Scores", DScore, len(rows),
		texts(left, func(l dscore.LeftOut) string { return l.Reason.Text }),
		dscore.Scores.Sheet(rows), dscore.Regions.Sheet(dscore.RegionsOf(rows)), dscore.LeftOuts.Sheet(left))
}

// ranking writes the rankings on every suite and table with predictions of enough models.
func (e *exporting) ranking(ctx context.Context) error {
	ids, err := e.ranked()
	if err != nil {
		return err
	}
	var r rank.Rankings
	for _, id := range ids {
		one, err := e.rankingsOn(ctx, id)
		if err != nil {
			return err
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
	return e.put(ctx, "Rankings", Ranking, len(rank.RankedOf(r.On...)),
		texts(r.LeftOut, func(l rank.LeftOut) string { return l.Reason.Text }), sheets...)
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
	on.Board, err = rank.MakeBoard(ctx, r.Data, o, e.progress)
	r.On = []*rank.OnSuite{on}
	return r, err
}

// inScenes collects what models did in the scenes of selections.
type inScenes struct {
	selections []background.Named
	outcomes   []background.InScenes
	matrices   []background.Interpolated // without their elements
	left       []background.LeftOut
}

// scenes writes what models did in the scenes of the selections that some of them have signals in,
// and their interpolated matrices.
func (e *exporting) scenes(ctx context.Context) error {
	models, err := lookup.Models(e.ws, e.scope.models)
	if err != nil {
		return err
	}
	selections, err := e.selections()
	if err != nil {
		return err
	}
	var s inScenes
	e.progress.SetTotal(int64(len(selections) * len(models)))
	arrays := file{
		path: "background/matrices.npz", holds: "interpolated matrices as ID/SELECTION/MEASURE.INTERPOLANT",
		fill: func(w io.Writer) error {
			archive := npz.NewWriter(w)
			for _, record := range selections {
				named := background.Named{Name: record.Name, Hash: record.Hash, Selection: record.Selection}
				s.selections = append(s.selections, named)
				for _, m := range models {
					if err := e.modelInScenes(ctx, &s, archive, m, record); err != nil {
						return fmt.Errorf("model %s in the scenes of %s: %w", m.ID, record.Name, err)
					}
					e.progress.Add(1)
				}
			}
			return archive.Close()
		},
	}
	if len(selections) > 0 {
		if err := e.write(ctx, arrays); err != nil {
			return err
		}
	}
	return e.put(ctx, "Models in scenes", Background, len(s.outcomes),
		texts(s.left, func(l background.LeftOut) string { return l.Reason }),
		background.Outcomes.Sheet(s.outcomes), background.Matrices.Sheet(s.matrices),
		background.Selections.Sheet(s.selections), background.LeftOuts.Sheet(s.left))
}

// selections are those that some model has signals in.
func (e *exporting) selections() (list []store.SelectionRecord, err error) {
	all, err := e.ws.Selections()
	if err != nil {
		return nil, err
	}
	of := e.scope
	for _, r := range all {
		if of.selections != nil && !slices.Contains(of.selections, r.Hash) {
			continue
		}
		family, err := r.Family()
		if err != nil {
			return nil, err
		}
		ran := false
		err = lookup.EachSet(e.ws, r.Targets, func(info store.SetInfo) {
			chosen := of.models == nil || slices.Contains(of.models, info.Spec.Model)
			ran = ran || chosen && info.Spec.Family == family
		})
		if err == nil && ran {
			r, err = e.ws.Selection(r.Hash) // with its scenes
			list = append(list, r)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// modelInScenes reads one model's signals in the scenes of a selection and writes its matrices.
func (e *exporting) modelInScenes(
	ctx context.Context, s *inScenes, archive *npz.Writer, m model.Model, record store.SelectionRecord,
) error {
	left := background.LeftOut{Model: cmp.Or(m.ID, short(m.Hash)), Hash: m.Hash, Selection: record.Name}
	read, reason, err := scenes.Read(ctx, e.ws, m, record.Hash)
	if left.Reason = reason; err != nil {
		return err
	}
	if reason != "" {
		s.left = append(s.left, left)
		return nil
	}
	s.outcomes = append(s.outcomes, read.InScenes())
	for _, measure := range e.measures() {
		cloud, there := read.Clouds[measure]
		if left.Measure, left.Reason = string(measure), read.Absent[measure]; there {
			if err := cloud.Check(); err != nil {
				left.Reason, there = err.Error(), false
			}
		}
		if !there {
			s.left = append(s.left, left)
			continue
		}
		by := scatter.Interpolants()
		matrices, err := scenes.Matrices(ctx, e.ws, read, measure, scatter.DefaultRaster, by)
		if err != nil {
			return err
		}
		for k, matrix := range matrices {
			f := read.Interpolated(measure, cloud, by[k], matrix)
			name := fmt.Sprintf("%s/%s/%s.%s.npy", m.ID, record.Name, measure, f.Name)
			if err := archive.Write(name, mat.NewDense(matrix.R, matrix.R, matrix.Values)); err != nil {
				return err
			}
			f.Matrix = scatter.Matrix{}
			s.matrices = append(s.matrices, f)
		}
	}
	return nil
}

// measures are the usual ones, and those that the exported rounds show.
func (e *exporting) measures() []scenes.Measure {
	list := []scenes.Measure{scenes.ConfMax, scenes.HeadMax}
	for _, r := range e.set.Rounds {
		if r.Kind != label.BackgroundRound {
			continue
		}
		for _, text := range r.Modalities {
			if m, err := scenes.ParseMeasure(text); err == nil && !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}
