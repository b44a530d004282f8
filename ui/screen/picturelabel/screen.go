package picturelabel

import (
	"context"
	"fmt"
	"image"
	"path"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	parts "github.com/variscope/variscope/ui/widget"
)

// Screen asks for the labels of one task. All methods are called on Fyne's main goroutine.
type Screen struct {
	host    *kit.Host
	from    Store
	by      string // the annotator; "" for nobody
	task    Task
	session *Session             // nil until labels were read
	names   []string             // of images, without their folders, which often are their classes
	cache   *kit.ImageCache[int] // nil until labels were read, and where there are no images
	keys    []rune               // of the classes; nil where they are searched for
	query   string               // what was typed to search
	saving  bool
	changed bool // a label was stored
	closed  bool
	widgets *widgets
	dialog  *dialog.CustomDialog
	done    func()
}

// Open shows the screen over the host's window, on behalf of an annotator, "" for nobody. done,
// which may be nil, is called after it was left, if labels were given or taken back.
func Open(host *kit.Host, from Store, by string, task Task, done func()) *Screen {
	s := New(host, from, by, task)
	s.done = done
	s.ShowIn(host.Window)
	return s
}

// New makes the screen and begins to read.
func New(host *kit.Host, from Store, by string, task Task) *Screen {
	s := &Screen{host: host, from: from, by: by, task: task, keys: classKeys(task.Classes)}
	s.widgets = newWidgets(s)
	s.read()
	return s
}

// Object is what is shown.
func (s *Screen) Object() fyne.CanvasObject { return s.widgets.root }

// share of the window that the screen takes.
const share = 0.94

// ShowIn shows the screen over a window and gives it the keyboard.
func (s *Screen) ShowIn(w fyne.Window) {
	before := w.Canvas().Focused()
	s.dialog = dialog.NewCustomWithoutButtons(s.task.Title, parts.Fitting(s.widgets.root, w), w)
	s.dialog.SetButtons(s.widgets.actions())
	s.dialog.SetOnClosed(func() {
		s.Close()
		if before != nil {
			w.Canvas().Focus(before) // the keyboard goes back to where it was
		}
	})
	size := w.Canvas().Size()
	s.dialog.Resize(fyne.NewSize(size.Width*share, size.Height*share))
	s.dialog.Show()
	s.focus()
}

// Leave closes the dialog, as Escape does, or ends a search.
func (s *Screen) Leave() {
	switch {
	case s.query != "":
		s.search("")
	case s.dialog != nil:
		s.dialog.Hide()
	}
}

// Close lets the images go. What is being stored is still stored.
func (s *Screen) Close() {
	if s.closed {
		return
	}
	s.closed = true
	if s.cache != nil {
		s.cache.Close()
	}
	if s.done != nil && s.changed && !s.saving {
		s.done()
	}
}

// opened is what is read at the beginning.
type opened struct {
	labels map[int]int
	names  []string
	suite  string // of the images, "" for a table of predictions that came without any
}

func (s *Screen) read() {
	var o opened
	s.host.Work.Quiet("read labels of images", func(context.Context) error {
		kept, err := s.from.ImageLabels(s.task.Suite)
		if err != nil {
			return err
		}
		o.labels = make(map[int]int, len(kept))
		for at, l := range kept {
			o.labels[at] = l.Class
		}
		return o.find(s.from, s.task.Suite)
	}, func(err error) { s.begin(o, err) })
}

// find finds the suite of the images, or of those of a table, and their names. That a suite has no
// images here is no reason not to label it: the person may know them by their names.
func (o *opened) find(from Store, id string) error {
	tables, err := from.PredictionTables()
	if err != nil {
		return err
	}
	o.suite = id
	if at := slices.IndexFunc(tables, func(t store.PredictionTable) bool { return t.ID == id }); at >= 0 {
		o.suite, o.names = tables[at].Suite, tables[at].SampleNames
	}
	if o.names != nil || o.suite == "" {
		return nil
	}
	m, err := from.Suite(o.suite)
	if err != nil {
		return nil // who opens it says why
	}
	o.names = make([]string, m.Images)
	for at := range o.names {
		if name := m.ImageName(at); name != strconv.Itoa(at) {
			o.names[at] = path.Base(name)
		}
	}
	return nil
}

// begin shows what was read.
func (s *Screen) begin(o opened, err error) {
	switch {
	case s.closed:
		return
	case err != nil:
		s.problem(err)
		return
	}
	s.session, s.names = NewSession(s.task.Images, o.labels), o.names
	if o.suite != "" {
		s.cache = kit.NewImageCache[int](s.host.Work, func() {
			if err := s.cache.Problem(); err != nil {
				s.widgets.message(present.Sentence(err), true)
			}
			s.show()
		})
		s.cache.Use(o.suite, picture.Whole(s.from, o.suite, mostSide))
	}
	s.show()
}

const (
	// mostSide bounds the sides of pictures that are kept, in pixels.
	mostSide = 1024
	// ahead is how many pictures are read before they are shown.
	ahead = 4
)

// show brings the session's image to the screen and reads ahead.
func (s *Screen) show() {
	if s.closed || s.session == nil {
		return
	}
	at := s.session.At()
	for k := min(at+ahead, s.session.Len()-1); k > at; k-- { // what is wanted last is made first
		s.picture(s.session.Image(k))
	}
	s.widgets.update()
}

// picture is an image's picture; nil while it is being read, or where there is none.
func (s *Screen) picture(at int) image.Image {
	if s.cache == nil {
		return nil
	}
	return s.cache.Picture(at)
}

// name is what an image is called.
func (s *Screen) name(at int) string {
	if at < len(s.names) && s.names[at] != "" {
		return s.names[at]
	}
	return fmt.Sprintf("image %d", at)
}

// Seen tells whether the image at the position is on the screen, or never will be, so that it can
// be judged.
func (s *Screen) Seen() bool {
	if s.session == nil || s.session.Ended() {
		return false
	}
	return s.picture(s.session.Image(s.session.At())) != nil || s.without()
}

// without tells whether there are no pictures.
func (s *Screen) without() bool {
	return s.cache == nil || s.cache.Problem() != nil
}

// Label gives the image at the position a class and goes on when that is on disk.
func (s *Screen) Label(class int) {
	switch {
	case s.session == nil || s.session.Ended():
		return
	case s.saving:
		s.widgets.message("The last label is still being stored; press the key again.", false)
		return
	case !s.Seen():
		s.widgets.message("This image is still being read; look at it first.", false)
		return
	}
	image := s.session.Image(s.session.At())
	s.store(image, class, func() {
		s.session.Label(class)
		s.widgets.message(fmt.Sprintf("%s: %s", s.name(image), s.task.Classes[class]), false)
	})
}

// Undo takes the last label back and returns to its image.
func (s *Screen) Undo() {
	if s.session == nil || s.saving {
		return
	}
	image, before, ok := s.session.Last()
	if !ok {
		s.widgets.message("There is no label to take back.", false)
		return
	}
	s.store(image, before, func() {
		s.session.Undo()
		s.widgets.message(fmt.Sprintf("%s: label taken back", s.name(image)), false)
	})
}

// Redo gives the label that was taken back last again.
func (s *Screen) Redo() {
	if s.session == nil || s.saving {
		return
	}
	image, class, ok := s.session.Undone()
	if !ok {
		s.widgets.message("There is no label to give again.", false)
		return
	}
	s.store(image, class, func() {
		s.session.Redo()
		s.widgets.message(fmt.Sprintf("%s: %s", s.name(image), s.widgets.className(class)), false)
	})
}

// store keeps a class of an image, none to take it away, and calls kept once that is on disk.
func (s *Screen) store(image, class int, kept func()) {
	s.saving = true
	s.query = ""
	label := store.ImageLabel{Image: image, Class: class, By: s.by}
	s.host.Work.Quiet("store label", func(context.Context) error {
		return s.from.SetImageLabel(s.task.Suite, label)
	}, func(err error) {
		s.saving = false
		if err == nil {
			s.changed = true
			kept()
		} else {
			s.widgets.message(fmt.Sprintf("Not saved: %s", present.Sentence(err)), true)
			s.host.Fail(fmt.Errorf("not saved, try again: %w", err))
		}
		if s.closed && s.changed && s.done != nil {
			s.done()
		}
		s.show()
	})
}

// problem tells the person what went wrong; nothing on the screen moves.
func (s *Screen) problem(err error) {
	if present.Cancelled(err) {
		return
	}
	s.widgets.message(present.Sentence(err), true)
	s.host.Fail(err)
}

// Pass goes on to the next image without a label.
func (s *Screen) Pass() { s.move(func() { s.session.Pass() }) }

// Move goes some images on or back.
func (s *Screen) Move(by int) { s.move(func() { s.session.Move(by) }) }

// Restart goes to the first image without a label.
func (s *Screen) Restart() { s.move(func() { s.session.Restart() }) }

func (s *Screen) move(walk func()) {
	if s.session == nil || s.saving {
		return
	}
	s.query = ""
	walk()
	s.widgets.message("", false)
	s.show()
}

// search narrows the classes that are offered.
func (s *Screen) search(text string) {
	s.query = text
	s.widgets.showClasses()
}

// typed takes a character: the key of a class, or a letter of what is searched for.
func (s *Screen) typed(r rune) {
	if s.keys == nil {
		if r != ' ' || s.query != "" {
			s.search(s.query + string(r))
		}
		return
	}
	if k, ok := keymap.Typed(r); ok {
		for class, key := range s.keys {
			if key == k.Rune {
				s.Label(class)
			}
		}
	}
}

// onceKeys are the named keys that act once per press.
var onceKeys = []fyne.KeyName{fyne.KeyBackspace, fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter, fyne.KeyEscape}

// pressed takes a named key.
func (s *Screen) pressed(name fyne.KeyName) {
	switch name {
	case fyne.KeyBackspace:
		if letters := []rune(s.query); len(letters) > 0 {
			s.search(string(letters[:len(letters)-1]))
			return
		}
		s.Undo()
	case fyne.KeySpace:
		if s.query == "" {
			s.Pass()
		}
	case fyne.KeyLeft:
		s.Move(-1)
	case fyne.KeyRight:
		s.Move(1)
	case fyne.KeyReturn, fyne.KeyEnter:
		s.choose()
	case fyne.KeyEscape:
		s.Leave()
	}
}

// choose takes the best class that was found.
func (s *Screen) choose() {
	if s.query == "" {
		return
	}
	if list := found(s.task.Classes, s.query); len(list) > 0 {
		s.Label(list[0])
	}
}

// repeats tells whether a key may act again while it is held down: only looking back and forth,
// and what is typed to search.
func (s *Screen) repeats(name fyne.KeyName) bool {
	return name == fyne.KeyLeft || name == fyne.KeyRight || name == fyne.KeyBackspace && s.query != ""
}

// focus gives the keys to the screen.
func (s *Screen) focus() {
	if s.host.Window != nil && !s.closed {
		s.widgets.surface.TakeIn(s.host.Window.Canvas())
	}
}
