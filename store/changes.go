package store

import "sync"

// ChangeKind says what kind of thing changed.
type ChangeKind string

// The kinds of change, and what Change.ID is for each.
const (
	ModelChanged       ChangeKind = "model"        // the model's hash
	SuiteChanged       ChangeKind = "suite"        // the suite's hash
	SignalsChanged     ChangeKind = "signals"      // the model's hash
	RoundChanged       ChangeKind = "round"        // the round's id
	LabelsChanged      ChangeKind = "labels"       // the round's id
	RunChanged         ChangeKind = "run"          // the run's id
	CurrentChanged     ChangeKind = "current"      // empty
	SettingChanged     ChangeKind = "setting"      // the setting's key
	AssessorChanged    ChangeKind = "assessor"     // the assessor's name; a new name is told after the old one
	ImageLabelsChanged ChangeKind = "image-labels" // of single images: the suite's hash or the table's id
	PredictionsChanged ChangeKind = "predictions"  // the id of the table of predictions
	BackgroundChanged  ChangeKind = "background"   // the mask set's, keyword table's, ontology's or selection's
)

// Change is what a subscriber hears.
type Change struct {
	Kind ChangeKind
	ID   string
}

// Broadcast tells subscribers of changes. The zero value is ready; it is safe for many goroutines.
type Broadcast struct {
	mu   sync.RWMutex
	next int
	hear map[int]func(Change)
}

// Subscribe calls hear after each committed change, on the goroutine that made it and with no lock
// of the workspace held; hear should return soon. cancel ends it; a call that is under way may
// still finish after cancel.
func (b *Broadcast) Subscribe(hear func(Change)) (cancel func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hear == nil {
		b.hear = map[int]func(Change){}
	}
	id := b.next
	b.next++
	b.hear[id] = hear
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.hear, id)
	}
}

func (b *Broadcast) tell(kind ChangeKind, id string) {
	b.mu.RLock()
	hearers := make([]func(Change), 0, len(b.hear))
	for _, hear := range b.hear {
		hearers = append(hearers, hear)
	}
	b.mu.RUnlock()
	for _, hear := range hearers {
		hear(Change{Kind: kind, ID: id})
	}
}

// Subscribe calls hear after each change that was committed to the workspace; see
// Broadcast.Subscribe.
func (w *Workspace) Subscribe(hear func(Change)) (cancel func()) { return w.changes.Subscribe(hear) }

// Changes is the workspace's broadcast.
func (w *Workspace) Changes() *Broadcast { return &w.changes }
