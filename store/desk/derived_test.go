package desk

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// derived makes a workspace with a round of two models on a shifted suite.
func derived(tb testing.TB) (*store.Workspace, label.Round, suite.Manifest) {
	tb.Helper()
	ws := sums.Empty(tb)
	s := testdata.Must(ws.DeriveSuite(images(tb, ws).Hash, derive.Shift{N: 3, T: 2, Region: 7}, ""))(tb)
	r, err := ws.CreateRound(tb.Context(), label.Round{
		Name: "first", Suite: s.Hash, Family: family, Classes: 3, Annotators: []string{"a", "b"}, Guideline: "Look.",
		Models: []string{addModel(tb, ws, s, 0).Hash, addModel(tb, ws, s, 1).Hash},
	})
	must(tb, err)
	return ws, r, s
}

// TestPackageOfADerivedSuite: the other desk knows what it is made from, and reads its images as
// soon as those of the base are there; a full package brings them.
func TestPackageOfADerivedSuite(t *testing.T) {
	ws, r, s := derived(t)
	for _, full := range []bool{false, true} {
		there := invited(t, ws, r, full)
		got, err := there.Suite(s.Hash)
		if err != nil || got.Name != s.Name || cmp.Diff(s.Derived, got.Derived) != "" || got.Images != s.Images {
			t.Errorf("full %v: %+v, %v", full, got, err)
		}
		if base, err := there.Suite(s.Derived.Of); err != nil || base.Name != "shapes" || base.Derived != nil {
			t.Errorf("full %v: base %+v, %v", full, base, err)
		}
		opened, err := there.OpenSuite(s.Hash)
		if !full {
			testdata.ErrorIs(t, "images", err, store.ErrNoImages)
			testdata.Refused(t, "images", err, "suite shapes: ")
			continue
		}
		must(t, err)
		sameImages(t, ws, opened)
		must(t, opened.Close())
	}
}

// sameImages compares an opened suite with the same one in another workspace.
func sameImages(t *testing.T, ws *store.Workspace, have *suite.Suite) {
	t.Helper()
	want, err := ws.OpenSuite(have.Manifest().Hash)
	must(t, err)
	defer func() { _ = want.Close() }()
	for i := range want.Len() {
		a := testdata.Must(want.Image(i))(t)
		if b, err := have.Image(i); err != nil || cmp.Diff(a, b) != "" {
			t.Errorf("image %d differs, %v", i, err)
		}
	}
}

// TestForgedDerivedSuitesChangeNothing: the base must be the one that the suite's hash says, and so
// must the change, which has to exist.
func TestForgedDerivedSuitesChangeNothing(t *testing.T) {
	ws, r, s := derived(t)
	path, full := packed(t, ws, r, false), packed(t, ws, r, true)
	edit := func(member, from, to string) string {
		return rewrite(t, path, func(m map[string][]byte) {
			if !bytes.Contains(m[member], []byte(from)) {
				t.Fatalf("%s has no %s", member, from)
			}
			m[member] = bytes.ReplaceAll(m[member], []byte(from), []byte(to))
		})
	}
	of := s.Derived.Of
	other := strings.Repeat("0", 64)
	const change = "shift:n=3;t=2;region=7"
	refusedWhole(t, map[string]string{
		"is not made from the suite":   edit("suite.json", of, other),
		"not made from the suite shap": edit(baseMember, of, other),
		"is not made from the suite s": edit("suite.json", change, "shift:n=3;t=2;region=8"),
		"region 10 does not exist":     edit("suite.json", change, "shift:n=3;t=2;region=10"),
		"unknown; known are":           edit("suite.json", change, "mirror:x"),
		"snowfall":                     edit("suite.json", change, "corruption:snowfall:2;seed=1"),
		"is missing":                   rewrite(t, path, func(m map[string][]byte) { delete(m, baseMember) }),
		"its images are not those of suite shapes": rewrite(t, full, func(m map[string][]byte) {
			m["images/bird/0.png"] = bytes.Repeat([]byte("x"), len(m["images/bird/0.png"]))
		}),
		"is not made from the suite shapes": rewrite(t, path, func(m map[string][]byte) {
			var base suite.Manifest
			must(t, json.Unmarshal(m[baseMember], &base))
			base.Derived = &suite.Derived{Of: s.Hash, Change: change}
			m[baseMember], _ = json.Marshal(base)
		}),
	})
}
