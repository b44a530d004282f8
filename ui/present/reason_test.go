package present

import (
	"testing"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
	"github.com/variscope/variscope/store/lookup"
	"github.com/variscope/variscope/ui/words"
)

// TestReasonsAreTranslated looks every reason up in a language whose texts are all "x", with their values.
func TestReasonsAreTranslated(t *testing.T) {
	reasons := map[string]string{
		store.ErrNoSignals.Error():                        "x",
		"its signals are not complete: run it to the end": "x",

		"its signals are for other preprocessing, another output or an older suite: run it again":                "x",
		"only a round package's matrices are here, without signals for sub-samples and predictions: run it here": "x",

		diagnosis.NoLabels: "x", diagnosis.OtherSettings: "x", diagnosis.OtherClasses: "x", lookup.NotHere: "x",
		"mask:3: " + store.ErrNoSignals.Error() + "; shift:3:5: its signals are not complete: run it to the end": "mask:3: x; shift:3:5: x",
		"shift:3:5: " + store.ErrNoSignals.Error():                                                               "shift:3:5: x",
		"shift:3:5: something else":                                                                              "shift:3:5: something else",

		"max@CONV-2: no second convolution":                              "max@CONV-2: x",
		"its labels tie; adjudicate it, or let ties count as borderline": "x",
		"no label has more than half of its votes":                       "x",
		"nobody has labelled it":                                         "x",
		"it is borderline, which two classes leave out":                  "x",
		"it has no label in round first":                                 "x%!(EXTRA string=round first)",
		"labelled in round first, but without features here":             "x%!(EXTRA string=round first)",
		"something else: of another program":                             "something else: of another program",
	}
	for reason := range reasons {
		if got := Reason(reason); got != reason {
			t.Errorf("in English %q became %q", reason, got)
		}
	}
	words.Use(&words.Language{Text: func(string) string { return "x" }, Count: func(string, int) string { return "x" }})
	t.Cleanup(func() { words.Use(nil) })
	for reason, want := range reasons {
		if got := Reason(reason); got != want {
			t.Errorf("%q became %q, want %q", reason, got, want)
		}
	}
}
