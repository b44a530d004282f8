package evidence

import (
	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/ui/kit"
)

// ownRange is one's own colour range.
type ownRange struct {
	Lowest  float64 `help:"Value that the first colour of the map stands for, and all below it."`
	Highest float64 `help:"Value that the last colour of the map stands for, and all above it."`
}

// Check implements the check of options.
func (r *ownRange) Check() error {
	if r.Lowest < r.Highest {
		return nil
	}
	return option.Errorf("{highest} must be larger than {lowest}")
}

// AskRange asks for one's own colour range over the host's window. apply gets the range when it was
// confirmed; closed is called in any case after the dialog is gone, to give the keys the focus
// back.
func AskRange(host *kit.Host, before label.Range, apply func(label.Range), closed func()) {
	if host.Window == nil {
		return
	}
	if before == (label.Range{}) {
		before = PaperRange
	}
	ask := &kit.Ask[ownRange]{
		Title: "Own colour range", Button: "Use", Size: fyne.NewSize(420, 240), Closed: closed,
		Form: &kit.Form[ownRange]{Host: host},
		Start: func(f *kit.Form[ownRange]) {
			if err := f.Take(ownRange{before.Low, before.High}); err != nil {
				host.Fail(err)
			}
		},
		Do: func(d *kit.Dialog, r ownRange) {
			apply(label.Range{Low: r.Lowest, High: r.Highest})
			d.Close()
		},
	}
	ask.Open()
}
