package invariance

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/figures"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// casesPane is the tab that explains; it is always up to date.
type casesPane struct{}

func (casesPane) show() {}

// newCases explains effective invariance by four cases, with the formula in words above.
func newCases(saver *figures.Saver) fyne.CanvasObject {
	f, err := figures.Cases()
	if err != nil { // the cases are constants: only a fault in the measuring
		return fynewidget.NewLabel(present.Sentence(err))
	}
	picture := widget.NewPairs(f)
	picture.Menu = func() []*fyne.MenuItem { return saver.Entries(figures.CasesFigure(f)) }
	text := fynewidget.NewLabel("Effective invariance compares what a model says of an image with what it says of the same image after a change. " +
		"Where both predictions are the same class, EI is the square root of the product of the two confidences; where they are not, it is 0. " +
		"So it asks for both at once: that the prediction stays, and that the model is sure of it. No label is needed. " +
		"A divergence of the softmax vectors, such as JS, only sees change: it prefers B and D, where the model knows little, to A.")
	text.Wrapping = fyne.TextWrapWord
	return container.NewVScroll(container.NewVBox(text, picture))
}
