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

// Change is what a subscriber gets.
type Change struct {
	Kind ChangeKind
	ID   string
}

// Broadcast tells subscribers of changes. The zero value is ready; it is safe for many goroutines.
type Broadcast struct {
	mu          sync.RWMutex
	next        int
	subscribers map[int]func(Change)
}

// Subscribe calls notify after each committed change, on the goroutine that made it and with no
// lock of the workspace held; notify should return soon. cancel ends it; a call that is under way
// may still finish after cancel.
func (b *Broadcast) Subscribe(notify func(Change)) (cancel func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.subscribers == nil {
		b.subscribers = map[int]func(Change){}
	}
	id := b.next
	b.next++
	b.subscribers[id] = notify
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.subscribers, id)
	}
}

func (b *Broadcast) tell(kind ChangeKind, id string) {
	b.mu.RLock()
	told := make([]func(Change), 0, len(b.subscribers))
	for _, notify := range b.subscribers {
		told = append(told, notify)
	}
	b.mu.RUnlock()
	for _, notify := range told {
		notify(Change{Kind: kind, ID: id})
	}
}

// Subscribe calls notify after each change that was committed to the workspace; see
// Broadcast.Subscribe.
func (w *Workspace) Subscribe(notify func(Change)) (cancel func()) {
	return w.changes.Subscribe(notify)
}

// Changes is the workspace's broadcast.
func (w *Workspace) Changes() *Broadcast { return &w.changes }
