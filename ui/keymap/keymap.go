// Package keymap says which key does what on the label screen: the actions with their usual keys,
// one's own choice of keys, and its text in the preferences of this computer. Keys are what is
// typed, not where it is on the keyboard, so that they work on any layout.
package keymap

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// ID names an action. It stands in the preferences and never changes.
type ID string

// The actions of the label screen.
const (
	Invariant   ID = "label.invariant"
	Borderline  ID = "label.borderline"
	Variant     ID = "label.variant"
	Skip        ID = "label.skip"
	Unsure      ID = "label.unsure"
	Note        ID = "label.note"
	Flag        ID = "label.flag"
	Undo        ID = "label.undo"
	Redo        ID = "label.redo"
	Back        ID = "move.back"
	Forward     ID = "move.forward"
	Return      ID = "move.return"
	AutoAdvance ID = "move.auto"
	Items       ID = "move.items"
	NextFlagged ID = "move.flagged"
	NextMatrix  ID = "view.next"
	PrevMatrix  ID = "view.previous"
	AllMatrices ID = "view.all"
	RangeShared ID = "range.shared"
	RangePaper  ID = "range.paper"
	RangeOwn    ID = "range.own"
	ColourMap   ID = "view.map"
	Details     ID = "view.details"
	RecordDown  ID = "view.down"
	RecordUp    ID = "view.up"
	Guideline   ID = "view.guideline"
	FullScreen  ID = "view.full"
	Pause       ID = "work.pause"
	SignOut     ID = "work.out"
	Help        ID = "help"
)

// Action is something that a key does.
type Action struct {
	ID    ID
	Title string // after the group, as a person says it
	Group string
	// Repeats tells that a key held down acts again and again; all others act once per press.
	Repeats bool
	keys    string // the usual ones, separated by blanks
	// yields tells that the action came after people had chosen keys: where they gave its usual
	// keys to another action, it has none.
	yields bool
}

// The groups of actions, in their order.
const (
	groupLabel = "Label"
	groupMove  = "Move"
	groupView  = "View"
	groupWork  = "Work"
)

func actions() []Action {
	return []Action{
		{ID: Invariant, Title: "Invariant", Group: groupLabel, keys: "I"},
		{ID: Borderline, Title: "Borderline", Group: groupLabel, keys: "B"},
		{ID: Variant, Title: "Variant", Group: groupLabel, keys: "V"},
		{ID: Skip, Title: "Skip: come back at the end", Group: groupLabel, keys: "S"},
		{ID: Unsure, Title: "Unsure", Group: groupLabel, keys: "U"},
		{ID: Note, Title: "Write a note", Group: groupLabel, keys: "N"},
		{ID: Flag, Title: "Flag", Group: groupLabel, keys: "F"},
		{ID: Undo, Title: "Undo", Group: groupLabel, keys: "Z Backspace"},
		{ID: Redo, Title: "Redo", Group: groupLabel, keys: "Y"},
		{ID: Back, Title: "Look at the one before", Group: groupMove, Repeats: true, keys: "Left"},
		{ID: Forward, Title: "Go on to the next", Group: groupMove, Repeats: true, keys: "Right Return Enter"},
		{ID: Return, Title: "Back to the open one", Group: groupMove, keys: "End Escape"},
		{ID: AutoAdvance, Title: "Move on automatically after a label, or not", Group: groupMove, keys: "A"},
		{ID: Items, Title: "List of my models", Group: groupMove, keys: "L", yields: true},
		{ID: NextFlagged, Title: "Go to the next flagged one", Group: groupMove, keys: "J", yields: true},
		{ID: NextMatrix, Title: "Enlarge the next matrix", Group: groupView, keys: "PageDown E"},
		{ID: PrevMatrix, Title: "Enlarge the previous matrix", Group: groupView, keys: "PageUp"},
		{ID: AllMatrices, Title: "All matrices again", Group: groupView, keys: "Home W"},
		{ID: RangeShared, Title: "Colour range of the round", Group: groupView, keys: "D"},
		{
			ID: RangePaper, Title: "Colour range of the figures in the ML4ML paper [1], 0 to 0.15", Group: groupView,
			keys: "P",
		},
		{ID: RangeOwn, Title: "Own colour range", Group: groupView, keys: "O"},
		{ID: ColourMap, Title: "Next colour map", Group: groupView, keys: "C"},
		{ID: Details, Title: "Training record and curves", Group: groupView, keys: "M"},
		{ID: RecordDown, Title: "Scroll the record down", Group: groupView, Repeats: true, keys: "Down", yields: true},
		{ID: RecordUp, Title: "Scroll the record up", Group: groupView, Repeats: true, keys: "Up", yields: true},
		{ID: Guideline, Title: "Guideline", Group: groupView, keys: "G"},
		{ID: FullScreen, Title: "Full screen", Group: groupView, keys: "F11"},
		{ID: Pause, Title: "Pause", Group: groupWork, keys: "Space"},
		{ID: SignOut, Title: "Sign out", Group: groupWork, keys: "Q"},
		{ID: Help, Title: "All keys", Group: groupWork, keys: "? F1"},
	}
}

// Actions are all actions in the order in which they are listed.
func Actions() []Action { return slices.Clone(actions()) }

// Find is the action with that id.
func Find(id ID) (Action, bool) {
	at := slices.IndexFunc(actions(), func(a Action) bool { return a.ID == id })
	if at < 0 {
		return Action{}, false
	}
	return actions()[at], true
}

// Map says which keys do what. The zero value has no keys; Default has the usual ones. A Map is
// immutable.
type Map struct{ keys map[ID][]Key }

// Default is the usual map. The digits, also those of the number pad, are not in it: what they
// mean depends on the round (see Digit).
func Default() Map {
	m := Map{keys: map[ID][]Key{}}
	for _, a := range actions() {
		m.keys[a.ID] = usual(a)
	}
	return m
}

func usual(a Action) []Key {
	var keys []Key
	for _, text := range strings.Fields(a.keys) {
		k, err := ParseKey(text)
		if err != nil {
			panic(fmt.Sprintf("keymap: action %s: %v", a.ID, err))
		}
		keys = append(keys, k)
	}
	return keys
}

// Keys are the keys of an action.
func (m Map) Keys(id ID) []Key { return slices.Clone(m.keys[id]) }

// First is the first key of an action as it stands on a button, "" without one.
func (m Map) First(id ID) string {
	if keys := m.keys[id]; len(keys) > 0 {
		return keys[0].Label()
	}
	return ""
}

// Text is a word with the first key of an action in brackets, as on buttons.
func (m Map) Text(word string, id ID) string {
	if key := m.First(id); key != "" {
		return fmt.Sprintf("%s (%s)", word, key)
	}
	return word
}

// Action is what a key does.
func (m Map) Action(k Key) (Action, bool) {
	for _, a := range actions() {
		if slices.Contains(m.keys[a.ID], k) {
			return a, true
		}
	}
	return Action{}, false
}

// With returns the map in which an action has these keys. A key that another action has is
// refused, with a sentence that names it; so is a key that belongs to the window.
func (m Map) With(id ID, keys ...Key) (Map, error) {
	if _, known := Find(id); !known {
		return m, fmt.Errorf("there is no action %q", id)
	}
	var own []Key
	for _, k := range keys {
		if err := k.problem(); err != nil {
			return m, err
		}
		if a, taken := m.Action(k); taken && a.ID != id {
			return m, fmt.Errorf("%s is the key of %q; choose another, or take it away there first", k.Word(), a.Title)
		}
		if !slices.Contains(own, k) {
			own = append(own, k)
		}
	}
	next := Map{keys: make(map[ID][]Key, len(m.keys))}
	for other, list := range m.keys {
		next.keys[other] = list
	}
	next.keys[id] = own
	return next, nil
}

// JSON is the map as it is kept in the preferences: the actions whose keys differ from the usual
// ones. It is "" for the usual map.
func (m Map) JSON() string {
	changed := map[ID][]string{}
	for _, a := range actions() {
		if slices.Equal(m.keys[a.ID], usual(a)) {
			continue
		}
		texts := []string{}
		for _, k := range m.keys[a.ID] {
			texts = append(texts, k.String())
		}
		changed[a.ID] = texts
	}
	if len(changed) == 0 {
		return ""
	}
	text, err := json.Marshal(changed)
	if err != nil {
		panic(err) // a map of texts has a JSON text
	}
	return string(text)
}

// Parse reads what JSON wrote. Actions that this version does not know are left out; a map in
// which a key would do two things is refused, and the usual one returned with the error.
func Parse(text string) (Map, error) {
	if strings.TrimSpace(text) == "" {
		return Default(), nil
	}
	var changed map[ID][]string
	if err := json.Unmarshal([]byte(text), &changed); err != nil {
		return Default(), fmt.Errorf("the keys in the preferences cannot be read, "+
			"so the usual ones are in force: %w", err)
	}
	m := Default()
	for id := range changed { // first give all their keys back, since two may have changed places
		if _, known := Find(id); known {
			m.keys[id] = nil
		}
	}
	for _, a := range actions() {
		texts, ok := changed[a.ID]
		if !ok {
			continue
		}
		var keys []Key
		for _, t := range texts {
			k, err := ParseKey(t)
			if err != nil {
				return Default(), fmt.Errorf("keys of %s: %w", a.ID, err)
			}
			if other, taken := m.Action(k); taken && other.yields && changed[other.ID] == nil {
				m.keys[other.ID] = slices.DeleteFunc(m.keys[other.ID], func(o Key) bool { return o == k })
			}
			keys = append(keys, k)
		}
		var err error
		if m, err = m.With(a.ID, keys...); err != nil {
			return Default(), fmt.Errorf("keys of %s: %w", a.ID, err)
		}
	}
	return m, nil
}
