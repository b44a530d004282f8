package choose

import (
	"errors"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/present"
	parts "github.com/variscope/variscope/ui/widget"
)

// runForm asks which models run in the scenes.
type runForm struct {
	view    *View
	problem string // why nothing can be run, "" for none
	which   *fynewidget.RadioGroup
	list    *fynewidget.CheckGroup
	note    *fynewidget.Label
	start   *fynewidget.Button
	groups  []string // texts of which, in the order of the constants
}

// The choices of models.
const (
	withoutSignals = iota
	allModels
	someModels
)

func newRunForm(v *View, problem string) *runForm {
	f := &runForm{view: v, problem: problem}
	missing := len(v.Models) - v.Ran()
	f.groups = []string{
		fmt.Sprintf("%s (%d)", "without signals in these scenes", missing), fmt.Sprintf("%s (%d)", "all", len(v.Models)), "these:",
	}
	f.list = fynewidget.NewCheckGroup(nil, func([]string) { f.check() })
	for _, m := range v.Models {
		f.list.Options = append(f.list.Options, f.label(m))
	}
	f.list.Disable()
	f.note = fynewidget.NewLabel("")
	f.note.Wrapping = fyne.TextWrapWord
	f.which = fynewidget.NewRadioGroup(f.groups, func(string) { f.check() })
	f.which.Required = true
	f.which.Selected = f.groups[withoutSignals]
	if missing == 0 {
		f.which.Selected = f.groups[allModels]
	}
	return f
}

// label is a model in the list; ids are unique.
func (f *runForm) label(m Runnable) string {
	if m.Ready() {
		return fmt.Sprintf("%s (has run)", m.ID)
	}
	return m.ID
}

func (f *runForm) object() fyne.CanvasObject {
	return container.NewBorder(f.which, f.note, nil, nil, container.NewVScroll(f.list))
}

// chosen are the models that run.
func (f *runForm) chosen() (list []Runnable) {
	for _, m := range f.view.Models {
		switch slices.Index(f.groups, f.which.Selected) {
		case withoutSignals:
			if m.Ready() {
				continue
			}
		case someModels:
			if !slices.Contains(f.list.Selected, f.label(m)) {
				continue
			}
		}
		list = append(list, m)
	}
	return list
}

// request is the run. The error is a sentence.
func (f *runForm) request() (job.Request, error) {
	family, err := f.view.Record.Family()
	if err != nil {
		return job.Request{}, err
	}
	req := job.Request{Suite: f.view.Record.Targets, Family: family} // without positions: CONF and HEAD
	for _, m := range f.chosen() {
		req.Models = append(req.Models, m.Hash)
	}
	switch {
	case f.problem != "":
		return req, fmt.Errorf("%s", f.problem)
	case len(req.Models) == 0:
		return req, errors.New("choose at least one model")
	}
	return req, nil
}

// check says how much there is to run, or what is wrong.
func (f *runForm) check() {
	parts.Enable(f.list, f.which.Selected == f.groups[someModels])
	_, err := f.request()
	f.note.Importance = fynewidget.MediumImportance
	text := ""
	if err != nil {
		f.note.Importance, text = fynewidget.WarningImportance, present.Sentence(err)
	} else {
		n, targets := int64(len(f.chosen())), int64(len(f.view.Record.Selection.Chosen))
		text = fmt.Sprintf("%s on %s with %s each: %s. Signals of the softmax vector and of what the last layer sees; what was computed before is not computed again.",
			result.Counted(n, "model"), result.Counted(targets, "target"), result.Counted(f.view.Record.N, "composite"),
			result.Counted(n*targets*int64(f.view.Record.N+1), "inference"))
	}
	f.note.SetText(text)
	if f.start != nil {
		parts.Enable(f.start, err == nil)
	}
}

// askRun opens the form and starts what it says.
func (p *Page) askRun() {
	if p.view.Record.Hash == "" {
		return
	}
	f := newRunForm(p.view, p.problem())
	var d *dialog.CustomDialog
	f.start = fynewidget.NewButton("Start", func() {
		req, err := f.request()
		if err != nil {
			f.check()
			return
		}
		d.Hide()
		p.deps.Start(req)
	})
	f.start.Importance = fynewidget.HighImportance
	d = dialog.NewCustomWithoutButtons(fmt.Sprintf("Run models in the scenes of %s", p.view.Record.Name), parts.Fitting(f.object(), p.Window), p.Window)
	d.SetButtons([]fyne.CanvasObject{fynewidget.NewButton("Cancel", d.Hide), f.start})
	d.SetOnClosed(p.Focus)
	d.Resize(fyne.NewSize(560, 460))
	f.check()
	d.Show()
}

// problem is why nothing can be run, "" for none.
func (p *Page) problem() string {
	if p.deps.Runtime != nil {
		return ""
	}
	if p.deps.Problem != "" {
		return p.deps.Problem
	}
	return "ONNX Runtime was not found"
}
