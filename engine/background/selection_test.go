package background

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func selection() Selection {
	return Selection{
		Targets: "aa", Masks: "bb", Backgrounds: "cc", Table: "dd", Ontology: "ee", Edits: 2,
		Rule: PaperRule(), Expansion: DefaultExpansion(), Choice: Choice{Method: ByKeywords, N: 2, Seed: 1},
		Vetoed: []int{9},
		Chosen: [][]Scene{{{4, 0.5, 1, 0}, {3, 0.25, -1, -1}}, {{3, 0, 7, 2}, {8, 1, 1, 1}}},
	}
}

// changed is a selection with one thing changed.
func changed(change func(s *Selection)) Selection {
	s := selection()
	change(&s)
	return s
}

func TestSelectionHash(t *testing.T) {
	base := selection().Hash()
	if len(base) != 64 || strings.Trim(base, "0123456789abcdef") != "" || base != selection().Hash() {
		t.Fatalf("hash %q", base)
	}
	seen := map[string]string{base: "nothing"}
	for name, change := range map[string]func(s *Selection){
		"targets":     func(s *Selection) { s.Targets = "a" },
		"masks":       func(s *Selection) { s.Masks = "abb" },
		"moved text":  func(s *Selection) { s.Targets, s.Masks = "aab", "b" },
		"backgrounds": func(s *Selection) { s.Backgrounds = "x" },
		"feather":     func(s *Selection) { s.Feather = 1 },
		"centre":      func(s *Selection) { s.Align = Centre },
		"ground":      func(s *Selection) { s.Align = Ground },
		"scene":       func(s *Selection) { s.Chosen[1][0].Background = 5 },
		"distance":    func(s *Selection) { s.Chosen[1][0].Distance += 0.001 },
		"order":       func(s *Selection) { s.Chosen[0][0], s.Chosen[0][1] = s.Chosen[0][1], s.Chosen[0][0] },
		"targets' order": func(s *Selection) {
			s.Chosen[0], s.Chosen[1] = s.Chosen[1], s.Chosen[0]
		},
		"fewer": func(s *Selection) { s.Chosen = s.Chosen[:1] },
		"other lists of the same scenes": func(s *Selection) {
			s.Chosen = [][]Scene{append(append([]Scene{}, s.Chosen[0]...), s.Chosen[1]...)}
		},
	} {
		hash := changed(change).Hash()
		if before, there := seen[hash]; there {
			t.Errorf("%s and %s have the same hash", name, before)
		}
		seen[hash] = name
	}
	for name, change := range map[string]func(s *Selection){
		"table": func(s *Selection) { s.Table, s.Ontology, s.Edits = "x", "y", 0 },
		"settings": func(s *Selection) {
			s.Rule, s.Expansion, s.Choice = RefcodeRule(), Expansion{}, Choice{Method: Random}
		},
		"vetoes":    func(s *Selection) { s.Vetoed = nil },
		"keep":      func(s *Selection) { s.Align = Keep },
		"reasons":   func(s *Selection) { s.Chosen[0][0] = Scene{Background: 4, Distance: 0.5, Keyword: 3, Level: 1} },
		"minus nil": func(s *Selection) { s.Feather = math.Copysign(0, -1) },
	} {
		testdata.Is(t, fmt.Sprintf("%s changes the hash", name), changed(change).Hash(), base)
	}
}

// TestHashStays: selections that were kept before are found again.
func TestHashStays(t *testing.T) {
	const want = "369c8a39a160e76b909f460c6053a4564a5cc96450f90c8f93b66a078bec3728"
	testdata.Is(t, "hash", selection().Hash(), want)
}

func TestSelectionCheck(t *testing.T) {
	testdata.OK(t, selection().Check())
	for want, change := range map[string]func(s *Selection){
		"has no targets":                                func(s *Selection) { s.Chosen = nil },
		"0 scenes for its first target":                 func(s *Selection) { s.Chosen[0] = nil },
		"1001 scenes for its first target":              func(s *Selection) { s.Chosen[0] = make([]Scene, 1001) },
		"1 scenes for target 2 and 2 for the first one": func(s *Selection) { s.Chosen[1] = s.Chosen[1][:1] },
		"target 2: scene 1 is background -1":            func(s *Selection) { s.Chosen[1][0].Background = -1 },
		"target 1: scene 2 is background 4 once more":   func(s *Selection) { s.Chosen[0][1].Background = 4 },
		"target 2: scene 2 is background 8, which":      func(s *Selection) { s.Vetoed = []int{8} },
		"vetoes background -3":                          func(s *Selection) { s.Vetoed = []int{-3} },
		"scene 1 has the distance -0.1":                 func(s *Selection) { s.Chosen[0][0].Distance = -0.1 },
		"scene 1 has the distance NaN":                  func(s *Selection) { s.Chosen[0][0].Distance = math.NaN() },
		"scene 1 has the distance +Inf":                 func(s *Selection) { s.Chosen[0][0].Distance = math.Inf(1) },
		"keyword -2 of level 0":                         func(s *Selection) { s.Chosen[0][0].Keyword = -2 },
		"keyword 1 of level -2":                         func(s *Selection) { s.Chosen[0][0].Level = -2 },
		"a feather of -1":                               func(s *Selection) { s.Feather = -1 },
		`"up" is no alignment`:                          func(s *Selection) { s.Align = "up" },
	} {
		testdata.Refused(t, "error", changed(change).Check(), want)
	}
}

func TestSelectionRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := changed(func(s *Selection) {
			s.Feather, s.Align = rapid.Float64Range(0, 9).Draw(t, "feather"),
				rapid.SampledFrom(Alignments()).Draw(t, "align")
			s.Choice.Seed = rapid.Uint64().Draw(t, "seed")
			n := rapid.IntRange(1, 4).Draw(t, "n")
			s.Chosen = nil
			for range rapid.IntRange(1, 4).Draw(t, "targets") {
				var list []Scene
				for _, b := range rapid.SliceOfNDistinct(rapid.IntRange(10, 99), n, n, rapid.ID).Draw(t,
					"backgrounds") {
					list = append(list, Scene{b, rapid.Float64Range(0, 2).Draw(t, "d"), b % 3, b % 2})
				}
				s.Chosen = append(s.Chosen, list)
			}
		})
		var b bytes.Buffer
		testdata.OK(t, s.WriteJSON(&b))
		got, err := readSelection(b.Bytes())
		if err != nil || !reflect.DeepEqual(got, s) || got.Hash() != s.Hash() {
			t.Fatalf("%+v, %v; want %+v", got, err, s)
		}
	})
}

// readSelection reads what WriteJSON wrote, as a program of others may, and checks it.
func readSelection(data []byte) (s Selection, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err = d.Decode(&s); err == nil {
		err = s.Check()
	}
	return s, err
}

// FuzzSelection: what is read can be written and read again, and is the same selection.
func FuzzSelection(f *testing.F) {
	for _, s := range []Selection{selection(), {}} {
		var b bytes.Buffer
		testdata.OK(f, s.WriteJSON(&b))
		f.Add(b.Bytes())
	}
	f.Add([]byte(`{"chosen":[[{"background":1e3,"distance":1e-400,"keyword":-1,"level":-1}]],"vetoed":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := readSelection(data)
		if err != nil {
			return
		}
		var b bytes.Buffer
		testdata.OK(t, s.WriteJSON(&b))
		again, err := readSelection(b.Bytes())
		if err != nil || again.Hash() != s.Hash() || again.Far() != s.Far() || again.N() != s.N() {
			t.Fatalf("%+v became %+v, %v", s, again, err)
		}
		d := s.Diversity(0)
		if d.Scenes != len(s.Chosen)*s.N() || !(d.Filled > 0 && d.Filled <= 1) || !(d.Even >= 0 && d.Even <= 1+1e-9) {
			t.Fatalf("diversity %+v", d)
		}
	})
}
