// Package inspect is the screen that shows everything about one model: its variance matrices for a choice of images,
// accuracy per transformation, loss curves, training record and the settings in force. Choice and Form know nothing of
// Fyne; Screen draws them.
package inspect

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/variance"
)

// anyClass is the menu's word for images of every class.
const anyClass = "any class"

// whichNames are the menu's words for variance.All, Correct and Wrong.
var whichNames = []string{"all images", "correct only", "wrong only"}

// shares are the menu's shares of the suite.
var shares = []string{"100 %", "90 %", "80 %", "70 %", "60 %", "50 %", "40 %", "30 %", "20 %", "10 %"}

// choiceOf reads the menus into a choice of images; classes are the suite's names in order. A class that the suite does
// not have counts as any.
func choiceOf(which, class, share int, classes []string) variance.Images {
	f := variance.AllImages()
	if which > 0 && which < len(whichNames) && len(classes) > 0 {
		f.Which = variance.Which(which)
	}
	if class > 0 && class <= len(classes) {
		f.Class = class - 1
	}
	if share > 0 && share < len(shares) {
		f.Share = float64(len(shares)-share) / 10
	}
	return f
}

// classNames are the entries of the class menu.
func classNames(classes []string) []string {
	names := []string{anyClass}
	for k, name := range classes {
		if slices.Contains(names, name) {
			name = fmt.Sprintf("%s (%d)", name, k)
		}
		names = append(names, name)
	}
	return names
}

// neighbour is the index of the model by steps away in a list of n, staying inside; -1 for an empty list.
func neighbour(at, by, n int) int {
	if n == 0 {
		return -1
	}
	return min(max(at+by, 0), n-1)
}
