package evidence

import (
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/ui/widget"
)

// large is a theme with text of a size.
type large struct {
	fyne.Theme
	text float32
}

func (l large) Size(name fyne.ThemeSizeName) float32 {
	if name == theme.SizeNameText {
		return l.text
	}
	return l.Theme.Size(name)
}

func TestColumnsFitTheirTable(t *testing.T) {
	test.NewTempApp(t)
	two := []widget.Column{{Title: "model", Width: 100}, {Title: "label", Width: 300}}
	for name, tt := range map[string]struct {
		text, room   float32
		first, other float32
	}{
		"wider than they want":     {14, 800, 200, 600},
		"a little narrower":        {14, 320, 80, 240},
		"never less than 0.8":      {14, 50, 80, 240},
		"large text wants more":    {21, 50, 120, 360},
		"large text and much room": {21, 800, 200, 600},
	} {
		test.ApplyTheme(t, large{theme.DefaultTheme(), tt.text})
		got := fitted(two, tt.room)
		if len(got) != 2 || math.Abs(float64(got[0]-tt.first)) > 0.01 || math.Abs(float64(got[1]-tt.other)) > 0.01 {
			t.Errorf("%s: %v, want widths of %g and %g", name, got, tt.first, tt.other)
		}
		if got := fitted(two, 0); got != nil {
			t.Errorf("%s: %v where there is no room", name, got)
		}
	}
	if two[0].Width != 100 {
		t.Error("the columns that were asked for have changed")
	}
}
