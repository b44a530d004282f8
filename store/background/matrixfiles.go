package background

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/store/durable"
)

// Write makes files in a folder: all matrices as matrices.npz, and the signals of each model as a
// table. The evidence must have been kept.
func (f Measured) Write(folder string, forSpreadsheets bool) error {
	stems := f.stems()
	archive := func(out io.Writer) error { return f.npz(out, stems) }
	if err := durable.WriteFile(filepath.Join(folder, "matrices.npz"), archive); err != nil {
		return err
	}
	for k, one := range f.Of {
		if err := f.writeSignals(folder, one, stems[k], forSpreadsheets); err != nil {
			return err
		}
	}
	return nil
}

// Figures are accuracy over the distance of scenes, the distances of the selections, how far
// repeated runs lie apart, and of each model its points and matrices: by measure; by selection,
// where there are several (Figs. 12 and 15 of the background paper); and by share of the targets,
// where these were asked for (Fig. 13). The evidence must have been kept.
func (f Measured) Figures() []result.Drawn {
	var list []result.Drawn
	taken := map[string]bool{}
	add := func(name string, figure result.Figure) {
		if figure.Drawable() {
			list = append(list, result.Drawn{Name: durable.Unused(taken, durable.FileName(name)), Figure: figure})
		}
	}
	rows := f.OverDistance()
	for _, s := range f.Selections {
		name := "accuracy_over_distance"
		if len(f.Selections) > 1 {
			name += "_" + s.Name
		}
		own := slices.DeleteFunc(slices.Clone(rows),
			func(r background.ModelDistance) bool { return r.Selection != s.Name })
		draw := func(name, hash string) {
			add(name, background.AccuracyFigure("Accuracy over semantic distance, scenes of "+s.Name, "", own, hash))
		}
		draw(name, "")
		for _, one := range f.Of {
			if one.InScenes.Selection == s.Name && len(own) > len(one.Distance) { // there are other models
				draw(name+"_"+one.Model.ID, one.Model.Hash)
			}
		}
	}
	add("distances", SelectionDistances("Distances of scenes", f.Selections))
	add("runs", runBars(f.Runs))
	stems := f.stems()
	several := map[string]*result.Figure{} // by name
	var names []string
	for k, one := range f.Of {
		var rows [][]result.Figure
		for _, measure := range f.Measures {
			row := f.fields(one, measure)
			rows = append(rows, row)
			f.addShares(add, one, measure, stems[k])
			if len(f.Selections) == 1 {
				continue
			}
			name := "selections_" + one.Model.ID + "_" + string(measure)
			if several[name] == nil {
				names = append(names, name)
				several[name] = &result.Figure{
					Title: fmt.Sprintf("%s, %s, by selection of scenes", one.Model.ID, measure), Note: axesNote,
					X: f.columns(),
				}
			}
			s := several[name]
			s.Y.Names, s.Grid = append(s.Y.Names, one.InScenes.Selection), append(s.Grid, row)
		}
		add(stems[k], result.Figure{
			Title: fmt.Sprintf("%s in the scenes of %s", one.Model.ID, one.InScenes.Selection), Grid: rows,
		})
	}
	for _, name := range names {
		add(name, *several[name])
	}
	return list
}

// axesNote says what the axes of a scatter plot and its matrices are.
const axesNote = "semantic distances of two images from their target: image i to the right, image j upwards"

// columns are the names of points and interpolants.
func (f Measured) columns() result.Axis {
	axis := result.Axis{Names: []string{"points"}}
	for _, by := range f.Options.Interpolants() {
		axis.Names = append(axis.Names, by.Name())
	}
	return axis
}

// addShares adds the points and matrices of a model by share of the targets, and how far these
// matrices lie from those of all.
func (f Measured) addShares(add func(string, result.Figure), one MeasuredModel, measure Measure, stem string) {
	effects := one.Shares[measure]
	if effects == nil {
		return
	}
	figure := result.Figure{
		Title: fmt.Sprintf("%s, %s, by share of the targets", one.Model.ID, measure), Note: axesNote, X: f.columns(),
	}
	cloud := one.Evidence.Clouds[measure]
	cloud.D = f.Far
	for k, effect := range effects[0] {
		targets := scatter.Draw(len(cloud.Signals), effect.Share, f.Options.Seed, 0)
		row := []result.Figure{f.field("points", scatter.Dots(cloud.Of(targets), dotsSide), measure, "")}
		for i, by := range f.Options.Interpolants() {
			row = append(row, f.field(by.Name(), effects[i][k].Example, measure, ""))
		}
		figure.Y.Names = append(figure.Y.Names, fmt.Sprintf("%s (%s)", result.Share.Say(effect.Share, 0),
			result.Whole(len(targets))))
		figure.Grid = append(figure.Grid, row)
	}
	add(fmt.Sprintf("shares_%s_%s", stem, measure), figure)
	add(fmt.Sprintf("share_distances_%s_%s", stem, measure), background.ShareFigure(
		fmt.Sprintf("Share of the targets, %s of %s", measure, one.Model.ID), f.Options.Interpolants(), effects))
}

// stems begin the names of the models' files: the model, with the selection where there are
// several.
func (f Measured) stems() []string {
	taken := map[string]bool{}
	list := make([]string, len(f.Of))
	for k, one := range f.Of {
		name := one.Model.ID
		if len(f.Selections) > 1 {
			name += "_" + one.InScenes.Selection
		}
		list[k] = durable.Unused(taken, durable.FileName(name))
	}
	return list
}

// npz holds ID/max@CONF.I1 for every matrix, ID_SELECTION/... where there are several selections:
// float64, row b is y from small, column a is x. D is the end of both axes.
func (f Measured) npz(out io.Writer, stems []string) error {
	archive := npz.NewWriter(out)
	for k, one := range f.Of {
		for _, measure := range f.Measures {
			for _, made := range one.Matrices[measure] {
				name := fmt.Sprintf("%s/%s.%s.npy", stems[k], measure, made.Name)
				r := made.Matrix.R
				if err := archive.Write(name, mat.NewDense(r, r, made.Matrix.Values)); err != nil {
					return err
				}
			}
		}
	}
	if err := archive.Write("D.npy", []float64{f.Far}); err != nil {
		return err
	}
	return archive.Close()
}

// writeSignals writes a row per target and image: its distance and the signals that clouds are
// made of.
func (f Measured) writeSignals(folder string, one MeasuredModel, stem string, forSpreadsheets bool) error {
	selection := f.Selections[one.Selection].Selection
	targets, err := f.Workspace.Suite(selection.Targets)
	if err != nil {
		return err
	}
	backgrounds, err := f.Workspace.Suite(selection.Backgrounds)
	if err != nil {
		return err
	}
	table := background.Signals(stem, f.Options.Measures())
	return durable.WriteFile(filepath.Join(folder, table.Name+".csv"), func(out io.Writer) error {
		rows := table.Stream(out, forSpreadsheets)
		for t, chosen := range selection.Chosen {
			for j := range len(chosen) + 1 {
				row := background.ImageSignals{Target: targets.ImageName(t), Image: j}
				if j > 0 {
					row.Distance, row.Background = chosen[j-1].Distance, backgrounds.ImageName(chosen[j-1].Background)
				}
				for _, m := range f.Measures {
					row.Values = append(row.Values, one.Evidence.Signal(m, t, j))
				}
				rows.Write(row)
			}
		}
		return rows.Close()
	})
}

// dotsSide is the side of a scatter picture in points of one pixel.
const dotsSide = 256

// fields are the points and matrices of a model and measure, beside each other.
func (f Measured) fields(one MeasuredModel, measure Measure) []result.Figure {
	points := scatter.Matrix{}
	if cloud, there := one.Evidence.Clouds[measure]; there {
		cloud.D = f.Far
		points = scatter.Dots(f.sample(cloud), dotsSide)
	}
	absent := one.Evidence.Absent[measure]
	row := []result.Figure{f.field("points", points, measure, absent)}
	for _, made := range one.Matrices[measure] {
		row = append(row, f.field(made.Name, made.Matrix, measure, absent))
	}
	return row
}

// field is a picture of points, or a matrix; absent says why there is none.
func (f Measured) field(title string, m scatter.Matrix, measure Measure, absent string) result.Figure {
	field := m.Figure(f.Far, render.FieldScale(f.Options.High, nil), string(measure))
	field.Title, field.Empty = title, absent
	return field
}

// runBars have a bar per measure, interpolant and way of choosing: the mean over the models, and
// their standard deviation as a whisker.
func runBars(runs []background.Repeats) result.Figure {
	figure := result.Figure{
		Title: "Matrices of runs with different seeds", Note: "mean over the models, with their standard deviation",
		X: result.Axis{Name: "root mean square difference, mean of the pairs", Format: result.Number},
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
	for k, way := range ways {
		figure.Groups = append(figure.Groups, result.Group{Name: way, Look: result.Category(k)})
	}
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
				bar := figure.AddBar(name+", "+way, result.Number.Say(mean, 4), "", 0, mean, k)
				bar.Low, bar.High = mean-sd, mean+sd
			}
		}
	}
	return figure
}
