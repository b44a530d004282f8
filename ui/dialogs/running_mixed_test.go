package dialogs

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/internal/uitest/stage"
)

// formCheck is a check that a form has made; in the dialog of a run that of other processors alone.
type formCheck interface {
	fyne.CanvasObject
	SetChecked(on bool)
}

func ofForm(c formCheck) bool { _, other := c.(*widget.Check); return !other }

// TestMixedRunsAreOfferedOnlyWithTheirMachines: nobody else could compute them, and the mark would
// be for nothing.
func TestMixedRunsAreOfferedOnlyWithTheirMachines(t *testing.T) {
	d := openRunDialog(t)
	stage.Walk(d.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if check, ok := o.(formCheck); ok && ofForm(check) && check.Visible() {
			t.Error("it is offered without other machines")
		}
	})
	for _, mixed := range []bool{false, true} {
		d = openRunDialogAs(t, func(r *Runner) { r.MayMix = true })
		d.family().SetText("rotation:-10:10:10")
		part(d, "check for other processors", ofForm).SetChecked(mixed)
		d.stage.Press(d.window, "Start")
		d.stage.Until("the run has started", func() bool { return len(d.started) == 1 })
		runs, err := d.ws.Runs()
		if err != nil || len(runs) != 1 || runs[0].Mixed != mixed {
			t.Errorf("mixed %t: %+v, %v", mixed, runs, err)
		}
	}
}
