// Package pane is the seam between the Inspect screen and its tabs: what is looked at, and what a
// tab may ask for. A tab is a page of the kit: images behind a cell, cross-sections, preview,
// graph, comparison. It reads the subject anew when the screen says that it has changed.
package pane

import (
	"fmt"
	"strconv"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/widget"
)

// Subject is what the inspect screen shows. It is immutable; every change of model, signals,
// controls or focus makes a new one.
type Subject struct {
	Workspace string // its folder
	Model     model.Model
	Suite     suite.Manifest // whole, with Labels
	Family    string         // canonical text
	// all arrays that the modalities need, with Predictions and Confidence; nil without signals
	Set      *signal.Set
	Mapping  []int // suite label -> class of the model, -1 unknown; nil: the same numbers
	Images   variance.Images
	Chosen   []int // the images that Images chooses, ascending; nil when none is left
	First    int   // the sub-interval of V: transformations First..Last of the family, both included
	Last     int
	Evidence evidence.Evidence // the matrices on the screen; Tiles are cut to the sub-interval
	View     evidence.View
	Focus    Focus
}

// ImageName is the path of an image in its suite, "image 17" where it has none.
func (s Subject) ImageName(k int) string {
	if k < len(s.Suite.Files) {
		if name := s.Suite.ImageName(k); name != strconv.Itoa(k) {
			return name
		}
	}
	return fmt.Sprintf("image %d", k)
}

// Missing is the run that computes the signals of the model for its matrices; none where no run
// can.
func (s Subject) Missing() []kit.Missing {
	if s.Model.Hash == "" || s.Suite.Hash == "" || s.Family == "" {
		return nil
	}
	run := kit.Run{
		Models: []string{s.Model.Hash}, Suite: s.Suite.Hash, Family: s.Family, Modalities: s.Evidence.Modalities(),
	}
	return []kit.Missing{{
		Text: fmt.Sprintf("Compute the signals of %s on %s", s.Model.ID, s.Suite.Name), Runs: []kit.Run{run},
	}}
}

// Matrices is the command that makes matrices of models (IDs) from the same images, "" for
// transformations that it does not take.
func (s Subject) Matrices(models []string, modalities ...string) string {
	return s.command(models, modalities, func(*variance.Options, []float64) {})
}

// Pairs is the command that tells the images behind the element in focus, "" where none is.
func (s Subject) Pairs() string {
	if !s.Focus.Cell() {
		return ""
	}
	return s.command([]string{s.Model.ID}, []string{s.Focus.Modality}, func(o *variance.Options, values []float64) {
		if s.Focus.I < len(values) && s.Focus.J < len(values) {
			o.Element = variance.Between(values[s.Focus.I], values[s.Focus.J])
		}
	})
}

// command is the command that makes matrices, with what more adds to its options for the values of
// V.
func (s Subject) command(models, modalities []string, more func(o *variance.Options, values []float64)) string {
	family, err := transform.Parse(s.Family)
	if err != nil {
		return ""
	}
	o := variance.Options{
		Models: models, Suite: s.Suite.Name, Family: s.Family, Modality: modalities,
		Choice: variance.ChoiceOf(s.Images),
	}
	values := family.Values()
	if s.Last-s.First < len(values)-1 {
		o.Interval = values[s.Last]
	}
	more(&o, values)
	return option.Command([]string{"variscope", "matrix", s.Workspace}, &o)
}

// Named fills in what an element of this subject is of, between transformations in the family's
// numbering.
func (s Subject) Named(e *variance.Element, modality string, at [2]int) {
	family, err := transform.Parse(s.Family)
	if values := family.Values(); err == nil && max(at[0], at[1]) < len(values) {
		e.Name(s.Model.ID, modality, [2]float64{values[at[0]], values[at[1]]}, family.Unit())
	}
}

// Accuracies is the command that tells how accurate models (IDs) are under every transformation, ""
// where some images are left out: it takes all.
func (s Subject) Accuracies(models ...string) string {
	if !variance.ChoiceOf(s.Images).All() {
		return ""
	}
	var o invariance.Options
	option.SetDefaults(&o)
	o.Suite, o.Family, o.Models, o.Each = []string{s.Suite.Name}, []string{s.Family}, models, true
	return option.Command([]string{"variscope", "ei", s.Workspace}, &o)
}

// Focus is the cell that the person clicked last.
type Focus struct {
	Modality string // canonical text; "" before the first click, the first modality counts then
	I, J     int    // transformations in the family's numbering (not the sub-interval's); both -1 for the whole matrix
}

// Whole is the focus on a whole matrix.
func Whole(modality string) Focus { return Focus{Modality: modality, I: -1, J: -1} }

// Cell tells whether the focus is one cell.
func (f Focus) Cell() bool { return f.I >= 0 && f.J >= 0 }

// Screen is what a tab may ask of the inspect screen. All methods are called on the main goroutine.
type Screen interface {
	// Subject is what the screen shows now.
	Subject() Subject
	// Exclude leaves images out of every matrix of this model, Include takes them back in; both can
	// be undone.
	Exclude(images []int)
	Include(images []int)
	// Mark moves the focus, which makes a new subject.
	Mark(f Focus)
	// Open shows another model.
	Open(modelHash string)
	// ShowPosition asks for the matrices of a position, which may be any tensor of the model,
	// beside the others. Where there are no signals for it the screen says how to compute them.
	ShowPosition(position string)
}

// Tab is a tab of the screen. It uses the keys for which OnRune, which gets small letters, and
// OnKey return true, and leaves the others to the screen; both may be nil.
type Tab struct {
	kit.Tab
	// Tall asks for the room of the matrices, which are hidden then.
	Tall   bool
	OnRune func(r rune) bool
	OnKey  func(name fyne.KeyName) bool
}

// Site is where a tab stands. Its Refocus gives the screen the keyboard, which asks the tab first.
type Site struct {
	*kit.Host
	Screen Screen
	// Keys are for parts that have the keyboard themselves, such as a matrix: the tab's, then the
	// screen's.
	Keys widget.Keys
	// Spend tells whether a key that must act once per press may act (widget.Surface).
	Spend func() bool
}
