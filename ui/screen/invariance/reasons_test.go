package invariance

import (
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/words"
)

// TestReasonsOfTheEngineAreKnown asks engine and statistics for their reasons and looks each up in a language whose texts are all "x".
func TestReasonsOfTheEngineAreKnown(t *testing.T) {
	reasons := []string{
		stats.FewPairs, stats.FirstFixed, stats.SecondFixed, stats.NotFinite, stats.XFixed, stats.TooFar, store.ErrNoSignals.Error(),
		"it is not in the workspace", "one channel: grayscale changes nothing", "the model has 1000 classes; whole softmax vectors are kept for at most 100",
	}
	little := []invariance.Point{{ID: "a", Score: 0.5, Accuracy: 0.5}}
	p, err := invariance.Predict(t.Context(), little, invariance.StudyOptions{Images: 10}, engine.NoProgress{})
	if err != nil {
		t.Fatal(err)
	}
	rot90, err := transform.ParseAny(transform.Rot90)
	if err != nil {
		t.Fatal(err)
	}
	oblong := rot90.Fits(3, 8, 9)
	if oblong == nil {
		t.Fatal("oblong images can be turned")
	}
	reasons = append(reasons, p.Reason, p.Fit.Line.Reason, oblong.Error())
	for _, text := range []string{transform.Plain, "mask:3", "mask:2;layers=1,3;after=batchnorm"} {
		still, err := transform.ParseAny(text)
		if err != nil {
			t.Fatal(err)
		}
		reasons = append(reasons, invariance.Unsuited(still).Error())
	}
	for _, reason := range reasons {
		if reasonText(reason) == "" {
			t.Errorf("%q says nothing", reason)
		}
	}
	words.Use(&words.Language{Text: func(string) string { return "x" }, Count: func(string, int) string { return "x" }})
	t.Cleanup(func() { words.Use(nil) })
	for _, reason := range reasons {
		if got := reasonText(reason); got == "" || got[0] != 'x' {
			t.Errorf("%q is not translated: %q", reason, got)
		}
	}
	if got := reasonText("of another program"); got != "of another program" {
		t.Errorf("%q", got)
	}
}
