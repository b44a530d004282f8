package features

import (
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/widget"
)

// vector are the options of the feature vector: its matrices, and whose formulas measure them.
type vector struct {
	Matrices []string        `help:"The matrices of the ML4ML paper [1] that the vector has." enum:"max@CONF,max@CONV-1,mean@CONV-1,max@CONV-2,mean@CONV-2"`
	Others   []string        `help:"Further matrices, for example std@CONV-1, max@HEAD."`
	Formulas feature.Profile `help:"Whose formulas measure a matrix." enum:"paper,refcode" default:"paper"`
}

// Check says why there is no such vector.
func (v *vector) Check() error {
	_, err := v.layout(feature.DefaultLayout())
	return err
}

// layout is the layout that is asked for, otherwise as another one: the usual matrices in their
// order, then the others.
func (v *vector) layout(l feature.Layout) (feature.Layout, error) {
	l.Modalities = nil
	for _, name := range feature.DefaultLayout().Modalities {
		if slices.Contains(v.Matrices, name) {
			l.Modalities = append(l.Modalities, name)
		}
	}
	l.Modalities, l.Profile = append(l.Modalities, v.Others...), v.Formulas
	return l.Validate()
}

// vectorOf has what a layout has.
func vectorOf(l feature.Layout) *vector {
	v := &vector{Formulas: l.Profile}
	for _, name := range l.Modalities {
		if slices.Contains(feature.DefaultLayout().Modalities, name) {
			v.Matrices = append(v.Matrices, name)
		} else {
			v.Others = append(v.Others, name)
		}
	}
	return v
}

// askLayout asks for the matrices of the vector.
func (s *Screen) askLayout() {
	before := s.data().Layout
	if len(before.Modalities) == 0 { // nothing was read yet
		before = feature.DefaultLayout()
	}
	note := widget.Wrapped("Each matrix gives 16 features. Models that lack one of the positions are left out.")
	ask := &kit.Ask[vector]{
		Title: "Feature vector", Button: "Measure", Size: fyne.NewSize(460, 360), Above: note,
		Form: &kit.Form[vector]{Host: s.Host, Named: func(_, choice string) string {
			switch feature.Profile(choice) {
			case feature.Paper:
				return "as printed in the ML4ML paper [1]"
			case feature.Refcode:
				return "as in the published code"
			}
			return choice
		}},
		Start: func(f *kit.Form[vector]) {
			for _, field := range option.Fields(vectorOf(before)) {
				if err := f.Put(field.Name, field.Text()); err != nil {
					s.Fail(err)
				}
			}
		},
		Do: func(d *kit.Dialog, v vector) {
			d.Close()
			if l, err := v.layout(before); err != nil {
				s.Fail(err)
			} else {
				s.ShowLayout(l)
			}
		},
	}
	ask.Open()
}
