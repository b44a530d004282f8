// Package label holds labelling rounds and label events as plain values, and what follows from
// them: the current label of an item, the order in which an annotator sees the items, training
// labels and merging (DESIGN.md section 6).
package label

import "time"

// Value is a label. In files, flags and JSON it is the word.
type Value string

// The labels in their order; a round of two classes uses Invariant and Variant.
const (
	Invariant  Value = "invariant"
	Borderline Value = "borderline"
	Variant    Value = "variant"
)

// Kind is what an event does.
type Kind string

// The kinds of label event.
const (
	Label      Kind = "label"
	Skip       Kind = "skip"
	Note       Kind = "note"
	Undo       Kind = "undo"
	Adjudicate Kind = "adjudicate"
	// Plan is the order in which an annotator's next models come, in a round with OrderUseful.
	// Its Model is the first of Queue.
	Plan Kind = "plan"
)

// Discussion is the flag of notes that belong to the discussion of an item and not to somebody's
// label of it.
const Discussion = "discussion"

// ByRuleNote is what is said wherever labels of a round are shown that a rule has made
// (Round.ByRule).
const ByRuleNote = "example labels, made by a rule"

// Range is a colour range of a modality.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Event is one append-only record of a round. Its ID is a ULID, unique over all desks.
type Event struct {
	ID         string           `json:"id"`
	Desk       string           `json:"desk"`
	Round      string           `json:"round"`
	Model      string           `json:"model"` // hash
	Annotator  string           `json:"annotator"`
	Kind       Kind             `json:"kind"`
	Pass       int              `json:"pass"` // 1, or 2 for an unannounced repeat
	Value      Value            `json:"value,omitempty"`
	Sure       bool             `json:"sure"`
	Flag       string           `json:"flag,omitempty"`
	Note       string           `json:"note,omitempty"`
	Started    time.Time        `json:"started"`
	Saved      time.Time        `json:"saved"`
	Seconds    float64          `json:"seconds"` // active time
	Ranges     map[string]Range `json:"ranges,omitempty"`
	Guideline  string           `json:"guideline,omitempty"`  // hash of the text in force
	Supersedes string           `json:"supersedes,omitempty"` // the event that this one replaces or undoes
	Queue      []string         `json:"queue,omitempty"`      // of a plan: hashes of the models that come next, in order
}

// RoundKind is what a round's items are judged by.
type RoundKind string

// Rounds over variance matrices of a family, or over background scatter plots.
const (
	VarianceRound   RoundKind = "variance"
	BackgroundRound RoundKind = "background"
)

// Reveal says when a blind round shows annotators the labels of others.
type Reveal string

// A blind round reveals labels when it is closed, or to each annotator who has finished.
const (
	RevealClosed   Reveal = ""
	RevealFinished Reveal = "finished"
)

// OrderUseful is the Order of a round whose most useful models come first: those that an assessor
// trained on the annotator's own labels is least sure of and, where annotators see each other's
// labels, before them those on which they differ.
const OrderUseful = "useful"

// Closing is one time at which a round was closed or opened again.
type Closing struct {
	At   time.Time `json:"at"`
	By   string    `json:"by"` // id of the desk
	Open bool      `json:"open,omitempty"`
}

// MaxPictures is the largest size of a guideline's pictures together, in bytes: they are read with
// the round.
const MaxPictures = 3 << 20

// Round is a labelling task. All but Guideline, Pictures, Closed, Closings and appended Models
// are frozen at the first label.
type Round struct {
	ID        string    `json:"id"` // ULID
	Name      string    `json:"name"`
	Kind      RoundKind `json:"kind"`
	Created   time.Time `json:"created"`
	Suite     string    `json:"suite"`  // content hash
	Family    string    `json:"family"` // canonical text
	Selection string    `json:"selection,omitempty"`
	// Interpolants are the RBF settings of a background round.
	Interpolants []string         `json:"interpolants,omitempty"`
	Modalities   []string         `json:"modalities"` // max@CONF, ...
	Filter       string           `json:"filter"`     // image filter, "all"
	Ranges       map[string]Range `json:"ranges"`
	Classes      int              `json:"classes"`   // 2 or 3
	Guideline    string           `json:"guideline"` // markdown
	// Pictures are the pictures that the guideline shows, as PNG or JPEG data, by the name in its
	// text: ![a cross](NAME). A name holds the hash of its data, so that the hash of the text in
	// force is also that of its pictures.
	Pictures   map[string][]byte `json:"pictures,omitempty"`
	Annotators []string          `json:"annotators"`
	Blind      bool              `json:"blind"` // others' labels are hidden until Reveal
	Reveal     Reveal            `json:"reveal,omitempty"`
	OrderSeed  uint64            `json:"order_seed"`
	// Ordered has every annotator see the models in the order of Models, in place of a shuffle of
	// their own. Repeats are drawn from OrderSeed all the same.
	Ordered     bool     `json:"ordered,omitempty"`
	RepeatShare float64  `json:"repeat_share"`
	Models      []string `json:"models"` // hashes; each is an item
	// Fields are the fields of the models' records that annotators see, by name. Nil, as in rounds
	// of older versions, stands for all that do not tell the answer (TellsAnswer); an empty list
	// shows none.
	Fields []string `json:"fields,omitzero"`
	// Curves are the training curves that annotators see, by name, such as test_loss. Nil stands
	// for all; an empty list shows none.
	Curves []string `json:"curves,omitzero"`
	// Pinned are those of Fields and Curves (CurvePrefix and the name) that keep a fixed place on
	// the screen, in this order.
	Pinned []string `json:"pinned,omitempty"`
	// Words are the round's own names of labels, such as robust for invariant; labels without one
	// keep their usual word.
	Words map[Value]string `json:"words,omitempty"`
	// Order is "" for the order that OrderSeed and Ordered give, or OrderUseful.
	Order string `json:"order,omitempty"`
	// Overlap is how many of the annotators label each model (see Assignment); 0 stands for all
	// of them.
	Overlap int `json:"overlap,omitempty"`
	// Known are models with a known answer, by which annotators are calibrated. Everybody labels
	// them, whatever Overlap says, and is not told which they are before the answers are shown
	// (SeesKnown). At other desks answers may be empty (Sealed).
	Known map[string]Value `json:"known,omitempty"`
	// KnownFirst has Known go first, in place of being mixed in.
	KnownFirst bool `json:"known_first,omitempty"`
	Closed     bool `json:"closed"`
	// ByRule says that no person has given the labels (ByRuleNote).
	ByRule bool   `json:"by_rule,omitempty"`
	Parent string `json:"parent,omitempty"` // id of the round whose disagreements this one takes up
	// Closings are the times at which the round was closed and opened again, oldest first; rounds
	// that were closed by older versions have none of these.
	Closings []Closing `json:"closings,omitempty"`
}
