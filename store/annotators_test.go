package store

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestAnnotatorsKeepTheirIdsWhenTheyAreRenamed(t *testing.T) {
	w := fresh(t)
	must(t, w.PutAnnotator(Annotator{ID: "a", Name: "  Annotator one "}))
	must(t, w.PutAnnotator(Annotator{ID: "b", Name: "b", Retired: true}))
	must(t, w.PutAnnotator(Annotator{ID: "a", Name: "A1"}))
	got, err := w.Annotators()
	must(t, err)
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
	must(t, w.PutAnnotator(Annotator{ID: "a", Name: "one"}))
	for _, bad := range []Annotator{{ID: "b", Name: "one"}, {ID: "b", Name: "a"}, {ID: "b", Name: " "}, {Name: "x"}} {
		if err := w.PutAnnotator(bad); err == nil || !strings.Contains(err.Error(), "name") {
			t.Errorf("%+v: error %v", bad, err)
		}
	}
}

// Many at a time lose nobody, and a name is taken once.
func TestAnnotatorsAtTheSameTime(t *testing.T) {
	w := unsynced(fresh(t))
	var all sync.WaitGroup
	var named atomic.Int64
	for i := range 40 {
		all.Go(func() {
			if err := w.PutAnnotator(Annotator{ID: fmt.Sprint("a", i), Name: fmt.Sprint("annotator ", i)}); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if w.PutAnnotator(Annotator{ID: fmt.Sprint("b", i), Name: "the same"}) == nil {
				named.Add(1)
			}
		})
	}
	all.Wait()
	if list, err := w.Annotators(); err != nil || len(list) != 41 || named.Load() != 1 {
		t.Errorf("%d annotators, %d with the same name, %v", len(list), named.Load(), err)
	}
}
