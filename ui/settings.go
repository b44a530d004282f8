package ui

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/worker"
	"github.com/variscope/variscope/ui/dialogs"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	labelling "github.com/variscope/variscope/ui/screen/label"
	own "github.com/variscope/variscope/ui/widget"
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

// What the pages of the settings ask for.
type (
	lookSettings struct {
		Theme Look    `help:"Colours of the window." enum:",light,dark" default:""`
		Scale float64 `help:"Size of everything in the window." label:"Size of everything"`
		Text  float64 `help:"Size of text in points, before everything is scaled." label:"Size of text"`
	}
	matrixSettings struct {
		Map    string          `help:"Colours of matrices." label:"Colour map" source:"maps"`
		Preset evidence.Preset `help:"Values that have the first and the last colour." label:"Colour range" enum:"0,1" default:"0"`
	}
	labelSettings struct {
		Idle float64 `help:"Time without a key, a click, scrolling or a movement of the pointer after which work pauses." label:"Pause when nothing happens"`
	}
	computeSettings struct {
		Workers float64 `help:"Processors that a run may use." label:"Processors"`
		suite.Limits
		worker.Budget
		device.Pick
	}
)

// settingsPage makes a page that asks for settings. changed hears each change, and what was before.
func settingsPage[O any](f *kit.Form[O], now O, hint string, changed func(before, after O)) fyne.CanvasObject {
	f.Rows = true
	f.Make()
	f.Offer()
	for _, field := range option.Fields(&now) {
		_ = f.Put(field.Name, field.Text()) // what is not taken has its default
	}
	now = f.Options()
	f.OnChange = func(after O) {
		before := now
		now = after
		changed(before, after)
	}
	page := container.NewVBox(f.Object())
	if hint != "" {
		text := own.Wrapped(hint)
		page.Add(text)
	}
	return page
}

// slider is a line with a slider and its value as a text; take gets the value when the slider is
// let go.
func slider(low, high, step float64, text func(float64) string, take func(string)) kit.Part {
	shown, bar := widget.NewLabel(text(high)), widget.NewSlider(low, high)
	bar.Step = step
	bar.OnChanged = func(v float64) { shown.SetText(text(v)) }
	bar.OnChangeEnded = func(v float64) { take(result.Number.Write(v)) }
	room := container.New(layout.NewGridWrapLayout(fyne.NewSize(90, shown.MinSize().Height)), shown)
	return kit.Part{Object: container.NewBorder(nil, nil, nil, room, bar), Show: func(value string) {
		if v, err := strconv.ParseFloat(value, 64); err == nil && v >= low {
			bar.Value = v
			bar.Refresh()
			shown.SetText(text(v))
		}
	}}
}

func (w *Window) lookPage() fyne.CanvasObject {
	p := w.deps.Preferences
	form := &kit.Form[lookSettings]{
		Host: w.host(),
		Own: func(name string, take func(string)) kit.Part {
			switch name {
			case "scale":
				return slider(smallestScale, largestScale, 0.1, result.Percent, take)
			case "text":
				return slider(smallestText, largestText, 1,
					func(v float64) string { return result.Count.Say(v, 0) }, take)
			}
			return kit.Part{}
		},
		Named: func(_, choice string) string { return cmp.Or(choice, "as the desktop") },
	}
	now := lookSettings{w.theme.Look(), p.FloatWithFallback(keyScale, 1), p.FloatWithFallback(keyText, usualText)}
	return settingsPage(form, now, "", func(_, o lookSettings) {
		p.SetFloat(keyScale, o.Scale)
		p.SetFloat(keyText, o.Text)
		w.SetLook(o.Theme)
	})
}

// workspaceSettings is how the workspace's matrices are drawn and labelled where nothing else was
// chosen.
type workspaceSettings struct {
	colours string
	preset  evidence.Preset
	idle    int // seconds, 0 for never
}

// settingStore is what the settings need of a workspace.
type settingStore interface {
	Setting(key string, into any) (bool, error)
	SetSetting(key string, v any) error
}

func readSettings(from settingStore) (s workspaceSettings, err error) {
	s.colours = mapNames()[0]
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
	return []string{
		"shared by all models: 0 to 0.3 for CONF, else 0 to the 99th percentile",
		"that of the figures in the ML4ML paper [1]: 0 to 0.15",
	}
}

func (w *Window) matricesPage(current workspaceSettings) fyne.CanvasObject {
	form := &kit.Form[matrixSettings]{
		Host: w.host(),
		Choices: func(string) (list []kit.Option, first string) {
			for _, name := range mapNames() {
				list = append(list, kit.Option{Key: name, Name: name})
			}
			return list, ""
		},
		Named: func(_, choice string) string {
			at, _ := strconv.Atoi(choice) // choices are numbers
			return presetNames()[at]
		},
	}
	hint := "These belong to the workspace. A round keeps the ranges that it was made with."
	return settingsPage(form, matrixSettings{current.colours, current.preset}, hint,
		func(before, after matrixSettings) {
			if before.Map != after.Map {
				w.setSetting(settingMap, before.Map, after.Map, "choice of the colour map")
			}
			if before.Preset != after.Preset {
				w.setSetting(settingPreset, before.Preset, after.Preset, "choice of the colour range")
			}
		})
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
	form := &kit.Form[labelSettings]{Host: w.host(), Own: func(_ string, take func(string)) kit.Part {
		return slider(0, longestIdle, 10, func(v float64) string {
			return labelling.IdleText(time.Duration(v) * time.Second)
		}, take)
	}}
	hint := "When nothing happens for that long, neither a key nor a click, scrolling or a movement of the pointer, " +
		"work pauses until a key is pressed, and the time of the pause does not count."
	now := labelSettings{min(max(float64(idle), 0), longestIdle)}
	return settingsPage(form, now, hint, func(before, after labelSettings) {
		w.setSetting(settingIdle, int(before.Idle), int(after.Idle), "choice of when work pauses")
	})
}

func (w *Window) computingPage() fyne.CanvasObject {
	p, most := w.deps.Preferences, float64(runtime.NumCPU())
	form := &kit.Form[computeSettings]{Host: w.host(), Own: func(name string, take func(string)) kit.Part {
		if name != "workers" {
			return kit.Part{}
		}
		return slider(1, max(most, 1), 1, func(v float64) string {
			return fmt.Sprintf("%v of %v", int(math.Round(v)), int(most))
		}, take)
	}}
	var found, have []device.Found
	form.Choices = func(string) ([]kit.Option, string) {
		return kit.DeviceOptions(found, DeviceOptions(p, device.Pick{}).Device, ""), ""
	}
	w.work.Quiet("devices", func(ctx context.Context) error {
		have = kit.FindDevices(ctx, w.deps.Runtime)
		return ctx.Err()
	}, func(error) {
		found = have // on the UI goroutine, which reads it
		form.Offer()
	})
	now := min(float64(Workers(p)), most)
	if now == 0 {
		now = most
	}
	hint := "What a run may use, from the next one on. An image that needs more memory or time to be decoded is " +
		"refused, and a model that needs more fails. Signals of a GPU are held against the processor's before the " +
		"first run, and kept apart from them."
	return settingsPage(form, computeSettings{
		now, DecodeLimits(p, suite.Limits{}), WorkerBudget(p, worker.Budget{}), DeviceOptions(p, device.Pick{}),
	}, hint, func(before, o computeSettings) {
		if before.Limits != o.Limits {
			p.SetFloat(keyMemory, float64(o.DecodeMemory))
			p.SetFloat(keyTime, float64(o.DecodeTime))
			suite.SetLimits(o.Limits)
			return
		}
		if before.Budget != o.Budget {
			p.SetFloat(keyWorkerMemory, float64(o.WorkerMemory))
			p.SetFloat(keyBatchTime, float64(o.BatchTime))
			p.SetFloat(keyLoadTime, float64(o.LoadTime))
			if pool, ok := w.deps.Runtime.(*worker.Pool); ok {
				pool.SetBounds(o.Budget.Bounds())
			}
			return
		}
		if before.Pick != o.Pick {
			p.SetString(keyDevice, o.Device)
			p.SetFloat(keyDifference, map[bool]float64{true: 1}[o.AnyDifference])
			if w.deps.Engine != nil {
				w.deps.Engine.SetDevice(o.Pick)
			}
			return
		}
		n := int(math.Round(o.Workers))
		if n == int(most) {
			n = 0 // all of them, also on another computer
		}
		p.SetFloat(keyWorkers, float64(n))
		w.setWorkers(n)
	})
}
