package ui

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// The workspace's settings of how matrices are drawn and labelled.
const (
	settingMap    = "view.map"    // name of a render map
	settingPreset = "view.preset" // evidence.Preset
	settingIdle   = "label.idle"  // seconds
)

// settings opens the settings. Whatever is chosen there applies at once.
func (w *Window) settings() {
	var current workspaceSettings
	w.work.Quiet("settings", func(context.Context) (err error) {
		current, err = readSettings(w.deps.Workspace)
		return err
	}, func(err error) {
		if err != nil {
			w.ShowError(err)
			return
		}
		dialogs.SettingsDialog(w.host(), w.settingsPages(current))
	})
}

func (w *Window) settingsPages(current workspaceSettings) []dialogs.SettingsPage {
	pages := []dialogs.SettingsPage{
		{Title: "Look", Object: w.lookPage()},
		{Title: "Matrices", Object: w.matricesPage(current)},
		{Title: "Labelling", Object: w.labellingPage(current.idle)},
		{Title: "Keys", Object: dialogs.KeysPage(w.window, w.keys)},
		{Title: "Computing", Object: w.computingPage()},
	}
	return pages
}

// slider is a line with a slider and its value as a text; set gets the value when the slider is
// let go.
func slider(low, high, step, value float64, text func(float64) string, set func(float64)) fyne.CanvasObject {
	shown, bar := widget.NewLabel(text(value)), widget.NewSlider(low, high)
	bar.Step = step
	bar.Value = value
	bar.OnChanged = func(v float64) { shown.SetText(text(v)) }
	bar.OnChangeEnded = set
	room := container.New(layout.NewGridWrapLayout(fyne.NewSize(90, shown.MinSize().Height)), shown)
	return container.NewBorder(nil, nil, nil, room, bar)
}

func (w *Window) lookPage() fyne.CanvasObject {
	p := w.deps.Preferences
	looks := []Look{LookSystem, LookLight, LookDark}
	names := []string{"as the desktop", "light", "dark"}
	look := widget.NewRadioGroup(names, nil)
	look.Horizontal, look.Required = true, true
	for i, l := range looks {
		if l == w.theme.Look() {
			look.SetSelected(names[i])
		}
	}
	look.OnChanged = func(name string) {
		for i := range names {
			if names[i] == name {
				w.SetLook(looks[i])
			}
		}
	}
	percent := func(v float64) string { return result.Percent(v) }
	points := func(v float64) string { return result.Count.Say(v, 0) }
	set := func(key string) func(float64) {
		return func(v float64) {
			p.SetFloat(key, v)
			w.applyTheme()
		}
	}
	return widget.NewForm(
		widget.NewFormItem("Theme", look),
		widget.NewFormItem("Size of everything", slider(smallestScale, largestScale, 0.1, p.FloatWithFallback(keyScale, 1), percent, set(keyScale))),
		widget.NewFormItem("Size of text", slider(smallestText, largestText, 1, p.FloatWithFallback(keyText, usualText), points, set(keyText))),
	)
}

// workspaceSettings is how the workspace's matrices are drawn and labelled where nothing else was
// chosen.
type workspaceSettings struct {
	colours string
	preset  evidence.Preset
	idle    int // seconds
}

// settingStore is what the settings need of a workspace.
type settingStore interface {
	Setting(key string, into any) (bool, error)
	SetSetting(key string, v any) error
}

func readSettings(from settingStore) (s workspaceSettings, err error) {
	s.colours, s.idle = mapNames()[0], usualIdle
	if _, err = from.Setting(settingMap, &s.colours); err != nil {
		return s, err
	}
	if _, err = from.Setting(settingIdle, &s.idle); err != nil {
		return s, err
	}
	_, err = from.Setting(settingPreset, &s.preset)
	return s, err
}

// mapNames are the maps for matrices; the diverging one is for differences.
func mapNames() []string {
	return slices.DeleteFunc(render.MapNames(), func(name string) bool { return name == "diverging" })
}

// presetNames are the ranges that can be the usual ones, in the order of evidence.Preset; a range
// of one's own is chosen where the matrices are.
func presetNames() []string {
	return []string{"shared by all models: 0 to 0.3 for CONF, else 0 to the 99th percentile", "that of the figures in the ML4ML paper [1]: 0 to 0.15"}
}

func (w *Window) matricesPage(current workspaceSettings) fyne.CanvasObject {
	maps := widget.NewSelect(mapNames(), nil)
	maps.Selected = current.colours
	maps.OnChanged = func(name string) {
		w.setSetting(settingMap, current.colours, name, "choice of the colour map")
		current.colours = name
	}
	names := presetNames()
	presets := widget.NewRadioGroup(names, nil)
	presets.Required = true
	if i := int(current.preset); i >= 0 && i < len(names) {
		presets.Selected = names[i]
	}
	presets.OnChanged = func(name string) {
		for i := range names {
			if names[i] == name {
				w.setSetting(settingPreset, current.preset, evidence.Preset(i), "choice of the colour range")
				current.preset = evidence.Preset(i)
			}
		}
	}
	hint := widget.NewLabel("These belong to the workspace. A round keeps the ranges that it was made with.")
	hint.Wrapping = fyne.TextWrapWord
	return container.NewVBox(widget.NewForm(
		widget.NewFormItem("Colour map", maps), widget.NewFormItem("Colour range", presets)), hint)
}

// setSetting stores a setting of the workspace and reports the change.
func (w *Window) setSetting(key string, before, after any, title string) {
	ws := w.deps.Workspace
	w.work.Quiet("setting", func(context.Context) error { return ws.SetSetting(key, after) }, func(err error) {
		if err != nil {
			w.ShowError(err)
			return
		}
		w.history.Did(history.Step{
			Title: title,
			Undo:  func(context.Context) error { return ws.SetSetting(key, before) },
			Redo:  func(context.Context) error { return ws.SetSetting(key, after) },
		})
	})
}

func (w *Window) labellingPage(idle int) fyne.CanvasObject {
	hint := widget.NewLabel("When nothing happens for that long, work pauses until a key is pressed, and the time of the pause does not count: whoever looks at a matrix for longer without touching anything has most likely left.")
	hint.Wrapping = fyne.TextWrapWord
	limit := slider(shortestIdle, longestIdle, 5, min(max(float64(idle), shortestIdle), longestIdle),
		func(v float64) string { return result.Count.Say(v, 0) + " s" }, func(v float64) {
			before := idle
			idle = int(v)
			w.setSetting(settingIdle, before, idle, "choice of when work pauses")
		})
	return container.NewVBox(widget.NewForm(widget.NewFormItem("Pause when nothing happens for", limit)), hint)
}

func (w *Window) computingPage() fyne.CanvasObject {
	p, most := w.deps.Preferences, float64(runtime.NumCPU())
	now := float64(Workers(p))
	if now == 0 {
		now = most
	}
	text := func(v float64) string {
		return fmt.Sprintf("%v of %v", int(math.Round(v)), int(most))
	}
	hint := widget.NewLabel("Processors that a run may use, from the next run on. Results do not depend on it.")
	hint.Wrapping = fyne.TextWrapWord
	set := func(v float64) {
		n := int(math.Round(v))
		if n == int(most) {
			n = 0 // all of them, also on another computer
		}
		p.SetFloat(keyWorkers, float64(n))
		w.setWorkers(n)
	}
	bar := slider(1, max(most, 1), 1, min(now, most), text, set)
	return container.NewVBox(widget.NewForm(widget.NewFormItem("Processors", bar)), hint)
}
