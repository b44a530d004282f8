package picturelabel

import (
	"context"
	"fmt"
	"image"
	"path"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/keymap"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// Screen asks for the labels of one task in a dialog. All methods are called on Fyne's main
// goroutine.
type Screen struct {
	*kit.Screen[struct{}, opened]
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
	widgets *widgets
	dialog  *kit.Dialog
	done    func()
}

// share of the window that the dialog takes.
const share = 0.94

// Open asks for the labels of a task over the host's window, on behalf of an annotator, "" for
// nobody. done, which may be nil, is called after it was left, if labels were given or taken back.
func Open(host *kit.Host, from Store, by string, task Task, done func()) *Screen {
	s := &Screen{from: from, by: by, task: task, keys: classKeys(task.Classes), done: done}
	size := host.Window.Canvas().Size()
	s.dialog = host.NewDialog(task.Title, fyne.NewSize(size.Width*share, size.Height*share))
	s.widgets = newWidgets(s)
	s.Screen = kit.New(kit.Screen[struct{}, opened]{
		Host: host, Name: "Read the labels", Doing: "Reading the labels…", Key: "picturelabel", Quiet: true,
		Load: func(struct{}) kit.Work[opened] {
			return func(context.Context, engine.Progress) (opened, error) { return read(from, task.Suite) }
		},
		Body: s.widgets.surface, Show: s.begin, Keys: func() { s.widgets.surface.TakeIn(host.Window.Canvas()) },
		OnClosed: func() { // what is being stored is still stored
			if s.cache != nil {
				s.cache.Close()
			}
			s.leave()
		},
	})
	s.dialog.OnEscape = func() (searching bool) {
		if searching = s.query != ""; searching {
			s.search("")
		}
		return searching
	}
	s.dialog.OnClosed = s.Close
	s.dialog.Show(s.Object(), s.widgets.actions()...)
	s.dialog.Present(nil)
	s.Shown()
	return s
}

// leave tells that labels were given, once the dialog is closed and all of them are stored.
func (s *Screen) leave() {
	if s.dialog.Closed() && s.done != nil && s.changed && !s.saving {
		s.done()
	}
}

// opened is what is read at the beginning.
type opened struct {
	labels map[int]int
	names  []string
	suite  string // of the images, "" for a table of predictions that came without any
}

func read(from Store, id string) (o opened, err error) {
	kept, err := from.ImageLabels(id)
	if err != nil {
		return o, err
	}
	o.labels = make(map[int]int, len(kept))
	for at, l := range kept {
		o.labels[at] = l.Class
	}
	return o, o.find(from, id)
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
func (s *Screen) begin(o opened) {
	s.session, s.names = NewSession(s.task.Images, o.labels), o.names
	if o.suite != "" {
		s.cache = kit.NewImageCache[int](s.Work, func() {
			if err := s.cache.Problem(); err != nil {
				s.widgets.message(present.Sentence(err), true)
			}
			s.show()
		})
		s.cache.Use(o.suite, picture.Whole(s.from, o.suite, mostSide))
	}
	s.show()
	s.Focus()
}

const (
	// mostSide bounds the sides of pictures that are kept, in pixels.
	mostSide = 1024
	// ahead is how many pictures are read before they are shown.
	ahead = 4
)

// show brings the session's image to the screen and reads ahead.
func (s *Screen) show() {
	if s.dialog.Closed() {
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

// seen tells whether the image at the position is on the screen, or never will be, so that it can
// be judged.
func (s *Screen) seen() bool {
	if s.session.Ended() {
		return false
	}
	return s.picture(s.session.Image(s.session.At())) != nil || s.without()
}

// without tells whether there are no pictures.
func (s *Screen) without() bool {
	return s.cache == nil || s.cache.Problem() != nil
}

// label gives the image at the position a class and goes on when that is on disk.
func (s *Screen) label(class int) {
	switch {
	case s.session.Ended():
		return
	case s.saving:
		s.widgets.message("The last label is still being stored; press the key again.", false)
		return
	case !s.seen():
		s.widgets.message("This image is still being read; look at it first.", false)
		return
	}
	image := s.session.Image(s.session.At())
	s.store(image, class, func() {
		s.session.Label(class)
		s.widgets.message(fmt.Sprintf("%s: %s", s.name(image), s.task.Classes[class]), false)
	})
}

// undo takes the last label back and returns to its image.
func (s *Screen) undo() {
	if s.saving {
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

// redo gives the label that was taken back last again.
func (s *Screen) redo() {
	if s.saving {
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
	s.Work.Quiet("store label", func(context.Context) error {
		return s.from.SetImageLabel(s.task.Suite, label)
	}, func(err error) {
		s.saving = false
		if err == nil {
			s.changed = true
			kept()
		} else {
			s.widgets.message(fmt.Sprintf("Not saved: %s", present.Sentence(err)), true)
			s.Fail(fmt.Errorf("not saved, try again: %w", err))
		}
		s.leave()
		s.show()
	})
}

// pass goes on to the next image without a label.
func (s *Screen) pass() { s.walk(func() { s.session.Pass() }) }

// move goes some images on or back.
func (s *Screen) move(by int) { s.walk(func() { s.session.Move(by) }) }

// restart goes to the first image without a label.
func (s *Screen) restart() { s.walk(func() { s.session.Restart() }) }

func (s *Screen) walk(step func()) {
	if s.saving {
		return
	}
	s.query = ""
	step()
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
				s.label(class)
			}
		}
	}
}

// onceKeys are the named keys that act once per press.
var onceKeys = []fyne.KeyName{fyne.KeyBackspace, fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter}

// pressed takes a named key.
func (s *Screen) pressed(name fyne.KeyName) {
	switch name {
	case fyne.KeyBackspace:
		if letters := []rune(s.query); len(letters) > 0 {
			s.search(string(letters[:len(letters)-1]))
			return
		}
		s.undo()
	case fyne.KeySpace:
		if s.query == "" {
			s.pass()
		}
	case fyne.KeyLeft:
		s.move(-1)
	case fyne.KeyRight:
		s.move(1)
	case fyne.KeyReturn, fyne.KeyEnter:
		s.choose()
	}
}

// choose takes the best class that was found.
func (s *Screen) choose() {
	if s.query == "" {
		return
	}
	if list := found(s.task.Classes, s.query); len(list) > 0 {
		s.label(list[0])
	}
}

// repeats tells whether a key may act again while it is held down: only looking back and forth,
// and what is typed to search.
func (s *Screen) repeats(name fyne.KeyName) bool {
	return name == fyne.KeyLeft || name == fyne.KeyRight || name == fyne.KeyBackspace && s.query != ""
}
