package dialogs

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
)

func sentence(err error) string { return present.Sentence(err) }

// cancelled tells a cancel from a failure.
func cancelled(err error) bool { return present.Cancelled(err) }

// wrapped is a label of as many lines as its text needs.
func wrapped(text string) *widget.Label {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	return label
}

// titled puts a small heading above an object.
func titled(title string, object fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVBox(widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true}), object)
}

// headed puts an object below a small heading and whatever else stands above it, and gives it the
// rest of the room.
func headed(title string, object fyne.CanvasObject, above ...fyne.CanvasObject) fyne.CanvasObject {
	head := widget.NewLabelWithStyle(title, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	return container.NewBorder(container.NewVBox(append([]fyne.CanvasObject{head}, above...)...), nil, nil, nil, object)
}

// scrolledText is a long text that can be read and copied, at least this high. Each paragraph is a
// label of its own: Fyne lays out one label of thousands of lines in many seconds.
func scrolledText(text string, height float32) fyne.CanvasObject {
	paragraphs := container.NewVBox()
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		label := wrapped(paragraph)
		label.Selectable = true
		paragraphs.Add(label)
	}
	scroll := container.NewVScroll(paragraphs)
	scroll.SetMinSize(fyne.NewSize(0, height))
	return scroll
}
