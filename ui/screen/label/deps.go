// Package label is the screen where annotators work: they sign in to a round and label model after
// model from the keyboard. Session is the plain machine behind it; Screen draws it and stores each
// event before it goes on.
package label

import (
	"context"
	"time"

	labels "github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit/evidence"
)

// Store is what the screen needs of a workspace; *store.Workspace is one.
type Store interface {
	evidence.Source
	Rounds() ([]labels.Round, error)
	Round(id string) (labels.Round, error)
	Events(round string) ([]labels.Event, error)
	// UpdateRound changes a round, as far as its labels allow.
	UpdateRound(r labels.Round) error
	// AnnotatorNames maps annotators' ids to the names to show.
	AnnotatorNames() (map[string]string, error)
	// RoundRanges are the colour ranges of a round's modalities, as far as they are known.
	RoundRanges(ctx context.Context, r labels.Round) (map[string]labels.Range, error)
	// Append stores an event; it is on disk when Append returns.
	Append(ev labels.Event) (labels.Event, error)
	Setting(key string, into any) (bool, error)
	SetSetting(key string, value any) error
}

// Rounds is what can be done with rounds from the sign-in page, most of it in dialogs. The page
// follows the store.
type Rounds interface {
	New()
	// Edit changes what is not frozen, Duplicate makes a new round from a copy.
	Edit(id string)
	Duplicate(id string)
	// Disagreements makes a round of those models that the annotators of this one disagree on.
	Disagreements(id string)
	// Close closes a round, after a question, or opens it again; Delete removes one in which nobody
	// has done anything.
	Close(id string, closed bool)
	Delete(id string)
}

// Deps is what the screen is made from. Store is needed; the rest may be nil.
type Deps struct {
	Store Store
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Keys is the map of keys; nil means the usual one.
	Keys *keymap.Book
	// EditKeys opens the editor of the keys; nil where there is none.
	EditKeys func()
	// Scenes reads what background rounds show; nil where there are none.
	Scenes evidence.Scenes
	// Rounds creates and changes rounds; nil where that is not possible.
	Rounds Rounds
	// Invite writes a round package, Send writes the labels of this desk; nil hides their buttons.
	Invite, Send func(roundID string)
	// Plan plans anew what comes next for an annotator (its id) of a round whose most useful models
	// come first, where that is due; it is slow. Nil where nothing can plan.
	Plan func(ctx context.Context, round, annotator string) error
	// Agreement opens the agreement of annotators in a round; nil hides its button.
	Agreement func(roundID string)
	// FocusMode hides what stands around the screen in the window, or brings it back, while the
	// window is full screen.
	FocusMode func(on bool)
}

// The workspace settings that the screen remembers.
const (
	settingRound     = "label.round"
	settingAnnotator = "label.annotator"
	settingDetails   = "label.details"
	settingAuto      = "label.auto"
	settingIdle      = "label.idle" // seconds
	settingMap       = evidence.SettingMap
	// settingAnnotators is the store's table of annotators; it is only listened to.
	settingAnnotators = "annotators"
)
