package store

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store/database"
)

func TestKeywordTablesRoundTrip(t *testing.T) {
	w := fresh(t)
	table := storetest.Keywords(300) // more than is kept plain
	k, err := w.AddKeywords(" true keywords ", "file", table)
	if err != nil || k.Name != "true keywords" || k.Images != 300 || k.Elements != 2 || k.Scenes != 1 ||
		!database.IsHash(k.Hash) {
		t.Fatalf("%+v, %v", k, err)
	}
	if again, err := w.AddKeywords("other name", "two networks", table); err != nil || cmp.Diff(again, k) != "" {
		t.Errorf("the same table again: %v, %s", err, cmp.Diff(again, k))
	}
	w = reopened(t, w)
	got, err := w.Keywords(k.Hash)
	if err != nil || cmp.Diff(got, table) != "" {
		t.Errorf("%v: %s", err, cmp.Diff(got, table))
	}
	if _, err := w.Keywords(storetest.HashOf("nothing")); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// TestKeywordsHashEverything: no part of a table can change without its name.
func TestKeywordsHashEverything(t *testing.T) {
	seen := map[string]string{database.HashKeywords(storetest.Keywords(3)): "untouched"}
	for name, change := range map[string]func(*background.Table){
		"element": func(t *background.Table) { t.Elements[1] = "sea" },
		"moved":   func(t *background.Table) { t.Elements, t.Scenes = t.Elements[:1], []string{"sand", "beach"} },
		"file":    func(t *background.Table) { t.Rows[2].File = "x" },
		"kind":    func(t *background.Table) { t.Rows[1].Kind = background.TargetKind },
		"label":   func(t *background.Table) { t.Rows[0].Label = "dog" },
		"scene":   func(t *background.Table) { t.Rows[0].Scene = "" },
		"visible": func(t *background.Table) { t.Rows[0].Visible++ },
		"number":  func(t *background.Table) { t.Rows[0].Vector[1] = 0.1 },
		"order":   func(t *background.Table) { t.Rows[1], t.Rows[2] = t.Rows[2], t.Rows[1] },
		"fewer":   func(t *background.Table) { t.Rows = t.Rows[:2] },
	} {
		table := storetest.Keywords(3)
		change(&table)
		hash := database.HashKeywords(table)
		if other, there := seen[hash]; there {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[hash] = name
	}
}

func TestKeywordTablesThatCannotBe(t *testing.T) {
	w := fresh(t)
	for want, change := range map[string]func(*background.Table){
		"no images":               func(t *background.Table) { t.Rows = nil },
		"2 numbers in place":      func(t *background.Table) { t.Rows[1].Vector = t.Rows[1].Vector[:2] },
		"bg_2.png has the number": func(t *background.Table) { t.Rows[2].Vector[0] = math.NaN() },
	} {
		table := storetest.Keywords(3)
		change(&table)
		if _, err := w.AddKeywords("t", "file", table); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if _, err := w.AddKeywords(" ", "file", storetest.Keywords(3)); err == nil {
		t.Error("a table without a name")
	}
	if list, err := w.KeywordTables(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestOntologies(t *testing.T) {
	w := fresh(t)
	k, err := w.AddKeywords("t", "file", storetest.Keywords(3))
	must(t, err)
	heard := 0
	defer w.Subscribe(func(c Change) {
		if c.Kind == BackgroundChanged {
			heard++
		}
	})()
	o, err := w.PutOntology(database.OntologyRecord{
		Name: "first", Table: k.Hash, Rule: background.PaperRule(), MinSupport: 0.05,
		MinConfidence: 0.3,
	})
	if err != nil || !database.IsULID(o.ID) {
		t.Fatalf("%+v, %v", o, err)
	}
	o.Edits = []itemset.Edit{{From: "seg_sky", To: "seg_sand", Weight: 0.5, Note: "seen"}}
	if o, err = w.PutOntology(o); err != nil {
		t.Fatal(err)
	}
	second, err := w.PutOntology(database.OntologyRecord{
		Name: "second", Table: k.Hash, MinSupport: 1,
		MinConfidence: 1,
	})
	must(t, err)
	list, err := w.Ontologies()
	if err != nil || cmp.Diff(list, []database.OntologyRecord{o, second}) != "" || heard != 3 {
		t.Errorf("heard %d times, %v: %s", heard, err, cmp.Diff(list, []database.OntologyRecord{o, second}))
	}
	for _, name := range []string{"first", o.ID} {
		if found, err := w.FindOntology(name); err != nil || cmp.Diff(found, o) != "" {
			t.Errorf("%s: %v, %s", name, err, cmp.Diff(found, o))
		}
	}
	for want, bad := range map[string]database.OntologyRecord{
		"needs a name":    {Table: k.Hash, MinSupport: 0.1, MinConfidence: 0.1},
		"support 0":       {Name: "x", Table: k.Hash, MinConfidence: 0.1},
		"confidence 1.5":  {Name: "x", Table: k.Hash, MinSupport: 0.1, MinConfidence: 1.5},
		"support NaN":     {Name: "x", Table: k.Hash, MinSupport: math.NaN(), MinConfidence: 0.1},
		"keyword table":   {Name: "x", Table: storetest.HashOf("no"), MinSupport: 0.1, MinConfidence: 0.1},
		"ontology ../etc": {ID: "../etc", Name: "x", Table: k.Hash, MinSupport: 0.1, MinConfidence: 0.1},
	} {
		if _, err := w.PutOntology(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if err := w.RemoveKeywords(k.Hash); err == nil || !strings.Contains(err.Error(), "ontology first rests on it") {
		t.Errorf("%v", err)
	}
	for _, id := range []string{o.ID, second.ID} {
		if err := w.RemoveOntology(id); err != nil {
			t.Error(err)
		}
	}
	if err := w.RemoveOntology(o.ID); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if err := w.RemoveKeywords(k.Hash); err != nil {
		t.Error(err)
	}
	if err := w.RemoveKeywords(k.Hash); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// world is a workspace with targets, masks and backgrounds.
type world struct {
	*Workspace
	targets, backgrounds string
	masks                database.MaskSet
	table                database.KeywordTable
}

func newWorld(t *testing.T) world {
	t.Helper()
	w := world{Workspace: fresh(t)}
	targets, backgrounds := storetest.AddSuite(t, w.Workspace, "targets", 4),
		storetest.AddSuite(t, w.Workspace, "backgrounds", 7)
	w.targets, w.backgrounds = targets.Hash, backgrounds.Hash
	var err error
	if w.masks, err = w.AddMasks(t.Context(), w.targets, storetest.WriteMasks(t, targets), false,
		noProgress{}); err != nil {
		t.Fatal(err)
	}
	if w.table, err = w.AddKeywords("t", "file", storetest.Keywords(3)); err != nil {
		t.Fatal(err)
	}
	return w
}

// selection has two scenes for each of the four targets; shift makes others.
func (w world) selection(shift int) background.Selection {
	return storetest.Selection(w.targets, w.masks.Hash, w.backgrounds, w.table.Hash, shift)
}

func TestSelectionsRoundTrip(t *testing.T) {
	w := newWorld(t)
	first, err := w.AddSelection(" mine ", w.selection(0))
	if err != nil || first.Name != "mine" || first.N != 2 || first.Method != background.Nearest ||
		first.Targets != w.targets {
		t.Fatalf("%+v, %v", first, err)
	}
	if again, err := w.AddSelection("twice", w.selection(0)); err != nil || again.Name != "mine" ||
		again.Hash != first.Hash {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	must(t, w.NameSelection(first.Hash, "Study: near"))
	first.Also = []string{"Study: near"}
	second, err := w.AddSelection("", w.selection(1))
	if err != nil || second.Hash == first.Hash || second.Name != "nearest x2" {
		t.Errorf("%+v, %v", second, err)
	}
	list, err := w.Selections()
	if err != nil || len(list) != 2 || list[0].Selection.Chosen != nil {
		t.Errorf("%+v, %v", list, err)
	}
	for _, name := range []string{"mine", "Study: near", first.Hash, first.Hash[:10]} {
		got, err := w.FindSelection(name)
		if err != nil || cmp.Diff(got.Selection, w.selection(0)) != "" || cmp.Diff(got, first) != "" {
			t.Errorf("%s: %v, %s", name, err, cmp.Diff(got, first))
		}
	}
	if _, err := w.Selection(storetest.HashOf("none")); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("%v", err)
	}
	if _, err := w.FindSelection("none"); !errors.Is(err, database.ErrNotFound) {
		t.Errorf("%v", err)
	}
	family, err := first.Family()
	if f, parse := transform.ParseAny(family); err != nil || parse != nil || f.N() != 3 {
		t.Errorf("%s, %v, %v", family, err, parse)
	}
}

func TestSelectionsThatCannotBe(t *testing.T) {
	w := newWorld(t)
	for want, change := range map[string]func(*background.Selection){
		"suite of targets":          func(s *background.Selection) { s.Targets = storetest.HashOf("x") },
		"suite of backgrounds":      func(s *background.Selection) { s.Backgrounds = storetest.HashOf("x") },
		"mask set":                  func(s *background.Selection) { s.Masks = storetest.HashOf("x") },
		"belong to another suite":   func(s *background.Selection) { s.Targets = w.backgrounds },
		"scenes for 3 targets":      func(s *background.Selection) { s.Chosen = s.Chosen[:3] },
		"target 2 has background 7": func(s *background.Selection) { s.Chosen[2][1].Background = 7 },
		"add selection x":           func(s *background.Selection) { s.Chosen[2] = s.Chosen[2][:1] },
		"add selection x: ":         func(s *background.Selection) { s.Chosen[0][0].Distance = math.Inf(1) },
		"add selection x: the":      func(s *background.Selection) { s.Chosen = nil },
	} {
		s := w.selection(0)
		change(&s)
		if _, err := w.AddSelection("x", s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if list, err := w.Selections(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

// TestWhatSelectionsRestOnStays: masks and tables under selections, selections under signals.
func TestWhatSelectionsRestOnStays(t *testing.T) {
	w := newWorld(t)
	r, err := w.AddSelection("mine", w.selection(0))
	must(t, err)
	for want, err := range map[string]error{
		"selection mine rests on them": w.RemoveMasks(w.masks.Hash),
		"selection mine rests on it":   w.RemoveKeywords(w.table.Hash),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	m := storetest.AddModel(t, w.Workspace, "m")
	targets, err := w.Suite(w.targets)
	must(t, err)
	family, err := r.Family()
	must(t, err)
	spec, err := storetest.SpecOf(m, targets, family)
	must(t, err)
	must(t, w.Update(func(tx *bbolt.Tx) error {
		return database.Sets.Put(tx, spec.Key(),
			database.SetRecord{Spec: spec})
	}))
	if err := w.RemoveSelection(r.Hash); err == nil ||
		!strings.Contains(err.Error(), "the signals of 1 models rest on it") {
		t.Errorf("%v", err)
	}
	must(t, w.Update(func(tx *bbolt.Tx) error { return database.Sets.Delete(tx, spec.Key()) }))
	round := label.Round{ID: w.NewID(), Name: "scenes", Kind: label.BackgroundRound, Selection: r.Hash}
	must(t, w.Update(func(tx *bbolt.Tx) error { return w.putRound(tx, round) }))
	if err := w.RemoveSelection(r.Hash); err == nil || !strings.Contains(err.Error(), `round "scenes" has it`) {
		t.Errorf("%v", err)
	}
	must(t, w.Update(func(tx *bbolt.Tx) error { return w.removeRound(tx, round.ID) }))
	if err := errors.Join(w.RemoveSelection(r.Hash), w.RemoveMasks(w.masks.Hash),
		w.RemoveKeywords(w.table.Hash)); err != nil {
		t.Error(err)
	}
	for _, err := range []error{w.RemoveSelection(r.Hash), w.RemoveMasks(w.masks.Hash)} {
		if !errors.Is(err, database.ErrNotFound) {
			t.Errorf("%v", err)
		}
	}
}

// TestDamagedRecordsOfBackgrounds: what does not fit together is ErrDamaged, never a panic or wrong
// numbers.
func TestDamagedRecordsOfBackgrounds(t *testing.T) {
	w := newWorld(t)
	r, err := w.AddSelection("mine", w.selection(0))
	must(t, err)
	must(t, w.PutContextVectors(map[string][]float64{"k": {1, 2}}))
	selection := func() error { _, err := w.Selection(r.Hash); return err }
	keywords := func() error { _, err := w.Keywords(w.table.Hash); return err }
	masks := func() error { _, err := w.MaskSets(w.targets); return err }
	context := func() error { _, _, err := w.ContextVector("k"); return err }
	other := w.selection(1)
	packed, err := database.Pack(other)
	must(t, err)
	broken := w.selection(0)
	broken.Chosen[1] = nil
	unequal, err := database.Pack(broken)
	must(t, err)
	for _, tt := range []struct {
		form *database.RawBucket
		key  string
		data []byte
		read func() error
	}{
		{database.SelectionDetails.RawBucket, r.Hash, []byte("Znot deflated"), selection},
		{database.SelectionDetails.RawBucket, r.Hash, packed, selection},
		{database.SelectionDetails.RawBucket, r.Hash, unequal, selection},
		{database.Selections.RawBucket, r.Hash, []byte("{"), selection},
		{database.KeywordVectors.RawBucket, w.table.Hash, nil, keywords},
		{database.KeywordVectors.RawBucket, w.table.Hash, []byte("J1234567"), keywords},
		{database.KeywordVectors.RawBucket, w.table.Hash, []byte("J12345678"), keywords},
		{database.KeywordVectors.RawBucket, w.table.Hash, []byte("?12345678"), keywords},
		{database.KeywordVectors.RawBucket, w.table.Hash, []byte("Z12345678"), keywords},
		{database.KeywordDetails.RawBucket, w.table.Hash, []byte("J[]"), keywords},
		{database.Masks.RawBucket, w.masks.Hash, []byte("[]"), masks},
		{database.MaskDetails.RawBucket, w.masks.Hash, []byte("J7"), masks},
		{database.ContextVectors.RawBucket, "k", []byte("J123"), context},
	} {
		var before []byte
		err := w.Update(func(tx *bbolt.Tx) error {
			before = append(before, tt.form.Bytes(tx, tt.key)...)
			if tt.data == nil {
				return tt.form.Delete(tx, tt.key)
			}
			return tt.form.PutBytes(tx, tt.key, tt.data)
		})
		must(t, err)
		if err := tt.read(); !errors.Is(err, database.ErrDamaged) {
			t.Errorf("%s %q: %v", tt.form.Name, tt.data, err)
		}
		must(t, w.Update(func(tx *bbolt.Tx) error { return tt.form.PutBytes(tx, tt.key, before) }))
		if err := tt.read(); err != nil {
			t.Errorf("%s restored: %v", tt.form.Name, err)
		}
	}
}
