// Package pane is what the inspect screen and the panes below its matrices say to each other: what is being looked at, and
// what a pane may ask for. A pane is one tab: images behind a cell, cross-sections, preview, graph, comparison.
package pane

import (
	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/screen/evidence"
)

// Subject is what the inspect screen shows. It is immutable; every change of model, signals, controls or focus makes a new
// one.
type Subject struct {
	Model    model.Model
	Suite    suite.Manifest // whole, with Labels
	Family   string         // canonical text
	Set      *signal.Set    // all arrays that the modalities need, with Predictions and Confidence; nil without signals
	Mapping  []int          // suite label -> class of the model, -1 unknown; nil: the same numbers
	Images   variance.Images
	Chosen   []int // the images that Images chooses, ascending; nil when none is left
	First    int   // the sub-interval of V: transformations First..Last of the family, both included
	Last     int
	Evidence evidence.Evidence // the matrices on the screen; Tiles are cut to the sub-interval
	View     evidence.View
	Focus    Focus
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

// Host is what a pane may ask of the inspect screen. All methods are called on the main goroutine.
type Host interface {
	// Exclude leaves images out of every matrix of this model, Include takes them back in; both can be undone.
	Exclude(images []int)
	Include(images []int)
	// Focus moves the focus; panes get a new Subject.
	Focus(f Focus)
	// Open shows another model.
	Open(modelHash string)
	// ShowPosition asks for the matrices of a position, which may be any tensor of the model, beside the others. Where
	// there are no signals for it the screen says how to compute them.
	ShowPosition(position string)
	// Status shows a line of text, ShowError an error.
	Status(text string)
	ShowError(err error)
}

// Pane is one tab below the matrices. All methods are called on the main goroutine.
type Pane interface {
	Title() string
	Object() fyne.CanvasObject
	// Show hands the pane what is being looked at, whenever that changed while the pane is visible, and when it becomes
	// visible. Work beyond a few milliseconds goes to the background; a stale answer is dropped.
	Show(s Subject)
	// Hidden is called when the tab or the screen leaves the front; Show is called when it is back.
	Hidden()
	// Close ends the pane.
	Close()
	// Tall asks for the room of the matrices as well: the row of matrices is hidden while the pane is visible.
	Tall() bool
}
