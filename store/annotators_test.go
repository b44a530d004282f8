package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestAnnotatorsKeepTheirIdsWhenTheyAreRenamed(t *testing.T) {
	w := fresh(t)
	must(t, w.PutAnnotator(Annotator{ID: "a", Name: "  Annotator one "}))
	must(t, w.PutAnnotator(Annotator{ID: "b", Name: "b", Retired: true}))
	must(t, w.PutAnnotator(Annotator{ID: "a", Name: "A1"}))
	testdata.Equal(t, "annotators", testdata.Must(w.Annotators())(t),
		[]Annotator{{ID: "a", Name: "A1"}, {ID: "b", Name: "b", Retired: true}})
	testdata.Is(t, "name of a", testdata.Must(w.AnnotatorNames())(t)["a"], "A1")
}

func TestAnnotatorNamesAreUnique(t *testing.T) {
	w := fresh(t)
	must(t, w.PutAnnotator(Annotator{ID: "a", Name: "one"}))
	for _, bad := range []Annotator{{ID: "b", Name: "one"}, {ID: "b", Name: "a"}, {ID: "b", Name: " "}, {Name: "x"}} {
		testdata.Refused(t, fmt.Sprint(bad), w.PutAnnotator(bad), "name")
	}
}

// Of many at a time nobody is lost, and a name is taken once.
func TestAnnotatorsAtTheSameTime(t *testing.T) {
	w := unsynced(fresh(t))
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() { _ = w.PutAnnotator(Annotator{ID: fmt.Sprint("a", i), Name: fmt.Sprint("annotator ", i)}) })
		all.Go(func() { _ = w.PutAnnotator(Annotator{ID: fmt.Sprint("b", i), Name: "the same"}) })
	}
	all.Wait()
	testdata.Is(t, "annotators", len(testdata.Must(w.Annotators())(t)), 41)
}
