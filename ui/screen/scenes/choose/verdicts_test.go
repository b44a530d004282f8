package choose

import (
	"reflect"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/scenestest"
	"github.com/variscope/variscope/store"
)

func TestVerdicts(t *testing.T) {
	var v Verdicts
	steps := []struct {
		target, image int
		verdict       Verdict
		vetoed        []int
		approved      map[int][]int
	}{
		{0, 7, Approved, nil, map[int][]int{0: {7}}},
		{0, 3, Approved, nil, map[int][]int{0: {3, 7}}},
		{1, 3, Vetoed, []int{3}, map[int][]int{0: {3, 7}}}, // the approval rests
		{1, 1, Vetoed, []int{1, 3}, map[int][]int{0: {3, 7}}},
		{1, 3, Open, []int{1}, map[int][]int{0: {3, 7}}},
		{0, 3, Open, []int{1}, map[int][]int{0: {7}}},
		{0, 7, Open, []int{1}, map[int][]int{}},
		{2, 1, Approved, []int{}, map[int][]int{2: {1}}},
	}
	for k, s := range steps {
		before := v
		kept := reflect.ValueOf(before.Approved).Len()
		v = v.With(s.target, s.image, s.verdict)
		if v.Of(s.target, s.image) != s.verdict || len(v.Vetoed) != len(s.vetoed) ||
			!reflect.DeepEqual(v.Approved, s.approved) {
			t.Errorf("step %d: %+v", k, v)
		}
		if len(s.vetoed) > 0 && !reflect.DeepEqual(v.Vetoed, s.vetoed) || len(before.Approved) != kept {
			t.Errorf("step %d: vetoed %v", k, v.Vetoed)
		}
	}
	if v = (Verdicts{}).With(0, 5, Approved).With(3, 5, Vetoed); v.Of(0, 5) != Vetoed || v.Of(1, 5) != Vetoed {
		t.Error("a veto is on a background, whatever its target")
	}
	if !v.Any() || (Verdicts{}).Any() {
		t.Error("any")
	}
}

// TestVerdictsAreKept: in the workspace, per selection; another selection of the same suites takes
// over approvals of scenes that it has.
func TestVerdictsAreKept(t *testing.T) {
	w := scenestest.New(t, 0)
	first := w.Selection.Selection.Chosen[2]
	list := []judgement{
		{w.Selection.Hash, 2, first[0].Background, Approved},
		{w.Selection.Hash, 2, first[1].Background, Vetoed},
		{w.Selection.Hash, 2, 999, Approved},
	}
	testdata.OK(t, keep(w.Workspace, list...))
	v, err := recall(w.Workspace, w.Selection.Hash)
	if err != nil || v.Of(2, first[0].Background) != Approved || v.Of(0, first[1].Background) != Vetoed {
		t.Fatalf("%+v, %v", v, err)
	}
	other := store.SelectionRecord{Hash: "other"}
	other.Selection.Chosen = [][]background.Scene{{}, {}, {first[0], first[1]}}
	testdata.OK(t, hand(w.Workspace, v, other))
	if got, err := recall(w.Workspace, "other"); err != nil ||
		!reflect.DeepEqual(got.Approved, map[int][]int{2: {first[0].Background}}) || len(got.Vetoed) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
	testdata.OK(t, w.SetSetting(settingVerdicts+"odd", "no verdicts"))
	if v, err := recall(w.Workspace, "odd"); err != nil || v.Any() {
		t.Errorf("of another version: %+v, %v", v, err)
	}
}
