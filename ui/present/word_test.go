package present

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/ui/words"
)

// TestWordsOfTheEngineAreTranslated holds the words that are known here to those that the engine and the store have now.
func TestWordsOfTheEngineAreTranslated(t *testing.T) {
	list := []string{
		string(label.Invariant), string(label.Borderline), string(label.Variant), "all", "correct", "wrong",
		agreement.NoCommonItems, agreement.NoItemTwice, agreement.ExpectedAgreement, agreement.ExpectedNoConflict,
		agreement.TooFewClasses, agreement.ClassUnused, agreement.WindowNotFull, agreement.TooFewItems,
		agreement.TooFewSecond, agreement.TooFewAgreeing, agreement.NoVariance, agreement.OneItemNeeded,
	}
	for _, by := range []model.Authority{model.ByUser, model.ByMetadata, model.ByGraph, model.ByProbe, model.ByDefault} {
		list = append(list, string(by))
	}
	for _, alone := range []bool{true, false} {
		ratings := [][]int{{0, 1}, {0, 1}, {1, 1}}
		list = append(list, agreement.Measure(ratings, 2, []string{"a", "b", "c"}, agreement.Options{LeaveOneOut: alone}).Note)
	}
	for _, kappa := range []float64{-0.1, 0.1, 0.3, 0.5, 0.7, 0.9} {
		list = append(list, agreement.Words(kappa))
	}
	for _, position := range []string{model.Conv1, model.Conv2, model.Head, "relu7"} {
		list = append(list, store.AbsentReason(model.Model{}, position))
	}
	one := model.Model{Graph: model.Graph{Convs: []string{"c"}}}
	list = append(list, store.AbsentReason(one, model.Conv2), store.NotAmongPositions, store.NotAmongModalities)
	for _, part := range export.Parts() {
		list = append(list, part.String())
	}
	if got := Words(list); !slices.Equal(got, list) {
		t.Errorf("in English %q instead of %q", got, list)
	}
	words.Use(&words.Language{
		Text:  func(key string) string { return "<" + key + ">" },
		Count: func(key string, _ int) string { return key },
	})
	defer words.Use(nil)
	for _, word := range list {
		if got := Word(word); got == word {
			t.Errorf("%q is not translated", word)
		}
	}
	if got := Word("an error: of the engine"); got != "an error: of the engine" {
		t.Error(got)
	}
}

func TestPlurals(t *testing.T) {
	for noun, want := range map[string]string{"model": "models", "class": "classes", "box": "boxes", "entry": "entries", "day": "days", "batch": "batches"} {
		if got := Plural(noun); got != want {
			t.Errorf("%s: %s", noun, got)
		}
	}
}
