package store

import "sync"

// ChangeKind says what kind of thing changed.
type ChangeKind string

// The kinds of change. ID is the model's hash, the suite's hash, the model's hash, the round, the round, the run, "",
// the setting's key, the assessor's name (a new name is told after the old one), the suite's hash or the table's id, and the
// table's id.
const (
	ModelChanged    ChangeKind = "model"
	SuiteChanged    ChangeKind = "suite"
	SignalsChanged  ChangeKind = "signals"
	RoundChanged    ChangeKind = "round"
	LabelsChanged   ChangeKind = "labels"
	RunChanged      ChangeKind = "run"
	CurrentChanged  ChangeKind = "current"
	SettingChanged  ChangeKind = "setting"
	AssessorChanged ChangeKind = "assessor"
	// ImageLabelsChanged and PredictionsChanged are about labels of single images and tables of predictions.
	ImageLabelsChanged ChangeKind = "image-labels"
	PredictionsChanged ChangeKind = "predictions"
	// BackgroundChanged is about masks, keyword tables, ontologies and selections; ID is theirs.
	BackgroundChanged ChangeKind = "background"
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

// Subscribe calls hear after each committed change, on the goroutine that made it and with no lock of the workspace
// held; hear should return soon. cancel ends it; a call that is under way may still finish after cancel.
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

// Subscribe calls hear after each change that was committed to the workspace; see Broadcast.Subscribe.
func (w *Workspace) Subscribe(hear func(Change)) (cancel func()) { return w.changes.Subscribe(hear) }

// Changes is the workspace's broadcast.
func (w *Workspace) Changes() *Broadcast { return &w.changes }
