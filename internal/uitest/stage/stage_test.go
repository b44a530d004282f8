package stage

import (
	"image/color"
	"os"
	"os/exec"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// TestAPictureShowsWhatNobodyAskedForInAMinute: a button that was made, or drawn last, longer ago
// than Fyne keeps renderers stands on its ground. Fyne reads how long that is when a program
// starts, so the test starts itself with no time at all.
func TestAPictureShowsWhatNobodyAskedForInAMinute(t *testing.T) {
	const kept = "FYNE_CACHE"
	if os.Getenv(kept) == "" {
		again := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		again.Env = append(os.Environ(), kept+"=1ns")
		if out, err := again.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	s := New(t)
	s.App().Settings().SetTheme(Look(theme.VariantLight, 1))
	button := widget.NewButton("Resume", nil)
	button.Importance = widget.HighImportance
	w := s.Window(container.NewCenter(button), fyne.NewSize(200, 100))
	inside := button.Position().AddXY(button.Size().Width/2, 3)
	picture := s.Capture(w, "", "")
	got, want := picture.At(int(inside.X), int(inside.Y)), theme.Color(theme.ColorNamePrimary)
	if color.NRGBAModel.Convert(got) != color.NRGBAModel.Convert(want) {
		t.Errorf("the button stands on %v, want %v", got, want)
	}
}
