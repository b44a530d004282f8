package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/store"
)

// foggy makes a workspace with a round of two models on a corrupted suite.
func foggy(tb testing.TB) (*store.Workspace, label.Round, suite.Manifest) {
	tb.Helper()
	return onDerived(tb, corrupt.Setting{Name: "fog", Severity: 2, Seed: 1})
}

// onDerived makes a workspace with a round of two models on a derived suite.
func onDerived(tb testing.TB, change derive.Change) (*store.Workspace, label.Round, suite.Manifest) {
	tb.Helper()
	ws := sums.Empty(tb)
	base := images(tb, ws)
	s, err := ws.DeriveSuite(base.Hash, change, "")
	must(tb, err)
	r := label.Round{
		Name: "first", Suite: s.Hash, Family: family, Classes: 3, Annotators: []string{"a", "b"}, Guideline: "Look.",
	}
	for k := range 2 {
		r.Models = append(r.Models, addModel(tb, ws, s, k).Hash)
	}
	if r, err = ws.CreateRound(tb.Context(), r); err != nil {
		tb.Fatal(err)
	}
	return ws, r, s
}

// TestPackageOfADerivedSuite: the other desk knows what it is made from, and reads its images as
// soon as those of the base are there; a full package brings them.
func TestPackageOfADerivedSuite(t *testing.T) {
	for _, change := range []derive.Change{
		corrupt.Setting{Name: "fog", Severity: 2, Seed: 1},
		derive.Shift{N: 3, T: 2, Region: 7},
	} {
		t.Run(change.String(), func(t *testing.T) { packedAndOpened(t, change) })
	}
}

func packedAndOpened(t *testing.T, change derive.Change) {
	ws, r, s := onDerived(t, change)
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
			if !errors.Is(err, store.ErrNoImages) || !strings.Contains(err.Error(), "suite shapes: ") {
				t.Errorf("images: %v", err)
			}
			continue
		}
		must(t, err)
		sameImages(t, ws, opened)
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}

// sameImages compares an opened suite with the same one in another workspace.
func sameImages(t *testing.T, ws *store.Workspace, have *suite.Suite) {
	t.Helper()
	want, err := ws.OpenSuite(have.Manifest().Hash)
	must(t, err)
	defer func() { _ = want.Close() }()
	for i := range want.Len() {
		a, err := want.Image(i)
		must(t, err)
		if b, err := have.Image(i); err != nil || cmp.Diff(a, b) != "" {
			t.Errorf("image %d differs, %v", i, err)
		}
	}
}

// TestForgedShiftsChangeNothing: a region that does not exist, another region, and a change that
// nobody knows are refused.
func TestForgedShiftsChangeNothing(t *testing.T) {
	ws, r, _ := onDerived(t, derive.Shift{N: 3, T: 2, Region: 7})
	path := packed(t, ws, r, false)
	there := sums.Empty(t)
	before := state(t, there)
	for to, want := range map[string]string{
		"shift:n=3;t=2;region=10": "region 10 does not exist",
		"shift:n=3;t=2;region=8":  "is not made from the suite",
		"mirror:x":                "unknown; known are corruption",
	} {
		file := rewrite(t, path, func(m map[string][]byte) {
			forged := bytes.ReplaceAll(m["suite.json"], []byte("shift:n=3;t=2;region=7"), []byte(to))
			if bytes.Equal(forged, m["suite.json"]) {
				t.Fatal("the package does not hold the change")
			}
			m["suite.json"] = forged
		})
		if _, err := Open(t.Context(), there, file, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if after := state(t, there); after != before {
			t.Fatalf("%s: the workspace changed", to)
		}
	}
}

// TestForgedDerivedSuitesChangeNothing: the base must be the one that the suite's hash says.
func TestForgedDerivedSuitesChangeNothing(t *testing.T) {
	ws, r, s := foggy(t)
	path, full := packed(t, ws, r, false), packed(t, ws, r, true)
	there := sums.Empty(t)
	before := state(t, there)
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
	for want, file := range map[string]string{
		"is not made from the suite":   edit("suite.json", of, other),
		"not made from the suite shap": edit(baseMember, of, other),
		"snowfall":                     edit("suite.json", "corruption:fog:", "corruption:snowfall:"),
		"is not made from the suite s": edit("suite.json", "corruption:fog:2", "corruption:fog:3"),
		"is missing":                   rewrite(t, path, func(m map[string][]byte) { delete(m, baseMember) }),
		"its images are not those of suite shapes": rewrite(t, full, func(m map[string][]byte) {
			m["images/bird/0.png"] = bytes.Repeat([]byte("x"), len(m["images/bird/0.png"]))
		}),
		"is not made from the suite shapes": rewrite(t, path, func(m map[string][]byte) {
			var base suite.Manifest
			must(t, json.Unmarshal(m[baseMember], &base))
			base.Derived = &suite.Derived{Of: s.Hash, Change: "corruption:fog:2;seed=1"}
			m[baseMember], _ = json.Marshal(base)
		}),
	} {
		_, err := Open(t.Context(), there, file, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if after := state(t, there); after != before {
			t.Fatalf("%s: the workspace changed", want)
		}
	}
}
