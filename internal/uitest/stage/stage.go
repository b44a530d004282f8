// Package stage is where tests put screens on: a window of Fyne's test driver whose main goroutine
// is the test's own. Functions that background work hands to fyne.Do wait until the test pumps
// them, so that a test sees what the real window sees and the race detector finds what the real
// driver would complain about.
package stage

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

// Stage is a test application with a queue in place of the driver's loop.
type Stage struct {
	tb    testing.TB
	mu    sync.Mutex
	queue []func()
	asked map[fyne.CanvasObject]int // by Refreshed; nil while nobody counts
	app   *queued
}

type queued struct {
	fyne.App
	driver *driver
}

func (q *queued) Driver() fyne.Driver { return q.driver }

type driver struct {
	fyne.Driver
	stage *Stage
}

// DoFromGoroutine queues f; the stage never waits, since the main goroutine is the test's.
func (d *driver) DoFromGoroutine(f func(), _ bool) { d.stage.Post(f) }

// CanvasForObject is what Fyne asks for an object that is to be drawn anew.
func (d *driver) CanvasForObject(o fyne.CanvasObject) fyne.Canvas {
	d.stage.mu.Lock()
	if d.stage.asked != nil {
		d.stage.asked[o]++
	}
	d.stage.mu.Unlock()
	return d.Driver.CanvasForObject(o)
}

// Refreshed counts how often Fyne is asked to draw each object anew while do runs.
func (s *Stage) Refreshed(do func()) map[fyne.CanvasObject]int {
	count := func(asked map[fyne.CanvasObject]int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = asked
	}
	asked := map[fyne.CanvasObject]int{}
	count(asked)
	defer count(nil)
	do()
	return asked
}

// New makes the stage the current application until the test ends.
func New(tb testing.TB) *Stage {
	tb.Helper()
	s := &Stage{tb: tb}
	// What work posts after the test's end stays in this stage's queue, where nobody runs it:
	// Fyne's own test driver would run it at once on the goroutine that posts, beside the next
	// test.
	tb.Cleanup(s.enter)
	inner := test.NewTempApp(tb)
	s.app = &queued{App: inner}
	s.app.driver = &driver{Driver: inner.Driver(), stage: s}
	s.enter()
	return s
}

func (s *Stage) enter() { fyne.SetCurrentApp(s.app) }

// App is the test's application.
func (s *Stage) App() fyne.App { return s.app }

// Post queues a function for the main goroutine, as fyne.Do does.
func (s *Stage) Post(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, f)
}

// Pump runs everything that is queued.
func (s *Stage) Pump() {
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			s.mu.Unlock()
			return
		}
		f := s.queue[0]
		s.queue = s.queue[1:]
		s.mu.Unlock()
		f()
	}
}

// Until pumps until the condition holds, and fails the test when it does not within two minutes:
// machines can be busy.
func (s *Stage) Until(what string, holds func() bool) {
	s.tb.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for {
		s.Pump()
		if holds() {
			return
		}
		if time.Now().After(deadline) {
			s.tb.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// Window shows content without padding at a size.
func (s *Stage) Window(content fyne.CanvasObject, size fyne.Size) fyne.Window {
	w := s.app.NewWindow("stage")
	w.SetPadded(false)
	w.SetContent(content)
	w.Resize(size)
	s.tb.Cleanup(w.Close)
	return w
}

// layOutAnew sees to it that a picture shows what the real window would. Before it draws, Fyne
// throws away the renderers that nobody has asked for in a minute. The real window lays out those
// that it makes in their place; the canvas of tests does not, and draws buttons without their
// ground. So an empty picture does the throwing away here, and everything is laid out after it.
func layOutAnew(c fyne.Canvas) {
	software.NewCanvas().Capture()
	for _, root := range append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...) {
		Walk(root, func(o fyne.CanvasObject) {
			if w, ok := o.(fyne.Widget); ok {
				test.WidgetRenderer(w).Layout(w.Size())
			}
		})
	}
}

// Capture draws a window in software and, where folder is not empty, keeps the picture there as
// NAME.png.
func (s *Stage) Capture(w fyne.Window, folder, name string) image.Image {
	s.tb.Helper()
	layOutAnew(w.Canvas())
	picture := w.Canvas().Capture()
	if folder == "" {
		return picture
	}
	file, err := os.Create(filepath.Join(folder, name+".png"))
	if err != nil {
		s.tb.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, picture); err != nil {
		s.tb.Fatal(err)
	}
	return picture
}

// Draw is Capture for tests that look whether a window is drawn without a fault, and for people who
// look at the picture. A short test, as under the race detector, leaves it out where no picture is
// kept: one goroutine draws, slowly.
func (s *Stage) Draw(w fyne.Window, folder, name string) {
	s.tb.Helper()
	if folder != "" || !testing.Short() {
		s.Capture(w, folder, name)
	}
}

// Walk visits every visible object below one, widgets' inner objects included.
func Walk(object fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	if object == nil || !object.Visible() {
		return
	}
	visit(object)
	switch o := object.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			Walk(child, visit)
		}
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			Walk(child, visit)
		}
	}
}

// Entries are the visible entries in an object, from top to bottom, those that a widget is made
// from, too.
func Entries(object fyne.CanvasObject) (list []*widget.Entry) {
	Walk(object, func(o fyne.CanvasObject) {
		for v := reflect.Indirect(reflect.ValueOf(o)); v.Kind() == reflect.Struct &&
			v.CanInterface(); v = v.FieldByName("Entry") {
			if e, ok := v.Addr().Interface().(*widget.Entry); ok {
				list = append(list, e)
				return
			}
		}
	})
	return list
}

// Button is the visible button with a text, in the window or in what lies over it; the test fails
// without one.
func (s *Stage) Button(w fyne.Window, text string) *widget.Button {
	s.tb.Helper()
	var found *widget.Button
	for _, root := range append([]fyne.CanvasObject{w.Content()}, w.Canvas().Overlays().List()...) {
		Walk(root, func(o fyne.CanvasObject) {
			if b, ok := o.(*widget.Button); ok && b.Text == text {
				found = b
			}
		})
	}
	if found == nil {
		s.tb.Fatalf("there is no button %q", text)
	}
	return found
}

// Press clicks a button, which must be one that can be pressed.
func (s *Stage) Press(w fyne.Window, text string) {
	s.tb.Helper()
	b := s.Button(w, text)
	if b.Disabled() {
		s.tb.Fatalf("button %q cannot be pressed", text)
	}
	test.Tap(b)
}
