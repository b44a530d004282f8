package inspect

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2/dialog"

	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// crossed is the first matrix whose row and column of the identity stand out where that can come
// from resampling, and the family that resamples by the nearest pixel instead; ok is false where
// there is none.
func crossed(family string, tiles []evidence.Tile) (modality, nearest string, ok bool) {
	f, err := transform.Parse(family)
	if err != nil || !f.Geometric() || f.Interpolation() == transform.Nearest {
		return "", "", false
	}
	other, err := f.With(transform.Nearest, "")
	if err != nil {
		return "", "", false
	}
	for _, t := range tiles {
		if variance.Cross(t.Matrix) {
			return t.Modality, other.String(), true
		}
	}
	return "", "", false
}

// showCross shows the button that explains a cross at 0 where there is one.
func (f *widgets) showCross() {
	_, _, ok := crossed(f.s.answer.family, f.s.frame.shown.Tiles)
	if ok = ok && f.s.deps.Beside != nil; ok != f.cross.Visible() {
		f.cross.Hidden = !ok
		f.head.Refresh()
	}
}

// BesideNearest shows the matrix with a cross at 0 beside the same one under nearest-neighbour
// interpolation. Where its signals are not there, it offers to compute them.
func (s *Screen) BesideNearest() {
	modality, nearest, ok := crossed(s.answer.family, s.frame.shown.Tiles)
	if !ok || s.deps.Beside == nil {
		return
	}
	m, suite := s.answer.base.Model, s.answer.manifest.Hash
	var there bool
	s.Work.Quiet("look for signals", func(context.Context) (err error) {
		_, there, err = s.store.SetFor(m, suite, nearest, []string{modality})
		return err
	}, func(err error) {
		switch {
		case err != nil:
			s.Fail(err)
			return
		case m.Hash != s.answer.base.Model.Hash:
			return
		case there || s.deps.Compute == nil:
			s.deps.Beside(nearest, modality)
			return
		}
		dialog.ShowConfirm("The same matrix under nearest-neighbour interpolation",
			fmt.Sprintf("The signals of %s under this interpolation are not computed yet.\nThe matrix appears beside the other one when they are there. Compute them now?", m.ID),
			func(yes bool) {
				if yes {
					s.deps.Beside(nearest, modality)
					s.deps.Compute(m.Hash, suite, nearest, s.kept.modalities)
				}
			}, s.Window)
	})
}
