package app

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/go-gl/glfw/v3.4/glfw"
)

// fakeWindow remembers what it is to call.
type fakeWindow struct {
	key      glfw.KeyCallback
	moved    glfw.CursorPosCallback
	scrolled glfw.ScrollCallback
}

func (w *fakeWindow) SetKeyCallback(f glfw.KeyCallback) (before glfw.KeyCallback) {
	before, w.key = w.key, f
	return before
}

func (w *fakeWindow) SetCursorPosCallback(f glfw.CursorPosCallback) (before glfw.CursorPosCallback) {
	before, w.moved = w.moved, f
	return before
}

func (w *fakeWindow) SetScrollCallback(f glfw.ScrollCallback) (before glfw.ScrollCallback) {
	before, w.scrolled = w.scrolled, f
	return before
}

// TestAWindowHearsBeforeFyne: keys that are used up are kept from Fyne until they are let go, all
// else comes to Fyne afterwards.
func TestAWindowHearsBeforeFyne(t *testing.T) {
	var got []string
	w := &fakeWindow{
		key:      func(*glfw.Window, glfw.Key, int, glfw.Action, glfw.ModifierKey) { got = append(got, "Fyne") },
		moved:    func(*glfw.Window, float64, float64) { got = append(got, "Fyne") },
		scrolled: func(*glfw.Window, float64, float64) { got = append(got, "Fyne") },
	}
	deaf := watchKeys(w, func(name fyne.KeyName) bool {
		got = append(got, string(name))
		return name == fyne.KeyEscape
	})
	still := watchPointer(w, func() { got = append(got, "pointer") })
	key := func(key glfw.Key, held glfw.ModifierKey, actions ...glfw.Action) func() {
		return func() {
			for _, action := range actions {
				w.key(nil, key, 0, action, held)
			}
		}
	}
	for name, test := range map[string]struct {
		do   func()
		want []string
	}{
		"used up": {key(glfw.KeyEscape, 0, glfw.Press, glfw.Repeat, glfw.Release), []string{"Escape"}},
		"not used": {
			key(glfw.KeyEnter, glfw.ModNumLock, glfw.Press, glfw.Release),
			[]string{"Return", "Fyne", "Fyne"},
		},
		"repeated":          {key(glfw.KeyTab, 0, glfw.Press, glfw.Repeat), []string{"Tab", "Fyne", "Tab", "Fyne"}},
		"with Shift":        {key(glfw.KeyF10, glfw.ModShift, glfw.Press), []string{"Menu", "Fyne"}},
		"another key":       {key(glfw.KeyA, 0, glfw.Press), []string{"Fyne"}},
		"makes another key": {key(glfw.KeyEscape, glfw.ModControl, glfw.Press), []string{"Fyne"}},
		"moved":             {func() { w.moved(nil, 1, 2) }, []string{"pointer", "Fyne"}},
		"scrolled":          {func() { w.scrolled(nil, 1, 2) }, []string{"pointer", "Fyne"}},
	} {
		got = nil
		if test.do(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, not %q", name, got, test.want)
		}
	}
	got = nil
	deaf()
	still()
	w.key(nil, glfw.KeyEscape, 0, glfw.Press, 0)
	w.moved(nil, 1, 2)
	w.scrolled(nil, 1, 2)
	if want := []string{"Fyne", "Fyne", "Fyne"}; !slices.Equal(got, want) {
		t.Errorf("after the end: %q, not %q", got, want)
	}
}

// TestFyneRunsNothingAtItsEnd: this version of Fyne has the hook, so that the program takes it
// away.
func TestFyneRunsNothingAtItsEnd(t *testing.T) {
	if life := test.NewTempApp(t).Lifecycle(); !withoutStopHook(life) {
		t.Errorf("%T has no hook of that name: look at how Fyne ends now", life)
	} else if hooked, ok := life.(interface{ OnStopped() func() }); !ok || hooked.OnStopped() != nil {
		t.Error("a hook is left")
	}
}
