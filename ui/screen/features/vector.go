package features

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/ui/present"
	parts "github.com/variscope/variscope/ui/widget"
)

// layoutForm asks what the vector is made of.
type layoutForm struct {
	before feature.Layout
	usual  *fynewidget.CheckGroup // the default matrices
	others *fynewidget.Entry
	by     *fynewidget.Select // whose formulas
	wrong  *fynewidget.Label
}

func newLayoutForm(l feature.Layout) *layoutForm {
	f := &layoutForm{before: l, wrong: fynewidget.NewLabel("")}
	usual := feature.DefaultLayout().Modalities
	f.usual = fynewidget.NewCheckGroup(usual, nil)
	f.others = fynewidget.NewEntry()
	f.others.SetPlaceHolder("for example std@CONV-1, max@HEAD")
	var rest []string
	for _, name := range l.Modalities {
		if slices.Contains(usual, name) {
			f.usual.Selected = append(f.usual.Selected, name)
		} else {
			rest = append(rest, name)
		}
	}
	f.others.SetText(strings.Join(rest, ", "))
	f.by = fynewidget.NewSelect([]string{"as printed in the ML4ML paper [1]", "as in the published code"}, nil)
	f.by.SetSelectedIndex(0)
	if l.Profile == feature.Refcode {
		f.by.SetSelectedIndex(1)
	}
	f.wrong.Importance, f.wrong.Wrapping = fynewidget.DangerImportance, fyne.TextWrapWord
	return f
}

func (f *layoutForm) object() fyne.CanvasObject {
	form := fynewidget.NewForm(
		fynewidget.NewFormItem("Matrices", f.usual),
		fynewidget.NewFormItem("Others", f.others),
		fynewidget.NewFormItem("Formulas", f.by))
	note := fynewidget.NewLabel("Each matrix gives 16 features. Models that lack one of the positions are left out.")
	note.Wrapping = fyne.TextWrapWord
	return container.NewVBox(note, form, f.wrong)
}

// layout is what the form says: the usual matrices in their order, then the others. The error is a
// sentence about them.
func (f *layoutForm) layout() (feature.Layout, error) {
	l := f.before
	l.Modalities = nil
	for _, name := range feature.DefaultLayout().Modalities {
		if slices.Contains(f.usual.Selected, name) {
			l.Modalities = append(l.Modalities, name)
		}
	}
	l.Modalities = append(l.Modalities, strings.FieldsFunc(f.others.Text, func(r rune) bool { return strings.ContainsRune(",; \n\t", r) })...)
	l.Profile = feature.Paper
	if f.by.SelectedIndex() == 1 {
		l.Profile = feature.Refcode
	}
	return l.Validate()
}

// askLayout opens a dialog for the matrices of the vector; it stays open until they can be had.
func (s *Screen) askLayout() {
	before := s.data().Layout
	if len(before.Modalities) == 0 { // nothing was read yet
		before = feature.DefaultLayout()
	}
	f := newLayoutForm(before)
	var d *dialog.CustomDialog
	measure := fynewidget.NewButton("Measure", func() {
		l, err := f.layout()
		if err != nil {
			f.wrong.SetText(present.Sentence(err))
			return
		}
		d.Hide()
		s.ShowLayout(l)
	})
	measure.Importance = fynewidget.HighImportance
	d = dialog.NewCustomWithoutButtons("Feature vector", parts.Fitting(f.object(), s.Window), s.Window)
	d.SetButtons([]fyne.CanvasObject{fynewidget.NewButton("Cancel", d.Hide), measure})
	d.SetOnClosed(s.Focus)
	d.Resize(fyne.NewSize(460, 360))
	d.Show()
}
