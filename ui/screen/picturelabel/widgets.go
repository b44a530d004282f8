package picturelabel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

const (
	// mostOffers is how many classes are offered at a time where they are searched for.
	mostOffers = 40
	// perColumn is how many classes with keys stand in a column.
	perColumn = 13
	// classWidth is the width of the column, or columns, of classes.
	classWidth = 190
	// leastSide is the side of the picture in a small window.
	leastSide = 200
	// smallSide is the side of the picture as from afar.
	smallSide = 128
)

// widgets holds the screen's widgets. It decides nothing: it shows the session and forwards actions
// to the screen.
type widgets struct {
	s       *Screen
	surface *widget.UndoSurface

	progress, name, given, line, sought *fynewidget.Label
	bar                                 *widget.Track
	frame                               *kit.Frame
	// the picture as from afar: few pixels, enlarged much, are hard to recognise
	small                        *canvas.Image
	sample                       *fynewidget.Label // in place of a picture
	head, work, end              *fyne.Container
	endText                      *fynewidget.Label
	rest                         *fynewidget.Button
	offers                       []*fynewidget.Button
	offered                      []int // the class of each visible offer
	more                         *fynewidget.Label
	undo, redo, back, next, skip *fynewidget.Button
}

func newWidgets(s *Screen) *widgets {
	f := &widgets{s: s}
	f.frame = kit.NewFrame(leastSide)
	f.small = &canvas.Image{FillMode: canvas.ImageFillContain, ScaleMode: canvas.ImageScaleSmooth}
	f.small.SetMinSize(fyne.NewSquareSize(smallSide))
	f.sample = fynewidget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	f.sample.SizeName, f.sample.Wrapping = theme.SizeNameHeadingText, fyne.TextWrapBreak
	f.given = fynewidget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	text := container.NewVBox(layout.NewSpacer(), f.sample, layout.NewSpacer())
	f.work = container.NewBorder(nil, f.given, nil, nil, container.NewStack(f.frame, text))
	f.buildEnd()
	f.surface = widget.NewUndoSurface(container.NewBorder(f.header(), f.foot(), nil, f.classes(),
		container.NewStack(f.work, f.end)))
	f.surface.OnUndo, f.surface.OnRedo = s.undo, s.redo
	f.surface.Keys = f.pressedKeys()
	return f
}

// pressedKeys are the keys of the surface, without the repeats of a key that acts once per press:
// a repeat would label images that nobody has looked at. A press of a character is reported as a
// key first, which must not spend it.
func (f *widgets) pressedKeys() widget.Keys {
	return widget.Keys{OnRune: func(r rune) {
		if f.s.keys == nil || f.surface.Spend() {
			f.s.typed(r)
		}
	}, OnKey: func(ev *fyne.KeyEvent) bool {
		if f.s.repeats(ev.Name) || slices.Contains(onceKeys, ev.Name) && f.surface.Spend() {
			f.s.pressed(ev.Name)
		}
		return true
	}}
}

func (f *widgets) header() fyne.CanvasObject {
	f.progress, f.name = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	f.name.Truncation = fyne.TextTruncateEllipsis
	f.bar = widget.NewTrack()
	by := fynewidget.NewLabel("nobody is signed in")
	if f.s.by != "" {
		by.SetText(fmt.Sprintf("labels by %s", f.s.by))
	}
	bar := container.NewCenter(container.NewGridWrap(fyne.NewSize(140, 12), f.bar))
	f.head = container.NewBorder(nil, nil, f.progress, container.NewHBox(by, bar), f.name)
	return f.head
}

func (f *widgets) buildEnd() {
	head := fynewidget.NewLabelWithStyle("Done", fyne.TextAlignCenter, fyne.TextStyle{Bold: true})
	head.SizeName = theme.SizeNameHeadingText
	f.endText = fynewidget.NewLabelWithStyle("", fyne.TextAlignCenter, fyne.TextStyle{})
	f.rest = fynewidget.NewButton("Show those without a label", f.then(f.s.restart))
	finish := fynewidget.NewButtonWithIcon("Close", theme.ConfirmIcon(), func() { f.s.dialog.Close() })
	finish.Importance = fynewidget.HighImportance
	f.end = container.NewVBox(layout.NewSpacer(), head, f.endText,
		container.NewCenter(container.NewHBox(f.rest, finish)), layout.NewSpacer())
}

func (f *widgets) foot() fyne.CanvasObject {
	f.line = fynewidget.NewLabel("")
	f.line.Truncation = fyne.TextTruncateEllipsis
	help := "A class's key: label with it. " +
		"Space: skip, Backspace: take back, Left and Right: look at others, Escape: close"
	if f.s.keys == nil {
		help = "Type to search a class, Return: take the first. Space: skip, Backspace: take back, Left and Right: " +
			"look at others, Escape: close"
	}
	keys := fynewidget.NewLabel(help)
	keys.Truncation = fyne.TextTruncateEllipsis
	return container.NewVBox(f.line, keys)
}

// classes are the buttons of the classes, with a line of what is searched for where there are more
// than keys.
func (f *widgets) classes() fyne.CanvasObject {
	count, columns := len(f.s.task.Classes), 1
	if f.s.keys == nil {
		count = mostOffers
	} else {
		columns = max(1, (count+perColumn-1)/perColumn)
	}
	grid := container.New(layout.NewGridLayoutWithColumns(columns))
	for k := range count {
		b := fynewidget.NewButton("", f.then(func() { f.s.label(f.offered[k]) }))
		b.Alignment = fynewidget.ButtonAlignLeading
		f.offers = append(f.offers, b)
		grid.Add(b)
	}
	f.sought, f.more = fynewidget.NewLabel(""), fynewidget.NewLabel("")
	f.more.Importance, f.sought.Truncation = fynewidget.LowImportance, fyne.TextTruncateEllipsis
	f.sought.Hidden, f.more.Hidden = f.s.keys != nil, f.s.keys != nil
	scroll := container.NewVScroll(container.NewVBox(grid, f.more))
	scroll.SetMinSize(fyne.NewSize(float32(columns)*classWidth, 0))
	return container.NewBorder(f.sought, container.NewPadded(container.NewHBox(f.small)), nil, nil, scroll)
}

// actions are the buttons at the foot of the dialog.
func (f *widgets) actions() []fyne.CanvasObject {
	button := func(text string, icon fyne.Resource, action func()) *fynewidget.Button {
		return fynewidget.NewButtonWithIcon(text, icon, f.then(action))
	}
	f.undo = button("Undo", theme.ContentUndoIcon(), f.s.undo)
	f.redo = button("Redo", theme.ContentRedoIcon(), f.s.redo)
	f.back = button("Back", theme.NavigateBackIcon(), func() { f.s.move(-1) })
	f.next = button("Next", theme.NavigateNextIcon(), func() { f.s.move(1) })
	f.skip = button("Skip", theme.MediaSkipNextIcon(), f.s.pass)
	finish := f.s.dialog.CloseButton("Close")
	return []fyne.CanvasObject{finish, f.undo, f.redo, f.back, f.next, f.skip}
}

// then gives the keys back to the screen after a button's action, of which there is none before
// labels were read.
func (f *widgets) then(action func()) func() {
	return func() {
		if f.s.session != nil {
			action()
		}
		f.s.Focus()
	}
}

// message shows a line at the foot; a problem is shown in the colour of errors.
func (f *widgets) message(text string, problem bool) {
	f.line.Importance = fynewidget.MediumImportance
	if problem {
		f.line.Importance = fynewidget.DangerImportance
	}
	f.line.SetText(text)
}

// update shows the session as it is now.
func (f *widgets) update() {
	session := f.s.session
	ended := session.Ended()
	f.work.Hidden, f.end.Hidden, f.small.Hidden = ended, !ended, ended
	f.showClasses()
	_, _, undoable := session.Last()
	_, _, redoable := session.Undone()
	for button, on := range map[*fynewidget.Button]bool{
		f.undo: undoable, f.redo: redoable, f.back: session.At() > 0, f.next: !ended, f.skip: !ended,
	} {
		widget.Enable(button, on)
	}
	f.bar.SetValue(float64(session.Labelled()) / float64(max(session.Len(), 1)))
	defer f.head.Refresh() // its texts take other widths
	if ended {
		f.showEnd()
		return
	}
	image := session.Image(session.At())
	f.progress.SetText(fmt.Sprintf("%d of %d, %d labelled", session.At()+1, session.Len(), session.Labelled()))
	f.name.SetText(f.s.name(image))
	f.given.SetText(" ")
	if class, ok := session.Class(); ok {
		f.given.SetText(fmt.Sprintf("labelled %s", f.className(class)))
	}
	shown, pictures := f.s.picture(image), !f.s.without()
	f.frame.Hidden, f.sample.Hidden = !pictures, pictures
	f.frame.SetPicture(shown)
	if f.small.Image != shown {
		f.small.Image = shown
		f.small.Refresh()
	}
	f.sample.SetText(f.s.name(image))
	f.work.Refresh()
}

func (f *widgets) showEnd() {
	session := f.s.session
	open := session.Len() - session.Labelled()
	f.progress.SetText(result.Counted(session.Len(), "image"))
	f.name.SetText("")
	f.endText.SetText("Every image has a label.")
	if open > 0 {
		f.endText.SetText(present.ByCount(open, "%d image was skipped and has no label.",
			"%d images were skipped and have no label.", open))
	}
	f.rest.Hidden = open == 0
	f.end.Refresh()
}

// className is a class's name; a label from before may have a number that the task does not name.
func (f *widgets) className(class int) string {
	if class < len(f.s.task.Classes) {
		return f.s.task.Classes[class]
	}
	return strconv.Itoa(class)
}

// showClasses offers the classes: all with their keys, or the best that were found.
func (f *widgets) showClasses() {
	given, labelled := f.s.session.Class()
	f.offered = found(f.s.task.Classes, f.s.query)
	over := len(f.offered) - len(f.offers)
	if over > 0 {
		f.offered = f.offered[:len(f.offers)]
	}
	for k, b := range f.offers {
		b.Hidden = k >= len(f.offered)
		if b.Hidden {
			continue
		}
		b.Text, b.Importance = f.offerText(f.offered[k]), fynewidget.MediumImportance
		if labelled && given == f.offered[k] || f.s.query != "" && k == 0 {
			b.Importance = fynewidget.HighImportance
		}
		b.Refresh()
	}
	f.sought.SetText("type to search")
	if f.s.query != "" {
		f.sought.SetText(f.s.query + "▏")
	}
	switch {
	case len(f.offered) == 0:
		f.more.SetText("No class has such a name.")
	case over > 0:
		f.more.SetText(present.ByCount(over, "and %d more", "and %d more", over))
	default:
		f.more.SetText("")
	}
}

// offerText is a class with its key, if classes have keys that are not their names.
func (f *widgets) offerText(class int) string {
	name := f.s.task.Classes[class]
	if f.s.keys == nil {
		return name
	}
	if key := strings.ToUpper(string(f.s.keys[class])); key != strings.ToUpper(name) {
		return key + "   " + name
	}
	return name
}
