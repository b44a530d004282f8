package store

import (
	"slices"
	"strings"
	"testing"
)

func TestAnnotatorsKeepTheirIdsWhenTheyAreRenamed(t *testing.T) {
	w := fresh(t)
	if err := w.PutAnnotator(Annotator{ID: "a", Name: "  Annotator one "}); err != nil {
		t.Fatal(err)
	}
	if err := w.PutAnnotator(Annotator{ID: "b", Name: "b", Retired: true}); err != nil {
		t.Fatal(err)
	}
	if err := w.PutAnnotator(Annotator{ID: "a", Name: "A1"}); err != nil {
		t.Fatal(err)
	}
	got, err := w.Annotators()
	if err != nil {
		t.Fatal(err)
	}
	if want := []Annotator{{ID: "a", Name: "A1"}, {ID: "b", Name: "b", Retired: true}}; !slices.Equal(got, want) {
		t.Errorf("annotators %v, want %v", got, want)
	}
	names, err := w.AnnotatorNames()
	if err != nil || names["a"] != "A1" {
		t.Errorf("names %v, %v", names, err)
	}
}

func TestAnnotatorNamesAreUnique(t *testing.T) {
	w := fresh(t)
	if err := w.PutAnnotator(Annotator{ID: "a", Name: "one"}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []Annotator{{ID: "b", Name: "one"}, {ID: "b", Name: "a"}, {ID: "b", Name: " "}, {Name: "x"}} {
		if err := w.PutAnnotator(bad); err == nil || !strings.Contains(err.Error(), "name") {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
}
