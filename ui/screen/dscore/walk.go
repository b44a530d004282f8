package dscore

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/widget"
)

// Walk goes through the images of a suite one by one, all of them or those of one class.
type Walk struct {
	suite suite.Manifest
	class int // -1 for all
	at    int // -1 without an image
}

// anyClass stands for the images of all classes, with a label or without.
const anyClass = -1

// newWalk begins with the first image of a suite.
func newWalk(m suite.Manifest) Walk {
	w := Walk{suite: m, class: anyClass, at: -1}
	return w.Step(1)
}

// At is the image, -1 without one.
func (w Walk) At() int { return w.at }

// Class is the class that it stays with, -1 for all.
func (w Walk) Class() int { return w.class }

// Step goes forward (1) or back (-1) to the next image; at the ends it stays where it is.
func (w Walk) Step(by int) Walk {
	for at := w.at + by; at >= 0 && at < w.suite.Images; at += by {
		if w.fits(at) {
			w.at = at
			return w
		}
	}
	return w
}

// To goes to an image by its number, also to one of another class, which then no longer counts; an
// error says what is wrong.
func (w Walk) To(text string) (Walk, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 || n >= w.suite.Images {
		return w, fmt.Errorf("image %q: it is a number from 0 to %d", text, w.suite.Images-1)
	}
	if w.at = n; !w.fits(n) {
		w.class = anyClass
	}
	return w, nil
}

// Of stays with a class: with the image where it is of that class, else with the next one, else
// with the one before.
func (w Walk) Of(class int) Walk {
	w.class = class
	if w.at >= 0 && w.fits(w.at) {
		return w
	}
	if next := w.Step(1); next.at != w.at {
		return next
	}
	return w.Step(-1)
}

func (w Walk) fits(image int) bool {
	return w.class == anyClass || image < len(w.suite.Labels) && w.suite.Labels[image] == w.class
}

// classes are the menu of classes: all, then those that images have.
func (w Walk) classes() []widget.Option {
	list := []widget.Option{{Key: strconv.Itoa(anyClass), Name: "all classes"}}
	has := make([]bool, len(w.suite.Classes))
	for _, l := range w.suite.Labels {
		if l >= 0 && l < len(has) {
			has[l] = true
		}
	}
	for c, name := range w.suite.Classes {
		if has[c] {
			list = append(list, widget.Option{Key: strconv.Itoa(c), Name: name})
		}
	}
	return list
}
