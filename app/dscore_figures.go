package app

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/durable"
)

// averaged is how many images of a suite the average below the maps is made of.
const averaged = 2000

// draw writes the maps of every score over the average image, each as svg and png: features.svg
// where there is one score, else features_MODEL_nN_tT.svg.
func (w *dscoreWork) draw(rows []dscore.Diagnosis, stems []string) error {
	average := map[string]suite.Image{}
	return withBar(w.s, "pictures", func(p engine.Progress) error {
		p.SetTotal(int64(len(rows)))
		for k, one := range rows {
			image, there := average[one.Suite]
			if !there {
				image = w.average(one.Suite)
				average[one.Suite] = image
			}
			for _, f := range figuresOf(one, image, stems[k]) {
				if err := w.s.ctx.Err(); err != nil {
					return err
				}
				if err := f.save(w.Out); err != nil {
					return err
				}
			}
			p.Add(1)
		}
		return nil
	})
}

// average is the image below the maps. Where the suite's images are gone, the maps are drawn
// without one.
func (w *dscoreWork) average(hash string) suite.Image {
	image, err := diagnosis.Average(w.s.ctx, w.ws, hash, averaged, engine.NoProgress{})
	if err != nil {
		if w.s.ctx.Err() == nil {
			fmt.Fprintf(w.s.stderr, "variscope: the maps are drawn without the average image: %v\n", err)
		}
		return suite.Image{}
	}
	return image
}

// regionFigure is a map with the name of its files.
type regionFigure struct {
	name   string
	figure render.Regions
}

func (f regionFigure) save(folder string) error {
	for _, format := range []string{"svg", "png"} {
		err := durable.WriteFile(filepath.Join(folder, f.name+"."+format), func(out io.Writer) error { return f.figure.Write(out, format) })
		if err != nil {
			return err
		}
	}
	return nil
}

// figuresOf are the maps of features and attention with one scale, and their difference.
func figuresOf(d dscore.Diagnosis, image suite.Image, stem string) []regionFigure {
	share := render.Scale{High: max(slices.Max(d.Score.Features), slices.Max(d.Score.Attention)), Map: &render.Viridis}
	difference := make([]float64, len(d.Score.Features))
	most := 0.01 // no less, so that rounding looks like nothing
	for i := range difference {
		difference[i] = d.Score.Features[i] - d.Score.Attention[i]
		most = max(most, math.Abs(difference[i]))
	}
	title := func(what string) string {
		return fmt.Sprintf("%s of %s on %s, n = %d", what, d.Model.ID, d.SuiteName, d.N)
	}
	signed := render.Scale{Low: -most, High: most, Map: &render.Diverging}
	return []regionFigure{
		{"features" + stem, render.Regions{
			Title: title("Features"), Image: image, N: d.N, Values: d.Score.Features,
			Scale: share, Legend: "share of features",
		}},
		{"attention" + stem, render.Regions{
			Title: title(fmt.Sprintf("Attention (t = %d)", d.T)), Image: image, N: d.N, Values: d.Score.Attention,
			Scale: share, Legend: "share of attention",
		}},
		{"difference" + stem, render.Regions{
			Title: title("Features - attention"), Image: image, N: d.N, Values: difference, Scale: signed,
			Legend: "share of features - share of attention",
			Text:   func(v float64) string { return fmt.Sprintf("%+.3f", v) },
		}},
	}
}
