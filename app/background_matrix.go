package app

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

type backgroundMatrixCommand struct {
	Workspace string   `arg:"" help:"Workspace folder."`
	Models    []string `arg:"" optional:"" name:"model" help:"Models by id (default: all with signals)." placeholder:"ID"`
	background.MatrixOptions
	Format []string `help:"Pictures to write: png, svg, pdf." default:"png" enum:"png,svg,pdf"`
	Out    string   `help:"Folder for matrices.npz, pictures, signals and tables." type:"path"`
	spreadsheetFlag
}

func (c *backgroundMatrixCommand) Run(s *session) error {
	if err := needFolder(c.Out); err != nil {
		return err
	}
	ws, err := s.read(c.Workspace)
	if err != nil {
		return err
	}
	w := &matrixWork{backgroundMatrixCommand: c, s: s, ws: ws, interpolants: c.Interpolants(), stems: map[string]bool{}}
	for _, m := range c.Measures() {
		w.measures = append(w.measures, scenes.Measure(m))
	}
	if err := w.find(); err != nil {
		return err
	}
	if err := w.measure(); err != nil {
		return err
	}
	doc := w.document()
	if c.Out != "" {
		if err := w.write(); err != nil {
			return err
		}
		s.say("%d models in %s", len(w.models), c.Out)
	}
	return s.give(answer{
		Document: doc, name: "background", folder: c.Out, forSpreadsheets: c.ForSpreadsheets, tables: doc.Sheets[:len(doc.Sheets)-2], lines: w.remarks(),
	})
}

// matrixWork is one call of background matrix.
type matrixWork struct {
	*backgroundMatrixCommand
	s            *session
	ws           *store.Workspace
	measures     []scenes.Measure
	interpolants []scatter.Interpolant
	asked        []model.Model
	selections   []store.SelectionRecord
	far          float64 // where the axes of all selections end
	models       []inSelection
	runs         []background.Repeats
	left         []background.LeftOut
	stems        map[string]bool // of the names of files, in small letters
}

// inSelection is one model in the scenes of one selection.
type inSelection struct {
	background.InScenes
	evidence  scenes.Evidence // for files; it is large
	selection int             // place among the work's selections
	stem      string          // of the names of its files
	matrices  map[scenes.Measure][]background.Interpolated
}

// find finds selections and models.
func (w *matrixWork) find() error {
	for _, name := range w.Selection {
		record, err := findSelection(w.ws, name)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(w.selections, func(other store.SelectionRecord) bool { return other.Hash == record.Hash }) {
			w.selections = append(w.selections, record)
			w.far = max(w.far, record.Selection.Far())
		}
	}
	var err error
	w.asked, err = modelsOf(w.ws, w.Models)
	return err
}

// measure reads signals and interpolates, model by model, and compares repeated runs.
func (w *matrixWork) measure() error {
	err := withBar(w.s, "matrices", func(p engine.Progress) error {
		p.SetTotal(int64(len(w.asked) * len(w.selections)))
		for k := range w.selections {
			for _, m := range w.asked {
				if err := w.measureOne(m, k); err != nil {
					return err
				}
				p.Add(1)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(w.models) == 0 {
		left := w.left[0]
		return fmt.Errorf("no model of %s can be measured in the scenes of %s: %s", w.ws.Path(), left.Selection, left.Reason)
	}
	for _, m := range w.asked {
		for _, measure := range w.measures {
			w.runs = append(w.runs, w.compare(m, measure)...)
		}
	}
	return nil
}

// measureOne reads and interpolates a model in the scenes of the k-th selection.
func (w *matrixWork) measureOne(m model.Model, k int) error {
	selection := w.selections[k]
	e, reason, err := scenes.Read(w.s.ctx, w.ws, m, selection.Hash)
	if err != nil {
		return fmt.Errorf("model %s in the scenes of %s: %w", m.ID, selection.Name, err)
	}
	left := background.LeftOut{Model: m.ID, Hash: m.Hash, Selection: selection.Name, Reason: reason}
	if reason != "" {
		w.left = append(w.left, left)
		return nil
	}
	one := inSelection{InScenes: e.InScenes(), selection: k, matrices: map[scenes.Measure][]background.Interpolated{}}
	if w.Out != "" {
		one.evidence = e
	}
	for _, measure := range w.measures {
		if _, there := e.Clouds[measure]; !there {
			left.Measure, left.Reason = string(measure), e.Absent[measure]
			w.left = append(w.left, left)
			continue
		}
		if one.matrices[measure], err = w.interpolate(e, measure); err != nil {
			return fmt.Errorf("model %s, %s in the scenes of %s: %w", m.ID, measure, selection.Name, err)
		}
	}
	if w.Coverage {
		rt, err := w.s.runtime()
		if err != nil {
			return err
		}
		c, reason, err := scenes.Cover(w.s.ctx, w.ws, rt, m, selection.Hash, 0, engine.NoProgress{})
		if err != nil {
			return err
		}
		if one.Neurons, one.Coverage = c.Neurons, c.Share; reason != "" {
			one.Flags = append(one.Flags, "no coverage: "+reason)
		}
	}
	one.stem = m.ID
	if len(w.selections) > 1 {
		one.stem += "_" + selection.Name
	}
	one.stem = durable.Unused(w.stems, durable.FileName(one.stem))
	w.models = append(w.models, one)
	return nil
}

// interpolate makes the matrices of a measure: of all targets as the workspace keeps them, else of
// a share of them, or with the common axes of several selections.
func (w *matrixWork) interpolate(e scenes.Evidence, measure scenes.Measure) (list []background.Interpolated, err error) {
	cloud := e.Clouds[measure]
	cloud.D = w.far
	var matrices []scatter.Matrix
	if len(w.selections) == 1 {
		matrices, err = scenes.Matrices(w.s.ctx, w.ws, e, measure, w.Raster, w.interpolants)
	} else {
		matrices, err = scatter.Interpolate(w.s.ctx, cloud, w.Raster, w.interpolants)
	}
	var effects [][]scatter.ShareEffect
	if err == nil && w.Share < 1 {
		sampling := scatter.Sampling{Shares: []float64{w.Share}, Draws: w.Draws, Seed: w.Seed, Whole: matrices}
		effects, err = scatter.ByShare(w.s.ctx, cloud, w.Raster, w.interpolants, sampling, nil)
	}
	if err != nil {
		return nil, err
	}
	cloud = w.sample(cloud)
	for k, by := range w.interpolants {
		m := matrices[k]
		if effects != nil {
			m = effects[k][0].Example
		}
		f := e.Interpolated(measure, cloud, by, m)
		if effects != nil {
			f.Apart, f.ApartSD = effects[k][0].Mean, effects[k][0].Std
		}
		list = append(list, f)
	}
	return list, nil
}

// sample is the cloud of the share of the targets that is shown.
func (w *matrixWork) sample(cloud scatter.Cloud) scatter.Cloud {
	if w.Share == 1 {
		return cloud
	}
	return cloud.Of(scatter.Draw(len(cloud.Signals), w.Share, w.Seed, 0))
}

// compare sets the matrices of a model in selections against each other whose settings differ by
// the seed alone (spec section 12, B4).
func (w *matrixWork) compare(m model.Model, measure scenes.Measure) []background.Repeats {
	chosen, names := make([]background.Selection, len(w.selections)), make([]string, len(w.selections))
	for k, record := range w.selections {
		chosen[k], names[k] = record.Selection, record.Name
	}
	matrices := make([][]scatter.Matrix, len(w.selections))
	for _, one := range w.models {
		for _, f := range one.matrices[measure] {
			if one.Model.Hash == m.Hash {
				matrices[one.selection] = append(matrices[one.selection], f.Matrix)
			}
		}
	}
	of := background.Repeats{Model: m.ID, Hash: m.Hash, Measure: string(measure)}
	return background.Compare(of, background.Ways(chosen), names, w.interpolants, matrices)
}

// document is what was found as tables.
func (w *matrixWork) document() result.Document {
	var selections []background.Named
	for _, r := range w.selections {
		selections = append(selections, background.Named{Name: r.Name, Hash: r.Hash, Selection: r.Selection})
	}
	var outcomes []background.InScenes
	var matrices []background.Interpolated
	for _, one := range w.models {
		outcomes = append(outcomes, one.InScenes)
		for _, measure := range w.measures {
			matrices = append(matrices, one.matrices[measure]...)
		}
	}
	doc := w.s.document("background_matrix", &w.MatrixOptions, background.Outcomes.Sheet(outcomes), background.Matrices.Sheet(matrices))
	if len(w.runs) > 0 {
		doc.Sheets = append(doc.Sheets, background.Runs.Sheet(w.runs))
	}
	doc.Sheets = append(doc.Sheets, background.Selections.Sheet(selections), background.LeftOuts.Sheet(w.left))
	return doc
}

// remarks say what is absent, flagged or left out.
func (w *matrixWork) remarks() (lines []string) {
	for _, one := range w.models {
		for _, measure := range w.measures {
			for _, f := range one.matrices[measure] {
				if f.Undefined > 0 {
					lines = append(lines, fmt.Sprintf("%s, %s, %s: %d elements have no value and the matrix no features",
						f.Model, f.Measure, f.Name, f.Undefined))
				}
			}
		}
		if len(one.Flags) > 0 {
			lines = append(lines, one.Model.ID+": "+strings.Join(one.Flags, ", "))
		}
	}
	if lines = append(lines, background.Lacking(w.left)...); len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// write makes the files besides the tables in the folder that --out names.
func (w *matrixWork) write() error {
	if err := durable.WriteFile(filepath.Join(w.Out, "matrices.npz"), w.npz); err != nil {
		return err
	}
	if len(w.runs) > 0 {
		if _, err := writeDrawing(w.Out, "runs", w.Format, runBars(w.runs).Write); err != nil {
			return err
		}
	}
	for _, one := range w.models {
		if err := w.writeSignals(one); err != nil {
			return err
		}
		title, fields := fmt.Sprintf("%s in the scenes of %s", one.Model.ID, one.Selection), w.fields(one)
		_, err := writeDrawing(w.Out, one.stem, w.Format, func(out io.Writer, format string) error { return render.Fields(out, format, fields, title) })
		if err != nil {
			return err
		}
	}
	return nil
}

// npz holds ID/max@CONF.I1 for every matrix, ID_SELECTION/... where there are several selections:
// float64, row b is y from small, column a is x. D is the end of both axes.
func (w *matrixWork) npz(out io.Writer) error {
	archive := npz.NewWriter(out)
	for _, one := range w.models {
		for _, measure := range w.measures {
			for _, f := range one.matrices[measure] {
				name := fmt.Sprintf("%s/%s.%s.npy", one.stem, measure, f.Name)
				if err := archive.Write(name, mat.NewDense(f.Matrix.R, f.Matrix.R, f.Matrix.Values)); err != nil {
					return err
				}
			}
		}
	}
	if err := archive.Write("D.npy", []float64{w.far}); err != nil {
		return err
	}
	return archive.Close()
}

// writeSignals writes a row per target and image: its distance and the signals that clouds are made
// of.
func (w *matrixWork) writeSignals(one inSelection) error {
	selection := w.selections[one.selection].Selection
	targets, err := w.ws.Suite(selection.Targets)
	if err != nil {
		return err
	}
	backgrounds, err := w.ws.Suite(selection.Backgrounds)
	if err != nil {
		return err
	}
	table := background.Signals(one.stem, w.Measures())
	return durable.WriteFile(filepath.Join(w.Out, table.Name+".csv"), func(out io.Writer) error {
		rows := table.Stream(out, w.ForSpreadsheets)
		for t, chosen := range selection.Chosen {
			for j := range len(chosen) + 1 {
				row := background.ImageSignals{Target: targets.ImageName(t), Image: j}
				if j > 0 {
					row.Distance, row.Background = chosen[j-1].Distance, backgrounds.ImageName(chosen[j-1].Background)
				}
				for _, m := range w.measures {
					row.Values = append(row.Values, one.evidence.Signal(m, t, j))
				}
				rows.Write(row)
			}
		}
		return rows.Close()
	})
}

// fields are a model's scatter plots and matrices: a row per measure, the points first, then the
// interpolants.
func (w *matrixWork) fields(one inSelection) (rows [][]render.Field) {
	for _, measure := range w.measures {
		field := render.Field{
			Absent: one.evidence.Absent[measure], D: w.far, Caption: string(measure), Scale: render.FieldScale(w.High, nil), Title: "points",
		}
		if cloud, there := one.evidence.Clouds[measure]; there {
			cloud.D = w.far
			field.Matrix = scatter.Dots(w.sample(cloud), dotsSide)
		}
		row := []render.Field{field}
		for _, f := range one.matrices[measure] {
			field.Title, field.Matrix = f.Name, f.Matrix
			row = append(row, field)
		}
		rows = append(rows, row)
	}
	return rows
}

// dotsSide is the side of a scatter picture in points of one pixel.
const dotsSide = 256

// runTones are the colours that tell ways of choosing apart.
const runTones = 3

// runBars have a bar per measure, interpolant and way of choosing: the mean over the models, and
// their standard deviation as a whisker.
func runBars(runs []background.Repeats) render.Bars {
	figure := render.Bars{
		Title: "Matrices of runs with different seeds", XName: "root mean square difference, mean of the pairs",
		Note: "mean over the models, with their standard deviation",
	}
	distinct := func(of func(background.Repeats) string) (list []string) {
		for _, r := range runs {
			if text := of(r); !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
		return list
	}
	ways := distinct(func(r background.Repeats) string { return r.Way })
	matrix := func(r background.Repeats) string { return r.Measure + "." + r.Interpolant.Name() }
	for _, name := range distinct(matrix) {
		for k, way := range ways {
			var values []float64
			for _, r := range runs {
				if matrix(r) == name && r.Way == way {
					values = append(values, r.Mean)
				}
			}
			if len(values) > 0 {
				mean, sd := stat.PopMeanStdDev(values, nil)
				figure.Bars = append(figure.Bars, render.Bar{
					Name: name + ", " + way, To: mean, Spread: sd, Text: result.Number.Say(mean, 4),
					Tone: render.Tone(k % runTones),
				})
			}
		}
	}
	return figure
}
