// Package label is the screen where annotators work: they sign in to a round and label model after model from the
// keyboard. Session is the plain machine behind it; Screen draws it and stores each event before it goes on.
package label

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// Store is what the screen needs of a workspace; *store.Workspace is one.
type Store interface {
	evidence.Source
	Rounds() ([]labels.Round, error)
	Round(id string) (labels.Round, error)
	Events(round string) ([]labels.Event, error)
	// RoundRanges are the colour ranges of a round's modalities, as far as they are known.
	RoundRanges(ctx context.Context, r labels.Round) (map[string]labels.Range, error)
	// Append stores an event; it is on disk when Append returns.
	Append(ev labels.Event) (labels.Event, error)
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
	Subscribe(func(store.Change)) (cancel func())
}

// Deps is what the screen is made from. Work, Store and Window are needed; the callbacks may be nil.
type Deps struct {
	Store  Store
	Work   *background.Group
	Window fyne.Window
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// NewRound opens the dialog that creates a round; nil where there is none.
	NewRound func()
	// Inspect opens a model on the inspect screen.
	Inspect func(modelHash string)
	// Status shows a line of text at the foot of the window.
	Status func(text string)
	// ShowError shows an error to the person.
	ShowError func(err error)
}

func (d *Deps) defaults() {
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Status == nil {
		d.Status = func(string) {}
	}
	if d.ShowError == nil {
		d.ShowError = func(error) {}
	}
	if d.Inspect == nil {
		d.Inspect = func(string) {}
	}
}

// The workspace settings that the screen remembers.
const (
	settingRound     = "label.round"
	settingAnnotator = "label.annotator"
	settingDetails   = "label.details"
	settingMap       = "view.map"
)
