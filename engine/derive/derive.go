// Package derive knows the changes that derived suites make of the images of another one:
// corruptions (spec/corruptions.md) and padded translation (spec/dscore.md section 2). A change is
// kept as its text, suite.Derived.Change; this is the place that reads it.
package derive

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/suite"
)

// Change is what is done to every image of a suite: a corrupt.Setting or a Shift. Both are
// comparable values.
type Change interface {
	// String is the canonical text, part of every key; it is what Parse reads:
	// "corruption:fog:3;seed=1", "shift:n=3;t=5;region=7".
	String() string
	// Short is the text for people, which the names of derived suites end with: "fog 3", "shifted
	// 3x3 t5 region 7".
	Short() string
	// Words is the text for sentences: "fog, severity 3", "shifted to region 7 of 3 × 3, t = 5".
	Words() string
	// Kind is what changes of one sort have in common, and how strong this one is: a corruption's
	// name and its severity, or "shifted 3x3 t5" for all regions, with 0.
	Kind() (name string, severity int)
	// Check says what is wrong with values that were put together without Parse.
	Check() error
	// Prepare makes the change ready to be applied. The errors are those of Check.
	Prepare() (suite.Change, error)
}

// Parse reads the canonical text of a change, with options in any order. The error says what is
// wrong with it.
func Parse(text string) (Change, error) {
	name, _, _ := strings.Cut(text, ":")
	switch strings.TrimSpace(name) {
	case "corruption":
		s, err := corrupt.Parse(text)
		if err != nil {
			return nil, err
		}
		return s, nil
	case prefix:
		s, err := parseShift(text)
		if err != nil {
			return nil, fmt.Errorf("shift %q: %w", text, err)
		}
		return s, nil
	}
	return nil, fmt.Errorf("change of images %q: "+
		"unknown; known are corruption:NAME:SEVERITY;seed=N and shift:n=N;t=T;region=R", text)
}

// Kind is Change.Kind of a change's text. A text that cannot be read, such as that of a newer
// program, is its own kind; the empty text, of a suite that is not derived, has none.
func Kind(text string) (name string, severity int) {
	change, err := Parse(text)
	if err != nil {
		return text, 0
	}
	return change.Kind()
}

// Title is a kind of change (Change.Kind) for people: "glass blur", "shifted 3 × 3, t = 5".
func Title(kind string) string {
	var n, again, t int
	if k, err := fmt.Sscanf(kind, "shifted %dx%d t%d", &n, &again, &t); err == nil && k == 3 {
		return fmt.Sprintf("shifted %d × %d, t = %d", n, n, t)
	}
	return corrupt.Title(kind)
}
