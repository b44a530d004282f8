package app

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/sbinet/npyio/npz"
	"gonum.org/v1/gonum/mat"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/scatter"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/store/durable"
)

// write makes the files of background matrix in the folder that --out names.
func (w *fieldWork) write() error {
	c := w.command
	if err := durable.WriteFile(filepath.Join(c.Out, "matrices.npz"), w.npz); err != nil {
		return err
	}
	for _, t := range []sheet{w.report.outcomeSheet(), w.report.fieldSheet()} {
		if err := t.save(c.Out); err != nil {
			return err
		}
	}
	if len(w.report.Runs) > 0 {
		if err := w.report.runSheet().save(c.Out); err != nil {
			return err
		}
		if err := w.runPictures(); err != nil {
			return err
		}
	}
	for k := range w.report.Models {
		t, err := w.signalSheet(k)
		if err != nil {
			return err
		}
		if err := t.save(c.Out); err != nil {
			return err
		}
		if err := w.pictures(k); err != nil {
			return err
		}
	}
	err := durable.WriteFile(filepath.Join(c.Out, "background.json"), func(out io.Writer) error { return writeJSON(out, w.report) })
	if err == nil {
		w.s.say("%d models in %s", len(w.report.Models), c.Out)
	}
	return err
}

// stem tells the files of several selections apart.
func (w *fieldWork) stem(one sceneModel) string {
	if len(w.selections) > 1 {
		return fileName(one.Model + "_" + one.Selection)
	}
	return fileName(one.Model)
}

// npz holds ID/max@CONF.I1 for every matrix, ID_SELECTION/... where there are several selections: float64, row b is y from small, column
// a is x. D is the end of both axes.
func (w *fieldWork) npz(out io.Writer) error {
	archive := npz.NewWriter(out)
	for _, one := range w.report.Models {
		for _, measure := range one.Measures {
			for _, f := range measure.Matrices {
				name := fmt.Sprintf("%s/%s.%s.npy", one.stem, measure.Measure, f.Name)
				if err := archive.Write(name, mat.NewDense(f.matrix.R, f.matrix.R, f.matrix.Values)); err != nil {
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

// outcomeSheet has a row per model and selection.
func (r sceneMatrices) outcomeSheet() sheet {
	head := []string{"model_id", "model_hash", "selection", "targets", "accuracy", "mean_composite_accuracy", "worst_case_accuracy", "changed_share", "neuron_coverage"}
	return sheet{"outcome.csv", head, func(row func(...string) error) error {
		for _, one := range r.Models {
			o := one.Outcome
			err := row(comma.Guard(one.Model), one.Hash, comma.Guard(one.Selection), strconv.Itoa(o.Targets),
				digits(o.Accuracy), digits(o.Composite), digits(o.WorstCase), digits(o.Changed), digits(one.covered()))
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// fieldSheet has a row per matrix.
func (r sceneMatrices) fieldSheet() sheet {
	return sheet{"matrices.csv", scenes.FieldHead(), func(row func(...string) error) error {
		for _, one := range r.Models {
			for _, measure := range one.Measures {
				for _, f := range measure.Matrices {
					if err := row(f.row.Cells()...); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}}
}

// runSheet has a row per model, measure, interpolant and way of choosing.
func (r sceneMatrices) runSheet() sheet {
	head := []string{"model_id", "measure", "interpolant", "scenes_by", "selections", "pairs", "mean_difference"}
	return sheet{"runs.csv", head, func(row func(...string) error) error {
		for _, one := range r.Runs {
			err := row(comma.Guard(one.Model), one.Measure, one.Interpolant, one.How, strconv.Itoa(len(one.Selections)), strconv.Itoa(one.Pairs),
				digits(&one.Mean))
			if err != nil {
				return err
			}
		}
		return nil
	}}
}

// signalSheet has a row per target and image (0 is the target itself): its distance and the signals, scaled, that the clouds are made of.
func (w *fieldWork) signalSheet(k int) (sheet, error) {
	one, e := w.report.Models[k], w.evidence[k]
	selection := e.Selection.Selection
	targets, err := w.ws.Suite(selection.Targets)
	if err != nil {
		return sheet{}, err
	}
	backgrounds, err := w.ws.Suite(selection.Backgrounds)
	if err != nil {
		return sheet{}, err
	}
	head := append([]string{"target", "image", "background", "distance"}, measureNames(w.measures)...)
	return sheet{"signals_" + one.stem + ".csv", head, func(row func(...string) error) error {
		for t, chosen := range selection.Chosen {
			for j := range len(chosen) + 1 {
				distance, background := 0.0, ""
				if j > 0 {
					distance, background = chosen[j-1].Distance, backgrounds.ImageName(chosen[j-1].Background)
				}
				cells := []string{comma.Guard(targets.ImageName(t)), strconv.Itoa(j), comma.Guard(background), digits(&distance)}
				for _, m := range w.measures {
					cell := ""
					if cloud, there := e.Clouds[m]; there {
						cell = digits(&cloud.Signals[t][j])
					}
					cells = append(cells, cell)
				}
				if err := row(cells...); err != nil {
					return err
				}
			}
		}
		return nil
	}}, nil
}

// pictures draw a model's scatter plots and matrices: a row per measure, the points first, then the interpolants.
func (w *fieldWork) pictures(k int) error {
	one := w.report.Models[k]
	rows := make([][]render.Field, len(one.Measures))
	for r, measure := range one.Measures {
		field := render.Field{Absent: measure.Absent, D: w.far, Caption: measure.Measure, Scale: render.FieldScale(w.command.High, nil)}
		dots := field
		dots.Title = "points"
		if cloud, there := w.evidence[k].Clouds[scenes.Measure(measure.Measure)]; there {
			cloud.D = w.far
			if w.command.Share < 1 {
				cloud = cloud.Of(w.draw(cloud))
			}
			dots.Matrix = scatter.Dots(cloud, dotsSide)
		}
		rows[r] = []render.Field{dots}
		for _, f := range measure.Matrices {
			shown := field
			shown.Title, shown.Matrix = f.Name, f.matrix
			rows[r] = append(rows[r], shown)
		}
	}
	title := fmt.Sprintf("%s in the scenes of %s", one.Model, one.Selection)
	for _, format := range w.command.Format {
		path := filepath.Join(w.command.Out, one.stem+"."+format)
		if err := durable.WriteFile(path, func(out io.Writer) error { return render.Fields(out, format, rows, title) }); err != nil {
			return err
		}
	}
	return nil
}

// dotsSide is the side of a scatter picture in points of one pixel.
const dotsSide = 256
