package dscore

import (
	"fmt"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// computeForm asks what is to be computed.
type computeForm struct {
	suite    string
	images   int
	groups   []modelGroup
	which    *fynewidget.RadioGroup
	usual    *fynewidget.CheckGroup // the n of the papers
	others   *fynewidget.Entry      // further n
	t        *fynewidget.Entry
	all      *fynewidget.Check
	small    *fynewidget.Check
	each     *fynewidget.Check
	after    *fynewidget.Check
	note     *fynewidget.Label
	start    *fynewidget.Button
	building bool
}

// modelGroup is a choice of models.
type modelGroup struct {
	name   string
	models []model.Model
}

// usualGrids are the n that have a box of their own.
var usualGrids = []string{"2", "3", "4", "5"}

func newComputeForm(v Data, marked []model.Model) *computeForm {
	f := &computeForm{suite: v.Suite.Hash, images: v.Suite.Images, building: true}
	for _, g := range []modelGroup{
		{"marked", marked},
		{"without a score", v.without()},
		{"all", v.withConvolution()},
	} {
		if len(g.models) > 0 {
			g.name = fmt.Sprintf("%s (%d)", g.name, len(g.models))
			f.groups = append(f.groups, g)
		}
	}
	changed := func(bool) { f.check() }
	var names []string
	for _, g := range f.groups {
		names = append(names, g.name)
	}
	f.which = fynewidget.NewRadioGroup(names, func(string) { f.check() })
	f.which.Horizontal, f.which.Required = true, true
	f.usual = fynewidget.NewCheckGroup(usualGrids, func([]string) { f.check() })
	f.usual.Horizontal = true
	f.others, f.t = fynewidget.NewEntry(), fynewidget.NewEntry()
	f.others.SetPlaceHolder("further ones, such as 6, 8")
	f.t.SetPlaceHolder("5, or several: 3, 5, 7")
	f.all = fynewidget.NewCheck("layers together", changed)
	f.small = fynewidget.NewCheck("also layers with maps smaller than n × n, as in the D-Score paper [5]", changed)
	f.each = fynewidget.NewCheck("each layer alone, to see what would be lost", changed)
	f.after = fynewidget.NewCheck("after the batch-norm, where one follows a convolution", changed)
	f.note = fynewidget.NewLabel("")
	f.note.Wrapping = fyne.TextWrapWord
	f.preset(v)
	f.building = false
	return f
}

// preset fills in the grid that is looked at, else the usual one.
func (f *computeForm) preset(v Data) {
	n, t := transform.UsualGrid, transform.UsualT
	if g := v.Grid; g.N > 0 {
		n, t = g.N, g.T
	}
	if len(f.groups) > 0 {
		f.which.SetSelected(f.groups[0].name)
	}
	if text := strconv.Itoa(n); slices.Contains(usualGrids, text) {
		f.usual.SetSelected([]string{text})
	} else {
		f.others.SetText(text)
	}
	f.t.SetText(strconv.Itoa(t))
	f.all.SetChecked(true)
	f.small.SetChecked(takesSmall(v.Grid))
	f.after.SetChecked(behindNorm(v.Grid))
	f.others.OnChanged = func(string) { f.check() }
	f.t.OnChanged = func(string) { f.check() }
}

// object is the form.
func (f *computeForm) object(suiteName string) fyne.CanvasObject {
	form := fynewidget.NewForm(
		fynewidget.NewFormItem("Test suite", fynewidget.NewLabel(suiteName)),
		fynewidget.NewFormItem("Models", f.which),
		fynewidget.NewFormItem("n × n regions, n =", container.NewBorder(nil, nil, f.usual, nil, f.others)),
		fynewidget.NewFormItem("Shift by a side / t, t =", f.t),
		fynewidget.NewFormItem("Delete regions of", container.NewVBox(f.all, f.small, f.each, f.after)),
	)
	return container.NewBorder(nil, f.note, nil, nil, container.NewVScroll(form))
}

// order is what the form says. The error is a sentence about it.
func (f *computeForm) order() (o Order, err error) {
	o = Order{Suite: f.suite, All: f.all.Checked, Small: f.small.Checked, Each: f.each.Checked, AfterBatchNorm: f.after.Checked}
	for _, g := range f.groups {
		if g.name == f.which.Selected {
			o.Models = g.models
		}
	}
	if o.N, err = parseNumbers("n", f.others.Text); err != nil {
		return o, err
	}
	for _, text := range f.usual.Selected {
		n, err := strconv.Atoi(text)
		if err != nil {
			return o, err
		}
		o.N = append(o.N, n)
	}
	slices.Sort(o.N)
	o.N = slices.Compact(o.N)
	if o.T, err = parseNumbers("t", f.t.Text); err != nil {
		return o, err
	}
	_, err = o.Runs()
	return o, err
}

// check says how much there is to compute, or what is wrong.
func (f *computeForm) check() {
	if f.building {
		return
	}
	o, err := f.order()
	if err != nil {
		f.note.Importance = fynewidget.WarningImportance
		f.note.SetText(present.Sentence(err))
	} else {
		f.note.Importance = fynewidget.MediumImportance
		f.note.SetText(o.Text(f.images))
	}
	if f.start != nil {
		widget.Enable(f.start, err == nil)
	}
}

// askCompute opens the form and starts what it says.
func (s *Screen) askCompute() {
	var marked []model.Model
	for _, r := range s.models.list.Marked() {
		marked = append(marked, r.Model)
	}
	f := newComputeForm(s.data(), marked)
	var d *dialog.CustomDialog
	f.start = fynewidget.NewButton("Start", func() {
		o, err := f.order()
		if err != nil {
			f.check()
			return
		}
		d.Hide()
		s.order(o)
	})
	f.start.Importance = fynewidget.HighImportance
	d = dialog.NewCustomWithoutButtons("Compute D-Scores", widget.Fitting(f.object(s.data().Suite.Name), s.Window), s.Window)
	d.SetButtons([]fyne.CanvasObject{fynewidget.NewButton("Cancel", d.Hide), f.start})
	d.SetOnClosed(s.Focus)
	d.Resize(fyne.NewSize(640, 420))
	f.check()
	d.Show()
}
