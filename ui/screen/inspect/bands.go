package inspect

import (
	"context"
	"slices"

	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/jobs"
)

// judge writes below each matrix how certain it is.
func (f *widgets) judge() {
	d := f.s.data()
	var list []judged
	if d.session != nil {
		list = judge(d.frame, f.s.cell, f.s.kept.precision)
	}
	f.resample(d, list)
	notes := make([][]string, len(list))
	for k, j := range list {
		notes[k] = j.lines()
	}
	f.row.Note(notes)
	f.split.divide() // lines below the matrices take from the height of these
	f.overview.judge(list)
}

// banded is what bands are of: an element over the images of a frame, by resamples.
type banded struct {
	session *session
	chosen  *int // the first of the frame's images
	i, j    int
	by      variance.Bootstrap
}

// resample adds the bands of the element in focus where they are wanted and known, and asks for
// them where they are not. They are those of the command matrix with the usual seed.
func (f *widgets) resample(d data, list []judged) {
	by, cell := variance.Bootstrap{Resamples: f.overview.resampling.Options().Resamples, Seed: 1}, f.s.cell
	for k := range list {
		list[k].banded = by.Resamples > 0
	}
	if by.Resamples == 0 || len(d.frame.chosen) == 0 ||
		!slices.ContainsFunc(list, func(j judged) bool { return j.cell }) {
		f.rest()
		return
	}
	of := banded{d.session, &d.frame.chosen[0], cell.I, cell.J, by}
	if of == f.banded && f.bands != nil {
		for k := range f.bands {
			list[k].band = f.bands[k]
		}
		return
	}
	for k := range list {
		list[k].band.coming = list[k].cell && cell.I != cell.J
	}
	if of == f.banded {
		return
	}
	f.banded, f.bands = of, nil
	jobs.Load(f.s.Work, &f.latest, "resample the images", func(ctx context.Context) ([]band, error) {
		return d.session.bands(ctx, d.frame, cell.I, cell.J, by)
	}, func(bands []band, err error) {
		if f.bands = bands; err != nil {
			f.bands = []band{} // nothing is coming
			f.s.Fail(err)
		}
		f.judge()
	})
}
