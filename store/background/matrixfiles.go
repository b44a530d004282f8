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

// Write makes files in a folder: all matrices as matrices.npz, the signals of each model as a
// table, and pictures in these formats. The evidence must have been kept.
func (f Measured) Write(folder string, formats []string, forSpreadsheets bool) error {
	stems := f.stems()
	archive := func(out io.Writer) error { return f.npz(out, stems) }
	if err := durable.WriteFile(filepath.Join(folder, "matrices.npz"), archive); err != nil {
		return err
	}
	draw := func(name string, write func(w io.Writer, format string) error) error {
		for _, format := range formats {
			fill := func(w io.Writer) error { return write(w, format) }
			if err := durable.WriteFile(filepath.Join(folder, name+"."+format), fill); err != nil {
				return err
			}
		}
		return nil
	}
	if len(f.Runs) > 0 {
		bars := func(out io.Writer, format string) error {
			return render.Draw(out, runBars(f.Runs), render.Part{}, format)
		}
		if err := draw("runs", bars); err != nil {
			return err
		}
	}
	for k, one := range f.Of {
		if err := f.writeSignals(folder, one, stems[k], forSpreadsheets); err != nil {
			return err
		}
		title, fields := fmt.Sprintf("%s in the scenes of %s", one.Model.ID, one.InScenes.Selection), f.fields(one)
		err := draw(stems[k], func(w io.Writer, format string) error { return render.WriteGrid(w, fields, title, format) })
		if err != nil {
			return err
		}
	}
	return nil
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

// fields are a model's scatter plots and matrices: a row per measure, the points first, then the
// interpolants.
func (f Measured) fields(one MeasuredModel) (rows [][]result.Figure) {
	for _, measure := range f.Measures {
		var row []result.Figure
		add := func(title string, m scatter.Matrix) {
			field := m.Figure(f.Far, render.FieldScale(f.Options.High, nil), string(measure))
			field.Title, field.Empty = title, one.Evidence.Absent[measure]
			row = append(row, field)
		}
		points := scatter.Matrix{}
		if cloud, there := one.Evidence.Clouds[measure]; there {
			cloud.D = f.Far
			points = scatter.Dots(f.sample(cloud), dotsSide)
		}
		add("points", points)
		for _, made := range one.Matrices[measure] {
			add(made.Name, made.Matrix)
		}
		rows = append(rows, row)
	}
	return rows
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
