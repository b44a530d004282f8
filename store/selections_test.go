package store

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
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
	again := testdata.Must(w.AddKeywords("other name", "two networks", table))(t)
	testdata.NoDiff(t, "the same table again", cmp.Diff(k, again))
	testdata.NoDiff(t, "reopened", cmp.Diff(table, testdata.Must(reopened(t, w).Keywords(k.Hash))(t)))
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
		testdata.Refused(t, want, testdata.Err(w.AddKeywords("t", "file", table)), want)
	}
	testdata.Refused(t, "no name", testdata.Err(w.AddKeywords(" ", "file", storetest.Keywords(3))))
	testdata.Is(t, "tables", len(testdata.Must(w.KeywordTables())(t)), 0)
}

func TestOntologies(t *testing.T) {
	w := fresh(t)
	k := testdata.Must(w.AddKeywords("t", "file", storetest.Keywords(3)))(t)
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
	o = testdata.Must(w.PutOntology(o))(t)
	second := database.OntologyRecord{Name: "second", Table: k.Hash, MinSupport: 1, MinConfidence: 1}
	second = testdata.Must(w.PutOntology(second))(t)
	testdata.Is(t, "heard", heard, 3)
	testdata.NoDiff(t, "list", cmp.Diff(testdata.Must(w.Ontologies())(t), []database.OntologyRecord{o, second}))
	for _, name := range []string{"first", o.ID} {
		testdata.NoDiff(t, name, cmp.Diff(testdata.Must(w.FindOntology(name))(t), o))
	}
	for want, bad := range map[string]database.OntologyRecord{
		"needs a name":    {Table: k.Hash, MinSupport: 0.1, MinConfidence: 0.1},
		"support 0":       {Name: "x", Table: k.Hash, MinConfidence: 0.1},
		"confidence 1.5":  {Name: "x", Table: k.Hash, MinSupport: 0.1, MinConfidence: 1.5},
		"support NaN":     {Name: "x", Table: k.Hash, MinSupport: math.NaN(), MinConfidence: 0.1},
		"keyword table":   {Name: "x", Table: storetest.HashOf("no"), MinSupport: 0.1, MinConfidence: 0.1},
		"ontology ../etc": {ID: "../etc", Name: "x", Table: k.Hash, MinSupport: 0.1, MinConfidence: 0.1},
	} {
		testdata.Refused(t, want, testdata.Err(w.PutOntology(bad)), want)
	}
	testdata.Refused(t, "a table under an ontology", w.RemoveKeywords(k.Hash), "ontology first rests on it")
	must(t, errors.Join(w.RemoveOntology(o.ID), w.RemoveOntology(second.ID), w.RemoveKeywords(k.Hash)))
	testdata.ErrorIs(t, "removed twice", w.RemoveOntology(o.ID), database.ErrNotFound)
	testdata.ErrorIs(t, "removed twice", w.RemoveKeywords(k.Hash), database.ErrNotFound)
	testdata.ErrorIs(t, "read after that", testdata.Err(w.Keywords(k.Hash)), database.ErrNotFound)
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
	targets := storetest.AddSuite(t, w.Workspace, "targets", 4)
	w.targets, w.backgrounds = targets.Hash, storetest.AddSuite(t, w.Workspace, "backgrounds", 7).Hash
	masks := storetest.WriteMasks(t, targets)
	w.masks = testdata.Must(w.AddMasks(t.Context(), w.targets, masks, false, noProgress{}))(t)
	w.table = testdata.Must(w.AddKeywords("t", "file", storetest.Keywords(3)))(t)
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
		got := testdata.Must(w.FindSelection(name))(t)
		testdata.NoDiff(t, name, cmp.Diff(got, first)+cmp.Diff(got.Selection, w.selection(0)))
	}
	testdata.ErrorIs(t, "none", testdata.Err(w.FindSelection("none")), database.ErrNotFound)
	testdata.ErrorIs(t, "none", testdata.Err(w.Selection(storetest.HashOf("none"))), database.ErrNotFound)
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
		testdata.Refused(t, want, testdata.Err(w.AddSelection("x", s)), want)
	}
	testdata.Is(t, "selections", len(testdata.Must(w.Selections())(t)), 0)
}

// TestWhatSelectionsRestOnStays: masks and tables under selections, selections under signals.
func TestWhatSelectionsRestOnStays(t *testing.T) {
	w := newWorld(t)
	r := testdata.Must(w.AddSelection("mine", w.selection(0)))(t)
	testdata.Refused(t, "masks", w.RemoveMasks(w.masks.Hash), "selection mine rests on them")
	testdata.Refused(t, "keywords", w.RemoveKeywords(w.table.Hash), "selection mine rests on it")
	m, targets := storetest.AddModel(t, w.Workspace, "m"), testdata.Must(w.Suite(w.targets))(t)
	spec := testdata.Must(storetest.SpecOf(m, targets, testdata.Must(r.Family())(t)))(t)
	must(t, w.Update(func(tx *bbolt.Tx) error {
		return database.Sets.Put(tx, spec.Key(), database.SetRecord{Spec: spec})
	}))
	testdata.Refused(t, "under signals", w.RemoveSelection(r.Hash), "the signals of 1 models rest on it")
	must(t, w.Update(func(tx *bbolt.Tx) error { return database.Sets.Delete(tx, spec.Key()) }))
	round := label.Round{ID: w.NewID(), Name: "scenes", Kind: label.BackgroundRound, Selection: r.Hash}
	must(t, w.Update(func(tx *bbolt.Tx) error { return w.putRound(tx, round) }))
	testdata.Refused(t, "under a round", w.RemoveSelection(r.Hash), `round "scenes" has it`)
	must(t, w.Update(func(tx *bbolt.Tx) error { return w.removeRound(tx, round.ID) }))
	must(t, errors.Join(w.RemoveSelection(r.Hash), w.RemoveMasks(w.masks.Hash), w.RemoveKeywords(w.table.Hash)))
	testdata.ErrorIs(t, "removed twice", w.RemoveSelection(r.Hash), database.ErrNotFound)
	testdata.ErrorIs(t, "removed twice", w.RemoveMasks(w.masks.Hash), database.ErrNotFound)
}

// TestDamagedRecordsOfBackgrounds: what does not fit together is ErrDamaged, never a panic or wrong
// numbers.
func TestDamagedRecordsOfBackgrounds(t *testing.T) {
	w := newWorld(t)
	r, err := w.AddSelection("mine", w.selection(0))
	must(t, err)
	must(t, w.PutContextVectors(map[string][]float64{"k": {1, 2}}))
	selection := func() error { return testdata.Err(w.Selection(r.Hash)) }
	keywords := func() error { return testdata.Err(w.Keywords(w.table.Hash)) }
	masks := func() error { return testdata.Err(w.MaskSets(w.targets)) }
	context := func() error { _, _, err := w.ContextVector("k"); return err }
	packed := testdata.Must(database.Pack(w.selection(1)))(t)
	broken := w.selection(0)
	broken.Chosen[1] = nil
	unequal := testdata.Must(database.Pack(broken))(t)
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
		testdata.ErrorIs(t, fmt.Sprintf("%s %q", tt.form.Name, tt.data), tt.read(), database.ErrDamaged)
		must(t, w.Update(func(tx *bbolt.Tx) error { return tt.form.PutBytes(tx, tt.key, before) }))
		must(t, tt.read())
	}
}
