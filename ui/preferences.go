package ui

import (
	"cmp"
	"encoding/json"
	"slices"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/worker"
)

// Preferences is what the window remembers between starts; fyne.Preferences is one.
type Preferences interface {
	StringWithFallback(key, fallback string) string
	SetString(key, value string)
	FloatWithFallback(key string, fallback float64) float64
	SetFloat(key string, value float64)
}

// The keys of the preferences.
const (
	keyLook      = "look"
	keyWorkspace = "workspace"
	keyWidth     = "window.width"
	keyHeight    = "window.height"
	keyRecent    = "recent" // JSON: paths of workspaces, newest first
	keyScale     = "scale"
	keyText      = "text"
	keyWorkers   = "workers" // 0: one per processor
	keyTour      = "tour"    // tourSeen once it was offered
	keyPlace     = "place."  // and the path of a workspace: the screen that was shown last
	keyMemory    = "decode.memory"
	keyTime      = "decode.time"

	keyWorkerMemory = "workers.memory"
	keyDevice       = "workers.device"
	keyDifference   = "workers.any-difference"
	keyBatchTime    = "workers.batch"
	keyLoadTime     = "workers.load"
)

// The bounds of what the settings offer.
const (
	smallestScale, largestScale = 0.8, 2.0
	smallestText, largestText   = 10, 20
	longestIdle                 = 300
	keptRecent                  = 10
)

// The window's sizes in Fyne's device-independent pixels: what it starts with, the smallest in
// which every screen is whole, and the least, in which screens and dialogs scroll: a display of
// 1280 x 800 pixels where everything is drawn twice as large.
const (
	usualWidth, usualHeight       = 1280, 800
	smallestWidth, smallestHeight = 1024, 700
	leastWidth, leastHeight       = 640, 400
)

// LastWorkspace is the path of the workspace that was open last, "" the first time. App opens it.
func LastWorkspace(p Preferences) string { return p.StringWithFallback(keyWorkspace, "") }

// rememberedSize is the size of the window when it was closed last.
func rememberedSize(p Preferences) fyne.Size {
	width := p.FloatWithFallback(keyWidth, usualWidth)
	height := p.FloatWithFallback(keyHeight, usualHeight)
	return fyne.NewSize(max(float32(width), leastWidth), max(float32(height), leastHeight))
}

func rememberSize(p Preferences, size fyne.Size) {
	if size.Width < leastWidth/2 || size.Height < leastHeight/2 {
		return // iconified, or not laid out yet
	}
	p.SetFloat(keyWidth, float64(size.Width))
	p.SetFloat(keyHeight, float64(size.Height))
}

// rememberedPlace is the screen on which somebody has left a workspace, at first Models.
func rememberedPlace(p Preferences, workspace string) Place {
	name := p.StringWithFallback(keyPlace+workspace, "")
	for place := range places {
		if place.String() == name {
			return place
		}
	}
	return Models
}

func rememberPlace(p Preferences, workspace string, place Place) {
	p.SetString(keyPlace+workspace, place.String())
}

// Workers is how many goroutines run inference; 0 means one per processor.
func Workers(p Preferences) int { return max(0, int(p.FloatWithFallback(keyWorkers, 0))) }

// DecodeLimits are the limits of decoding images: those given, which are of the command line, else
// those of the preferences.
func DecodeLimits(p Preferences, given suite.Limits) suite.Limits {
	return suite.Limits{
		DecodeMemory: cmp.Or(given.DecodeMemory, int(p.FloatWithFallback(keyMemory, 0))),
		DecodeTime:   cmp.Or(given.DecodeTime, int(p.FloatWithFallback(keyTime, 0))),
	}
}

// WorkerBudget is what models may take: the one given, which is of the command line, else that of
// the preferences.
func WorkerBudget(p Preferences, given worker.Budget) worker.Budget {
	return worker.Budget{
		WorkerMemory: cmp.Or(given.WorkerMemory, int(p.FloatWithFallback(keyWorkerMemory, 0))),
		BatchTime:    cmp.Or(given.BatchTime, int(p.FloatWithFallback(keyBatchTime, 0))),
		LoadTime:     cmp.Or(given.LoadTime, int(p.FloatWithFallback(keyLoadTime, 0))),
	}
}

// DeviceOptions are what models are computed on: those given, which are of the command line, else
// those of the preferences.
func DeviceOptions(p Preferences, given device.Pick) device.Pick {
	return device.Pick{
		Device:        cmp.Or(given.Device, p.StringWithFallback(keyDevice, "")),
		AnyDifference: given.AnyDifference || p.FloatWithFallback(keyDifference, 0) != 0,
	}
}

// Recent are the paths of the workspaces that were open last, newest first.
func Recent(p Preferences) []string {
	var paths []string
	if json.Unmarshal([]byte(p.StringWithFallback(keyRecent, "[]")), &paths) != nil {
		return nil // written by another program: it starts anew
	}
	return paths
}

// remember puts a workspace first among the recent ones.
func remember(p Preferences, path string) {
	paths := slices.DeleteFunc(Recent(p), func(old string) bool { return old == path })
	putRecent(p, append([]string{path}, paths...))
}

// Forget removes a workspace from the recent ones.
func Forget(p Preferences, path string) {
	putRecent(p, slices.DeleteFunc(Recent(p), func(old string) bool { return old == path }))
}

func putRecent(p Preferences, paths []string) {
	text, err := json.Marshal(paths[:min(len(paths), keptRecent)])
	if err != nil {
		return // texts can always be written
	}
	p.SetString(keyRecent, string(text))
}
