package app

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/store/durable"
)

// runPictures draw how far repeated runs lie apart (spec section 12, B4).
func (w *fieldWork) runPictures() error {
	figure := w.report.runBars()
	for _, format := range w.command.Format {
		path := filepath.Join(w.command.Out, "runs."+format)
		if err := durable.WriteFile(path, func(out io.Writer) error { return figure.Write(out, format) }); err != nil {
			return err
		}
	}
	return nil
}

// runBars have a bar per measure, interpolant and way of choosing: the mean over the models, and their standard deviation as a whisker.
func (r sceneMatrices) runBars() render.Bars {
	type kind struct{ measure, interpolant, how string }
	values := map[kind][]float64{}
	var order []kind
	var ways []string
	for _, one := range r.Runs {
		k := kind{one.Measure, one.Interpolant, one.How}
		if values[k] == nil {
			order = append(order, k)
		}
		if !slices.Contains(ways, one.How) {
			ways = append(ways, one.How)
		}
		values[k] = append(values[k], one.Mean)
	}
	place := func(k kind) (at int) {
		return slices.IndexFunc(order, func(o kind) bool { return o.measure == k.measure && o.interpolant == k.interpolant })
	}
	sorted := slices.Clone(order)
	slices.SortStableFunc(sorted, func(a, b kind) int { return place(a) - place(b) })
	figure := render.Bars{
		Title: "Matrices of runs with different seeds", XName: "root mean square difference, mean of the pairs",
		Note: "mean over the models, with their standard deviation",
	}
	for _, k := range sorted {
		mean, sd := stat.PopMeanStdDev(values[k], nil)
		figure.Bars = append(figure.Bars, render.Bar{
			Name: fmt.Sprintf("%s.%s, %s", k.measure, k.interpolant, k.how), To: mean, Spread: sd, Text: decimals4(mean),
			Tone: render.Tone(slices.Index(ways, k.how) % runTones),
		})
	}
	return figure
}

// runTones are the colours that tell ways of choosing apart.
const runTones = 3
