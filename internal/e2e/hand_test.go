package e2e

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

const (
	// patience is how long the tests wait for something to appear, and toil for something that is
	// computed. Only a test that fails waits as long, so they are enough for the busiest machine.
	patience = 2 * time.Minute
	toil     = 10 * time.Minute
	// moment is how long something that may be repeated stays without its effect before it is, and
	// instant how long a click stays without changing anything that the window shows.
	moment  = 10 * time.Second
	instant = 3 * time.Second
)

// finder finds what to click on among all that the window shows.
type finder func(all []node) (found node, ok bool)

// spot is where to click on something.
type spot func(node) (x, y int)

// start is a spot at the left end: the cell of a check is wider than what takes the click, and so
// may a text be.
func start(n node) (x, y int) { return int(n.X) + 12, int(n.Y + n.H/2) }

// share is a spot at a share of the width and the height.
func share(x, y float64) spot {
	return func(n node) (int, int) { return int(n.X + n.W*x), int(n.Y + n.H*y) }
}

// named finds a text of the topmost layer that is enabled.
func named(text string) finder {
	return func(all []node) (node, bool) {
		found, ok := pick(top(all), text)
		return found, ok && !found.Disabled
	}
}

// exactly finds a text of the topmost layer that is enabled and is nothing but that.
func exactly(text string) finder {
	return func(all []node) (node, bool) {
		found, ok := named(text)(all)
		return found, ok && found.Text == text
	}
}

// nth finds the widget with that number, from 0, of a type in the topmost layer.
func nth(kind string, number int) finder {
	return func(all []node) (node, bool) {
		all = slices.DeleteFunc(top(all), func(n node) bool { return n.Type != kind })
		if len(all) <= number {
			return node{}, false
		}
		return all[number], true
	}
}

// most finds the text that lies farthest to the right or below, by that coordinate, of several of
// these words to click on.
func most(text string, coordinate func(node) float64) finder {
	return func(all []node) (found node, ok bool) {
		for _, n := range top(all) {
			if n.Text == text && n.Tappable && !n.Disabled && (!ok || coordinate(n) > coordinate(found)) {
				found, ok = n, true
			}
		}
		return found, ok
	}
}

// beside finds what stands to the right of a text.
func beside(text string) finder {
	return func(all []node) (found node, ok bool) {
		all = top(all)
		label, there := pick(all, text)
		for _, n := range all {
			right := there && n.Text != "" && n.X > label.X && math.Abs(n.Y+n.H/2-label.Y-label.H/2) < 4
			if right && (!ok || n.X < found.X) {
				found, ok = n, true
			}
		}
		return found, ok
	}
}

// at clicks with the real mouse.
func (w *window) at(x, y int) {
	w.t.Helper()
	w.tool("mousemove", "--window", w.id, fmt.Sprint(x), fmt.Sprint(y), "click", "1")
	time.Sleep(150 * time.Millisecond)
}

// reach moves the mouse to a spot of what is found. It is there only if it lay still meanwhile: the
// window may be being laid out anew. all is what the window shows with the mouse there.
func (w *window) reach(find finder, where spot) (all []node, there bool) {
	w.t.Helper()
	before, ok := find(w.screen())
	if !ok {
		return nil, false
	}
	time.Sleep(50 * time.Millisecond)
	n, ok := find(w.screen())
	if !ok || !n.lies(before) {
		return nil, false
	}
	x, y := where(n)
	w.tool("mousemove", "--window", w.id, fmt.Sprint(x), fmt.Sprint(y))
	all = w.screen()
	after, ok := find(all)
	return all, ok && after.lies(n)
}

// click presses the left button of the mouse where that is.
func (w *window) click() {
	w.t.Helper()
	w.tool("click", "1")
	time.Sleep(150 * time.Millisecond)
}

// press clicks on a spot of what is found, once more where nothing at all of what the window shows
// changes thereupon.
func (w *window) press(what string, find finder, where spot) {
	w.t.Helper()
	var before []node
	w.until(what, patience, func() (there bool) {
		before, there = w.reach(find, where)
		return there
	})
	w.click()
	if w.within(instant, func() bool { return w.changed(before) }) {
		return
	}
	if _, there := w.reach(find, where); there {
		w.click()
	}
}

// tap clicks on a text of the topmost layer once it is there and enabled.
func (w *window) tap(text string) {
	w.t.Helper()
	w.press("something to click on: "+text, named(text), node.middle)
}

// tick clicks on a check.
func (w *window) tick(text string) {
	w.t.Helper()
	w.press("something to tick: "+text, named(text), start)
}

// tapWidget clicks in the middle of a widget of a type.
func (w *window) tapWidget(kind string, number int) {
	w.t.Helper()
	w.press(fmt.Sprintf("%s number %d", kind, number), nth(kind, number), node.middle)
}

// tapLowest clicks on the lowest of several such texts.
func (w *window) tapLowest(text string) {
	w.t.Helper()
	w.press("something to click on: "+text, most(text, func(n node) float64 { return n.Y }), node.middle)
}

// within tells whether something comes to hold within that time. A window that is slow to answer is
// asked a few times at least: it may answer before it looks at the mouse.
func (w *window) within(limit time.Duration, holds func() bool) bool {
	w.t.Helper()
	end, pause := time.Now().Add(limit), 10*time.Millisecond
	for asked := 0; asked < 6 || time.Now().Before(end); asked++ {
		if holds() {
			return true
		}
		time.Sleep(pause)
		pause = min(2*pause, 50*time.Millisecond)
	}
	return false
}

// soon tells whether something comes to hold within a moment.
func (w *window) soon(holds func() bool) bool {
	w.t.Helper()
	return w.within(moment, holds)
}

// again does something that may be repeated, until it has its effect.
func (w *window) again(what string, act func(), holds func() bool) {
	w.t.Helper()
	w.until(what, patience, func() bool {
		act()
		return w.soon(holds)
	})
}

// hits clicks on a spot of what is found, where it is then, until that has its effect.
func (w *window) hits(what string, find finder, where spot, holds func() bool) {
	w.t.Helper()
	clicked := false
	w.until(what, patience, func() bool {
		if clicked && holds() {
			return true
		}
		if _, there := w.reach(find, where); !there {
			return false
		}
		w.click()
		clicked = true
		return w.soon(holds)
	})
}

// tapUntil clicks on a text until that has an effect.
func (w *window) tapUntil(text, what string, holds func() bool) {
	w.t.Helper()
	w.hits(what, named(text), node.middle, holds)
}

// opens clicks on a text until another one shows.
func (w *window) opens(text, then string) {
	w.t.Helper()
	w.tapUntil(text, "the text "+then+" after a click on "+text, func() bool { return w.seen(then) })
}

// closes clicks on a text that ends a dialog until that is gone.
func (w *window) closes(text string) {
	w.t.Helper()
	w.shows(text)
	layers := w.layers()
	w.tapUntil(text, "the end of the dialog by "+text, func() bool { return w.layers() < layers })
}

// goes types a key, such as that of a screen, until a text shows.
func (w *window) goes(key, then string) {
	w.t.Helper()
	w.again("the text "+then+" after the key "+key, func() { w.key(key) }, func() bool { return w.seen(then) })
}

// leaves types Escape until nothing lies over the window any more.
func (w *window) leaves() {
	w.t.Helper()
	w.again("the end of what lies over the window", func() { w.key("Escape") }, func() bool { return w.layers() == 0 })
}

// stops closes the window while something is at work, about which it asks.
func (w *window) stops(question string) {
	w.t.Helper()
	w.goes("ctrl+q", question)
	w.tap("Stop and close")
	w.ends()
}

// saves opens a menu, takes an entry that asks for a file, and saves that.
func (w *window) saves(menu finder, entry string) {
	w.t.Helper()
	below := w.layers()
	w.hits("the entry "+entry, menu, node.middle, func() bool { return w.seen(entry) })
	w.tapUntil(entry, "the question for a file", func() bool {
		_, ok := exactly("Save")(w.screen())
		return ok && w.layers() > below
	})
	w.hits("the end of the question for a file", exactly("Save"), node.middle,
		func() bool { return w.layers() == below })
	w.shows("saved ")
}

// typing tells whether a line of text has the keyboard.
func (w *window) typing() bool {
	w.t.Helper()
	return slices.ContainsFunc(top(w.screen()), func(n node) bool { return n.Typing })
}

// types clicks on a line of text, which shows something, and types another text in its place.
func (w *window) types(shown, text string) {
	w.t.Helper()
	w.typesInto("the line that shows "+shown, named(shown), text)
}

// typesInto clicks on what is found, until the line of text that it lies on has the keyboard, and
// types a text in its place.
func (w *window) typesInto(what string, find finder, text string) {
	w.t.Helper()
	w.hits("the keyboard in "+what, find, node.middle, func() bool {
		all := w.screen()
		n, ok := find(all)
		return ok && slices.ContainsFunc(all, func(line node) bool { return line.Typing && line.holds(n) })
	})
	w.key("ctrl+a")
	w.text(text)
}

// menu opens the File menu with the mouse and chooses an entry.
func (w *window) menu(entry string) {
	w.t.Helper()
	open := func() bool { return w.seen("Quit") }
	w.until("the entry "+entry+" of the menu", patience, func() bool {
		if !open() {
			w.at(22, 12) // Fyne draws the bar of menus in the corner and names it nowhere
		}
		return w.soon(open) && w.follow([]string{entry}) && w.soon(func() bool { return !open() })
	})
}

// choose takes another entry of a menu that shows one; what an entry lies under in the menu comes
// before it.
func (w *window) choose(shown string, path ...string) {
	w.t.Helper()
	w.take("the menu that shows "+shown, named(shown), path)
}

// chooseBeside takes another entry of the menu that stands to the right of a text.
func (w *window) chooseBeside(text string, path ...string) {
	w.t.Helper()
	w.take("the menu beside "+text, beside(text), path)
}

// take opens a menu and takes an entry of it. Nothing is chosen before the entry is clicked on, so
// where the menu does not open or is gone again, it is opened once more.
func (w *window) take(menu string, find finder, path []string) {
	w.t.Helper()
	below := w.layers()
	w.until(strings.Join(path, ", ")+" of "+menu, patience, func() bool {
		if w.layers() > below {
			w.key("Escape")
			return false
		}
		if _, there := w.reach(find, node.middle); !there {
			return false
		}
		w.click()
		return w.soon(func() bool { return w.layers() > below }) && w.follow(path) && w.soon(func() bool {
			return w.layers() == below
		})
	})
}

// follow moves the mouse over the entries of an open menu, each of which opens what lies under it,
// and clicks on the last one.
func (w *window) follow(path []string) bool {
	w.t.Helper()
	for _, entry := range path {
		if !w.soon(func() bool { _, there := w.reach(named(entry), node.middle); return there }) {
			return false
		}
	}
	w.click()
	return true
}
