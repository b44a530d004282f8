package store

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

func mustLabels(t *testing.T, w *Workspace, suite string) map[int]int {
	t.Helper()
	labels := testdata.Must(w.ImageLabels(suite))(t)
	classes := map[int]int{}
	for image, l := range labels {
		if l.Image != image || l.At.IsZero() {
			t.Errorf("image %d: %+v", image, l)
		}
		classes[image] = l.Class
	}
	return classes
}

func TestImageLabels(t *testing.T) {
	w := fresh(t)
	s, other := storetest.AddSuite(t, w, "s", 5), storetest.AddSuite(t, w, "other", 5)
	var heard []Change
	defer w.Subscribe(func(c Change) { heard = append(heard, c) })()
	last := database.ImageLabel{Image: 3, Class: 0, By: "B", At: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)}
	absent := database.ImageLabel{Image: 2, Class: -1} // takes away what is not there
	for _, l := range []database.ImageLabel{{Image: 3, Class: 1, By: "A"}, {Image: 0, Class: 2}, last, absent} {
		must(t, w.SetImageLabel(s.Hash, l))
	}
	testdata.Is(t, "label of image 3", testdata.Must(w.ImageLabels(s.Hash))(t)[3], last)
	testdata.Is(t, "labels of the other suite", len(mustLabels(t, w, other.Hash)), 0)
	testdata.Equal(t, "heard", heard, slices.Repeat([]Change{{ImageLabelsChanged, s.Hash}}, 4))
}

func TestImageLabelsThatMakeNoSense(t *testing.T) {
	w := fresh(t)
	s, table := storetest.AddSuite(t, w, "s", 5), mustAdd(t, w, "t", "")
	unlabelled := storetest.WriteSuite(t, "bare", 4)
	unlabelled.Classes, unlabelled.Labels, unlabelled.Counts = nil, nil, nil
	must(t, testdata.Err(w.AddSuite(unlabelled)))
	for want, c := range map[string]struct {
		of    string
		label database.ImageLabel
	}{
		"s has no image 5; its images are 0 to 4": {s.Hash, database.ImageLabel{Image: 5}},
		"no image -1": {s.Hash, database.ImageLabel{Image: -1}},
		"s has no class 3 (image 1); its classes are 0 to 2": {s.Hash, database.ImageLabel{Image: 1, Class: 3}},
		"no class -2": {s.Hash, database.ImageLabel{Image: 1, Class: -2}},
		"t has no image 4; its images are 0 to 3": {table.ID, database.ImageLabel{Image: 4}},
		"suite nowhere: not found":                {"nowhere", database.ImageLabel{}},
		"not found":                               {"", database.ImageLabel{}},
	} {
		testdata.Refused(t, want, w.SetImageLabel(c.of, c.label), want)
	}
	must(t, w.SetImageLabel(unlabelled.Hash, database.ImageLabel{Image: 3, Class: 9})) // without classes any is taken
	must(t, w.SetImageLabel(table.ID, database.ImageLabel{Image: 3, Class: 2}))
	testdata.Is(t, "label in a table", mustLabels(t, w, table.ID)[3], 2)
	testdata.Refused(t, "a bad one among many", w.SetImageLabels(s.Hash,
		[]database.ImageLabel{{Image: 1, Class: 1}, {Image: 9}}))
	testdata.Is(t, "labels after a refused batch", len(mustLabels(t, w, s.Hash)), 0)
}

// Random labels, in batches and one by one, are those that a map would hold, also after opening
// again.
func TestImageLabelsAreAMap(t *testing.T) {
	w := unsynced(fresh(t))
	s := storetest.AddSuite(t, w, "s", 40)
	want := map[int]int{}
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		var batch []database.ImageLabel
		for range 1 + random.IntN(4) {
			l := database.ImageLabel{Image: random.IntN(40), Class: random.IntN(4) - 1}
			batch = append(batch, l)
			if want[l.Image] = l.Class; l.Class < 0 {
				delete(want, l.Image)
			}
		}
		must(t, w.SetImageLabels(s.Hash, batch))
	}
	for range 2 {
		if got := mustLabels(t, w, s.Hash); !maps.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		w = reopened(t, w)
	}
}
