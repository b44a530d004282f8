package dialogs

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/stage"
)

const mixedCheck = "allow other kinds of processors: results agree to 1e-4 and are marked"

// TestMixedRunsAreOfferedOnlyWithTheirMachines: nobody else could compute them, and the mark would be for nothing.
func TestMixedRunsAreOfferedOnlyWithTheirMachines(t *testing.T) {
	d := openRunDialog(t)
	stage.Walk(d.window.Canvas().Overlays().Top(), func(o fyne.CanvasObject) {
		if check, ok := o.(*widget.Check); ok && check.Text == mixedCheck {
			t.Error("it is offered without other machines")
		}
	})
	for _, mixed := range []bool{false, true} {
		d = openRunDialogAs(t, func(r *Runner) { r.MayMix = true })
		d.family().SetText("rotation:-10:10:10")
		d.check(mixedCheck).SetChecked(mixed)
		d.stage.Press(d.window, "Start")
		d.stage.Until("the run has started", func() bool { return len(d.started) == 1 })
		runs, err := d.ws.Runs()
		if err != nil || len(runs) != 1 || runs[0].Mixed != mixed {
			t.Errorf("mixed %t: %+v, %v", mixed, runs, err)
		}
	}
}
