package app

import (
	"cmp"
	"fmt"
	"io"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store/diagnosis"
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
			maps := []dscore.Distributions{one.Distributions()}
			dscore.ScaleTogether(maps, &render.Viridis)
			for kind := range dscore.Kinds {
				draw := func(out io.Writer, format string) error {
					return render.Draw(out, maps[0].Figure(kind, image), render.Part{}, format)
				}
				_, err := writeDrawing(w.Out, dscore.KindKey(kind)+stems[k], []string{"svg", "png"}, draw)
				if err = cmp.Or(w.s.ctx.Err(), err); err != nil {
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
	image, err := diagnosis.Average(w.s.ctx, w.work.From, hash, averaged, engine.NoProgress{})
	if err != nil {
		if w.s.ctx.Err() == nil {
			fmt.Fprintf(w.s.stderr, "variscope: the maps are drawn without the average image: %v\n", err)
		}
		return suite.Image{}
	}
	return image
}
