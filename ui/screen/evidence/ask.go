package evidence

import (
	"errors"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// ParseRange reads one's own colour range from two numbers as typed.
func ParseRange(low, high string) (label.Range, error) {
	var r label.Range
	for _, part := range []struct {
		text string
		into *float64
	}{{low, &r.Low}, {high, &r.High}} {
		list, err := model.ParseNumbers(part.text)
		if err != nil || len(list) != 1 {
			return r, fmt.Errorf("%q is not a number", part.text)
		}
		*part.into = list[0]
	}
	if !(r.Low < r.High) {
		return r, errors.New("the range must run from a smaller to a larger number")
	}
	return r, nil
}

// AskRange asks for one's own colour range over the window. apply gets the range when it was
// confirmed; closed is called in any case after the dialog is gone, to give the keys the focus
// back.
func AskRange(over fyne.Window, before label.Range, apply func(label.Range), closed func()) {
	if over == nil {
		return
	}
	if before == (label.Range{}) {
		before = PaperRange
	}
	low, high := fynewidget.NewEntry(), fynewidget.NewEntry()
	low.SetText(result.Number.Write(before.Low))
	high.SetText(result.Number.Write(before.High))
	check := func(string) error {
		_, err := ParseRange(low.Text, high.Text)
		return err
	}
	high.Validator = check
	d := dialog.NewForm("Own colour range", "Use", "Cancel", []*fynewidget.FormItem{
		fynewidget.NewFormItem("lowest", low), fynewidget.NewFormItem("highest", high),
	}, func(use bool) {
		if r, err := ParseRange(low.Text, high.Text); use && err == nil {
			apply(r)
		}
	}, over)
	d.SetOnClosed(closed)
	d.Show()
	over.Canvas().Focus(high)
}
