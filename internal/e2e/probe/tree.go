package main

import (
	"fmt"
	"reflect"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/ui/widget"
)

// Node is one visible text or widget. X, Y, W, H are the part of it that can be seen, in pixels of
// the window.
type Node struct {
	Type     string  `json:"type"` // *canvas.Text, *widget.Button, ...
	Text     string  `json:"text,omitempty"`
	X        float32 `json:"x"`
	Y        float32 `json:"y"`
	W        float32 `json:"w"`
	H        float32 `json:"h"`
	Layer    int     `json:"layer"`              // 0 is the window, dialogs and menus lie above
	Tappable bool    `json:"tappable,omitempty"` // it lies on something that takes clicks
	Disabled bool    `json:"disabled,omitempty"`
	Focused  bool    `json:"focused,omitempty"`
	Checked  bool    `json:"checked,omitempty"` // it is, or lies on, something that is ticked
	Look     int     `json:"look,omitempty"`    // how much a button stands out, which shows what is switched on
	Typing   bool    `json:"typing,omitempty"`  // it is a line of text that has the keyboard
}

// state is what a widget hands down to what lies on it.
type state struct {
	clip                        box
	tappable, disabled, checked bool
}

type box struct{ left, top, right, bottom float32 }

func (b box) cut(c box) box {
	return box{max(b.left, c.left), max(b.top, c.top), min(b.right, c.right), min(b.bottom, c.bottom)}
}

type walk struct {
	nodes   []Node
	scale   float32
	focused fyne.Focusable
	layer   int
}

// screen lists what is visible in the newest window, layer after layer. It runs on the main
// goroutine.
func screen() []Node {
	windows := fyne.CurrentApp().Driver().AllWindows()
	if len(windows) == 0 {
		return nil
	}
	c := windows[len(windows)-1].Canvas()
	w := &walk{scale: c.Scale(), focused: c.Focused()}
	everything := box{0, 0, c.Size().Width + 1, c.Size().Height + 100}
	layers := append([]fyne.CanvasObject{c.Content()}, c.Overlays().List()...)
	if bar := menuBar(c.Focused()); bar != nil {
		layers = append(layers, bar)
	}
	for layer, root := range layers {
		w.layer = layer
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(root)
		w.visit(root, at.Subtract(root.Position()), state{clip: everything})
	}
	return w.nodes
}

// menuBar is the bar of menus while one of its menus is open. Fyne keeps it apart from what a
// window shows, but then an item of the bar has the keyboard, and knows its bar.
func menuBar(focused fyne.Focusable) fyne.CanvasObject {
	if fmt.Sprintf("%T", focused) != "*glfw.menuBarItem" {
		return nil
	}
	bar, _ := reflect.ValueOf(focused).Elem().FieldByName("Parent").Interface().(fyne.CanvasObject)
	return bar
}

func (w *walk) visit(o fyne.CanvasObject, offset fyne.Position, st state) {
	if o == nil || !o.Visible() {
		return
	}
	at := o.Position().Add(offset)
	own := box{at.X, at.Y, at.X + o.Size().Width, at.Y + o.Size().Height}
	if d, ok := o.(fyne.Disableable); ok {
		st.disabled = st.disabled || d.Disabled()
	}
	if _, ok := o.(fyne.Tappable); ok {
		st.tappable = true
	}
	st.checked = st.checked || ticked(o)
	kind := fmt.Sprintf("%T", o)
	if strings.HasSuffix(kind, "Scroll") {
		st.clip = st.clip.cut(own)
	}
	w.note(o, kind, own.cut(st.clip), st)
	for _, child := range widget.Inside(o) {
		w.visit(child, at, st)
	}
}

func (w *walk) note(o fyne.CanvasObject, kind string, seen box, st state) {
	text, isText := o.(*canvas.Text)
	_, isWidget := o.(fyne.Widget)
	if !isText && !isWidget || seen.right <= seen.left || seen.bottom <= seen.top {
		return
	}
	n := Node{
		Type: kind, Layer: w.layer, Tappable: st.tappable, Disabled: st.disabled, Checked: st.checked, Look: look(o),
	}
	n.X, n.Y, n.W, n.H = seen.left*w.scale, seen.top*w.scale, (seen.right-seen.left)*w.scale,
		(seen.bottom-seen.top)*w.scale
	if isText {
		if n.Text = text.Text; n.Text == "" {
			return
		}
	}
	if f, ok := o.(fyne.Focusable); ok && w.focused == f {
		n.Focused = true
		_, n.Typing = o.(interface{ SelectedText() string })
	}
	w.nodes = append(w.nodes, n)
}

// ticked tells whether a widget is one that can be ticked and is.
func ticked(o fyne.CanvasObject) bool {
	for _, name := range []string{"Checked", "Selected"} {
		if f := field(o, name); f.IsValid() && f.Kind() == reflect.Bool {
			return f.Bool()
		}
	}
	return false
}

// look is the importance of a button, or of the one of a tab.
func look(o fyne.CanvasObject) int {
	for _, name := range []string{"Importance", "importance"} {
		if f := field(o, name); f.IsValid() && f.CanInt() {
			return int(f.Int())
		}
	}
	return 0
}

// field is a field of a widget by its name, not valid where there is none.
func field(o fyne.CanvasObject, name string) reflect.Value {
	v := reflect.ValueOf(o)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return reflect.Value{}
	}
	return v.Elem().FieldByName(name)
}
