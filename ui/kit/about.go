package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/widget"
)

// About says what a screen answers and how its answer is read. The question stands in a low line
// at the head of the screen, or right of a tab bar (NewTabBar); a button there opens the rest.
type About struct {
	// Question is what the screen answers.
	Question string
	// Reading says how numbers and pictures are read, a paragraph each.
	Reading []string
	// Worked are small examples, drawn by the figures of the screen, with titles and notes. It is
	// called on the main goroutine, whenever somebody asks, and must be quick.
	Worked func() ([]result.Figure, error)
}

// The size of the dialog, and how many figures stand beside each other there.
const aboutWidth, aboutHeight, aboutColumns = 820, 620, 2

// Line is the low line with the question and the button.
func (a *About) Line(h *Host) fyne.CanvasObject {
	question := fynewidget.NewLabel(a.Question)
	question.SizeName, question.Importance = theme.SizeNameCaptionText, fynewidget.LowImportance
	question.Truncation = fyne.TextTruncateEllipsis
	read := fynewidget.NewButtonWithIcon("How to read this", theme.HelpIcon(), func() { a.open(h) })
	read.Importance = fynewidget.LowImportance
	return container.New(lowLine{}, question, read)
}

// open shows how the screen is read.
func (a *About) open(h *Host) {
	question := widget.Bold(a.Question)
	question.Wrapping = fyne.TextWrapWord
	texts := container.NewVBox(question)
	for _, paragraph := range a.Reading {
		text := widget.Wrapped(paragraph)
		texts.Add(text)
	}
	list, err := a.Worked()
	if err != nil {
		h.Fail(err)
		return
	}
	size := h.Window.Canvas().Size()
	d := h.NewDialog("How to read this", fyne.NewSize(min(aboutWidth, size.Width), min(aboutHeight, size.Height)))
	worked := Beside(h, "worked example", min(aboutColumns, len(list)), list)
	d.Show(container.NewBorder(texts, nil, nil, nil, worked), d.CloseButton("Close"))
	d.Present(nil)
}

// lowLine lays a text and a button into a line that is hardly higher than the text. Objects: text,
// button.
type lowLine struct{}

// Layout implements fyne.Layout.
func (lowLine) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	text, button := objects[0], objects[1]
	width, high := button.MinSize().Width, text.MinSize().Height
	text.Move(fyne.NewPos(0, (size.Height-high)/2))
	text.Resize(fyne.NewSize(max(size.Width-width, 0), high))
	button.Move(fyne.NewPos(max(size.Width-width, 0), 0))
	button.Resize(fyne.NewSize(width, size.Height))
}

// MinSize implements fyne.Layout: without the margins above and below a text and a button.
func (lowLine) MinSize(objects []fyne.CanvasObject) fyne.Size {
	line := fyne.MeasureText("X", theme.TextSize(), fyne.TextStyle{}).Height
	return fyne.NewSize(objects[1].MinSize().Width, max(line, widget.Grown()*theme.IconInlineSize()))
}
