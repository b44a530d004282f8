package present

import (
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/ui/words"
)

// ChanceBadge is the word of the badge on a model that is no better than chance, "" for any
// other: chance.Code.Word.
func ChanceBadge(l chance.Level) string {
	switch l.Code {
	case chance.NotAbove:
		return words.T("not above chance")
	case chance.OneClass:
		return words.T("one class")
	}
	return ""
}

// Some lists names, of many the first: "m1, m2, m3, m4, m5 and 7 more".
func Some(names []string) string {
	const few = 5
	if n := len(names); n > few {
		return words.F("%s and %d more", strings.Join(names[:few], ", "), n-few)
	}
	return strings.Join(names, ", ")
}

// Chance explains the badge with figures: chance.Level.Sentence, "" for a model without the badge.
func Chance(l chance.Level) string {
	share, images, beside := l.Figures()
	switch l.Code {
	case chance.NotAbove:
		return words.F("accuracy %s of %d images is not above chance (%s): dark matrices do not mean invariance", share, images, beside)
	case chance.OneClass:
		return words.F("%s of %d predictions are one class, as are %s of the labels: dark matrices do not mean invariance", share, images, beside)
	}
	return ""
}
