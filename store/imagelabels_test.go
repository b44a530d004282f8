package store

import (
	"errors"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

func mustLabels(t *testing.T, w *Workspace, suite string) map[int]int {
	t.Helper()
	labels, err := w.ImageLabels(suite)
	must(t, err)
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
	at := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, l := range []database.ImageLabel{
		{Image: 3, Class: 1, By: "A", At: at},
		{Image: 0, Class: 2},
		{Image: 3, Class: 0, By: "B", At: at},
		{Image: 4, Class: 2},
	} {
		must(t, w.SetImageLabel(s.Hash, l))
	}
	if got := mustLabels(t, w, s.Hash); !maps.Equal(got, map[int]int{0: 2, 3: 0, 4: 2}) {
		t.Error(got)
	}
	if labels, err := w.ImageLabels(s.Hash); err != nil ||
		labels[3] != (database.ImageLabel{Image: 3, Class: 0, By: "B", At: at}) {
		t.Errorf("%+v, %v", labels[3], err)
	}
	must(t, w.SetImageLabel(s.Hash, database.ImageLabel{Image: 3, Class: -1}))
	if err := w.SetImageLabel(s.Hash, database.ImageLabel{Image: 2, Class: -1}); err != nil {
		t.Errorf("taking away what is not there: %v", err)
	}
	if got := mustLabels(t, w, s.Hash); !maps.Equal(got, map[int]int{0: 2, 4: 2}) {
		t.Error(got)
	}
	if got := mustLabels(t, w, other.Hash); len(got) != 0 {
		t.Errorf("the other suite has %v", got)
	}
	if len(heard) != 6 || heard[0] != (Change{ImageLabelsChanged, s.Hash}) {
		t.Error(heard)
	}
}

func TestImageLabelsOfATable(t *testing.T) {
	w := fresh(t)
	table := mustAdd(t, w, "t", "")
	must(t, w.SetImageLabel(table.ID, database.ImageLabel{Image: 3, Class: 2}))
	if got := mustLabels(t, w, table.ID); !maps.Equal(got, map[int]int{3: 2}) {
		t.Error(got)
	}
	if err := w.SetImageLabel(table.ID, database.ImageLabel{Image: 4}); err == nil ||
		!strings.Contains(err.Error(), "t has no image 4; its images are 0 to 3") {
		t.Error(err)
	}
}

func TestImageLabelsThatMakeNoSense(t *testing.T) {
	w := fresh(t)
	s := storetest.AddSuite(t, w, "s", 5)
	unlabelled := storetest.WriteSuite(t, "bare", 4)
	unlabelled.Classes, unlabelled.Labels, unlabelled.Counts = nil, nil, nil
	if _, err := w.AddSuite(unlabelled); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		suite string
		label database.ImageLabel
		want  string
	}{
		{s.Hash, database.ImageLabel{Image: 5}, "s has no image 5; its images are 0 to 4"},
		{s.Hash, database.ImageLabel{Image: -1}, "no image -1"},
		{s.Hash, database.ImageLabel{Image: 1, Class: 3}, "s has no class 3 (image 1); its classes are 0 to 2"},
		{s.Hash, database.ImageLabel{Image: 1, Class: -2}, "no class -2"},
		{"nowhere", database.ImageLabel{}, "suite nowhere: not found"},
		{"", database.ImageLabel{}, "not found"},
	} {
		if err := w.SetImageLabel(c.suite, c.label); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c, err, c.want)
		}
	}
	if err := w.SetImageLabel("nowhere", database.ImageLabel{}); !errors.Is(err, database.ErrNotFound) {
		t.Error(err)
	}
	if err := w.SetImageLabel(unlabelled.Hash, database.ImageLabel{Image: 3, Class: 9}); err != nil {
		t.Errorf("a suite without classes takes any: %v", err)
	}
	if err := w.SetImageLabels(s.Hash, []database.ImageLabel{{Image: 1, Class: 1}, {Image: 9}}); err == nil {
		t.Error("a bad one among many is taken")
	}
	if got := mustLabels(t, w, s.Hash); len(got) != 0 {
		t.Errorf("a refused batch left %v", got)
	}
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
	if got := mustLabels(t, w, s.Hash); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	path := w.Path()
	checkAndClose(t, w)
	if got := mustLabels(t, reopen(t, path), s.Hash); !maps.Equal(got, want) {
		t.Errorf("opened again: %v, want %v", got, want)
	}
}
