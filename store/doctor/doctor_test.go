package doctor

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
)

// illness is one kind of damage.
type illness struct {
	name   string
	damage damage
	// found are the kinds of findings, without harm or not; remains those that Repair leaves.
	found, remains string
	// alone is for damage outside of the workspace, which all rows share.
	alone bool
	// touches are the buckets whose records need not be what they were before the damage.
	touches string
}

// damage is what an illness does to a workspace.
type damage = func(t *testing.T, x everything)

// inBucket changes one bucket of the database.
func inBucket(of *database.RawBucket, change func(b *bbolt.Bucket) error) damage {
	return func(t *testing.T, x everything) {
		x.Within(t, func(tx *bbolt.Tx) error { return change(of.In(tx)) })
	}
}

func drop(of *database.RawBucket, key string) damage {
	return inBucket(of, func(b *bbolt.Bucket) error { return b.Delete([]byte(key)) })
}

func put(of *database.RawBucket, key, value string) damage {
	return inBucket(of, func(b *bbolt.Bucket) error { return b.Put([]byte(key), []byte(value)) })
}

// first is a bucket's first key.
func first(b *bbolt.Bucket) []byte {
	key, _ := b.Cursor().First()
	return key
}

func without(of *database.RawBucket) damage {
	return inBucket(of, func(b *bbolt.Bucket) error { return b.Delete(first(b)) })
}

func spoil(of *database.RawBucket) damage {
	return inBucket(of, func(b *bbolt.Bucket) error { return b.Put(first(b), []byte("{\x00")) })
}

func gone(name func(x everything) string) damage {
	return func(t *testing.T, x everything) { storetest.Remove(t, name(x)) }
}

func flipped(name func(x everything) string) damage {
	return func(t *testing.T, x everything) { storetest.Flip(t, name(x)) }
}

func left(parts ...string) damage {
	return func(t *testing.T, x everything) { storetest.WriteFile(t, x.File(parts...), []byte("left")) }
}

func recordIllnesses(x everything) []illness {
	hash, suite := x.models[0].Hash, x.suite.Hash
	none := storetest.HashOf("none")
	return []illness{
		{name: "nothing", damage: func(*testing.T, everything) {}},
		{name: "model record gone", damage: drop(database.Models.RawBucket, hash), found: "index loose part reference"},
		{name: "model unreadable", damage: spoil(database.Models.RawBucket), found: "loose record"},
		{name: "model details unreadable", damage: spoil(database.ModelDetails.RawBucket), found: "record"},
		{name: "model details gone", damage: without(database.ModelDetails.RawBucket), found: "part"},
		{name: "model not found by name", damage: without(database.ModelIDs), found: "index"},
		{name: "name leads nowhere", damage: put(database.ModelIDs, "ghost", none), found: "index"},
		{name: "two models of one name", damage: inBucket(database.Models.RawBucket, func(b *bbolt.Bucket) error {
			var m model.Model
			if err := json.Unmarshal(b.Get([]byte(x.models[1].Hash)), &m); err != nil {
				return err
			}
			m.ID = "a"
			return database.Models.Put(b.Tx(), m.Hash, m)
		}), found: "index", touches: "models model-ids"},
		{
			name: "suite record gone", damage: drop(database.Suites.RawBucket, suite), found: "part reference setting",
			touches: "settings",
		},
		{name: "suite details gone", damage: drop(database.SuiteDetails.RawBucket, suite), found: "part"},
		{
			name: "set gone", damage: drop(database.Sets.RawBucket, x.specs[0].Key()), found: "index summary unit",
			touches: "sets summaries",
		},
		{name: "set unreadable", damage: spoil(database.Sets.RawBucket), found: "loose record"},
		{name: "unit record gone", damage: without(database.Units.RawBucket), found: "loose set"},
		{name: "unit record unreadable", damage: spoil(database.Units.RawBucket), found: "loose record"},
		{name: "summary gone", damage: without(database.Summaries), found: "summary", touches: "sets"},
		{name: "summary unreadable", damage: spoil(database.Summaries), found: "record"},
		{name: "not in the index", damage: without(database.SetIndex), found: "index"},
		{
			name: "index of nothing", found: "index",
			damage: put(database.SetIndex, database.IndexKey(hash, suite, "f", none), ""),
		},
		{name: "run unreadable", damage: spoil(database.Runs.RawBucket), found: "record"},
		{name: "round gone", damage: drop(database.Rounds.RawBucket, x.round.ID), found: "journal"},
		{name: "evidence unreadable", damage: spoil(database.RoundEvidence), found: "record"},
		{name: "setting unreadable", damage: spoil(database.Settings.RawBucket), found: "record"},
		{
			name: "current suite is not here", found: "setting", touches: "settings",
			damage: put(database.Settings.RawBucket, database.SettingCurrent, `{"suite":"`+none+`"}`),
		},
		{name: "image label unreadable", damage: spoil(database.ImageLabels.RawBucket), found: "record"},
		{
			name: "image label does not fit", found: "image-label", remains: "image-label", touches: "image-labels",
			damage: put(database.ImageLabels.RawBucket, string(database.KeyOfImage(suite, 5)), `{"image":5,"class":7}`),
		},
		{
			name: "table record gone", damage: without(database.Predictions.RawBucket), found: "loose",
			touches: "predictions",
		},
		{name: "kept result unreadable", damage: spoil(database.Kept.RawBucket), found: "counter record"},
		{name: "counter wrong", damage: inBucket(database.Kept.RawBucket, func(b *bbolt.Bucket) error {
			return b.SetSequence(7)
		}), found: "counter"},
		{
			name: "context vector gone", damage: without(database.ContextVectors.RawBucket), found: "counter",
			touches: "context-vectors",
		},
		{name: "mask details unreadable", damage: spoil(database.MaskDetails.RawBucket), found: "record"},
		{name: "mask set gone", damage: without(database.Masks.RawBucket), found: "part reference"},
		{name: "keyword vectors gone", damage: without(database.KeywordVectors.RawBucket), found: "keywords part"},
		{name: "keyword table gone", damage: without(database.Keywords.RawBucket), found: "part reference"},
		{name: "scenes unreadable", damage: spoil(database.SelectionDetails.RawBucket), found: "record"},
		{name: "ontology unreadable", damage: spoil(database.Ontologies.RawBucket), found: "record"},
	}
}

func fileIllnesses() []illness {
	modelFile := func(x everything) string {
		return x.File(database.ModelsFolder, x.models[0].Hash+database.ModelSuffix)
	}
	unit := func(x everything) string { return x.unit(1) }
	image := func(x everything) string {
		files, _ := filepath.Glob(x.File(database.SuitesFolder, "*", "a", "0.png")) // of the only copied suite
		return strings.Join(files, "")
	}
	assessor := func(x everything) string { return x.File(database.AssessorsFolder, "first.vassessor") }
	table := func(x everything) string { return x.File(database.PredictionsFolder, x.table.ID+database.UnitSuffix) }
	const signals = "units sets summaries"
	return []illness{
		{name: "one bit of a unit", damage: flipped(unit), found: "signal-file", touches: signals},
		{name: "unit cut off", damage: func(t *testing.T, x everything) {
			storetest.WriteFile(t, x.unit(0), storetest.Read(t, x.unit(0))[:100])
		}, found: "signal-file", touches: signals},
		{name: "unit gone", damage: gone(unit), found: "signal-file", touches: signals},
		{name: "unit of another form", damage: func(t *testing.T, x everything) {
			data := storetest.Read(t, x.unit(1))
			key := x.specs[0].UnitKey(0)
			storetest.WriteFile(t, x.unit(0), data)
			x.Within(t, func(tx *bbolt.Tx) error {
				of, err := database.Units.Need(tx, x.specs[0].UnitKey(1))
				if err != nil {
					return err
				}
				of.Chunk = 0
				return database.Units.Put(tx, key, of)
			})
		}, found: "signal-file", touches: signals},
		{name: "model file gone", damage: gone(modelFile), found: "model-file", remains: "model-file"},
		{name: "one bit of a model", damage: flipped(modelFile), found: "model-file", remains: "model-file"},
		{name: "image of a copied suite gone", damage: gone(image), found: "images", remains: "images"},
		{name: "image of a copied suite changed", damage: flipped(image), found: "images", remains: "images"},
		{name: "images elsewhere gone", damage: func(t *testing.T, x everything) {
			away := x.suite.Root + " away"
			must(t, os.Rename(x.suite.Root, away))
			t.Cleanup(func() { _ = os.Rename(away, x.suite.Root) })
		}, found: "images", remains: "images", alone: true},
		{name: "a mask changed", damage: func(t *testing.T, x everything) {
			file := filepath.Join(x.masks.Root, filepath.FromSlash(x.masks.Files[0].Path))
			was := storetest.Read(t, file)
			storetest.Flip(t, file)
			t.Cleanup(func() { storetest.WriteFile(t, file, was) })
		}, found: "masks", remains: "masks", alone: true},
		{name: "assessor", damage: flipped(assessor), found: "assessor"},
		{name: "predictions", damage: flipped(table), found: "predictions-file", remains: "predictions-file"},
		{
			name: "thumbnail", damage: left(database.ThumbsFolder, "0123456789abcdef0123456789abcdef.png"),
			found: "thumbnail",
		},
		{name: "backup", damage: left(database.BackupsFolder, "20200101T000000.000-3.db"), found: "backup"},
		{
			name: "unit of nothing", found: "loose",
			damage: left(database.SignalsFolder, "ab", storetest.HashOf("x")+database.UnitSuffix),
		},
		{
			name: "model of nothing", damage: left(database.ModelsFolder, storetest.HashOf("x")+database.ModelSuffix),
			found: "loose",
		},
		{name: "unfinished model", damage: left(database.ModelsFolder, "01ABC.part"), found: "leftover"},
		{
			name: "unfinished unit", damage: left(database.SignalsFolder, "ab",
				storetest.HashOf("x")+database.UnitSuffix+database.PartSuffix),
			found: "leftover",
		},
		{name: "unfinished database", damage: left(database.File + database.PartSuffix), found: "leftover"},
		{name: "unfinished package", damage: left(database.DraftPackage+"01ABC", "round.json"), found: "leftover"},
		{name: "owner", damage: left(database.OwnerFile), found: "owner"},
		{name: "a file of somebody", damage: left("notes.txt")},
	}
}

// treated examines, repairs and examines again, and compares everything that an illness does not
// touch with what it was.
func treated(t *testing.T, x everything, before map[string]map[string]string, c illness) {
	t.Helper()
	c.damage(t, x)
	damaged := storetest.Snapshot(t, x.Path)
	e := mustExamine(t, x.Path)
	if got := strings.Join(kinds(e.Findings), " "); got != c.found {
		t.Errorf("found %s in place of %s:%s", got, c.found, sentencesOf(e.Findings))
	}
	if storetest.Snapshot(t, x.Path) != damaged {
		t.Error("examining changes something")
	}
	r := mustRepair(t, x.Path)
	if got := strings.Join(kinds(r.After.Findings), " "); got != c.remains {
		t.Errorf("%s remain in place of %s:%s", got, c.remains, sentencesOf(r.After.Findings))
	}
	after := x.Dump(t)
	for _, bucket := range append(strings.Fields(c.touches), "meta") {
		after[bucket] = before[bucket]
	}
	testdata.NoDiff(t, "repair changes", cmp.Diff(before, after))
	checkAndClose(t, reopen(t, x.Path))
}

// TestIllnesses: each kind of damage is found as what it is and mended, a second look says what
// remains, and nothing that was healthy changes.
func TestIllnesses(t *testing.T) {
	x := newEverything(t)
	before := x.Dump(t)
	list := append(recordIllnesses(x), fileIllnesses()...)
	if testing.Short() {
		list = slices.DeleteFunc(list, func(c illness) bool { return len(c.name)%4 != 0 })
	}
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			if !c.alone {
				t.Parallel()
			}
			treated(t, x.copied(t), before, c)
		})
	}
}

// TestUnitsAreComputedAgain: after a damaged unit was set aside the model is incomplete, lacks that
// unit alone, and is whole once it is recorded.
func TestUnitsAreComputedAgain(t *testing.T) {
	x := newEverything(t)
	storetest.Flip(t, x.unit(1))
	r := mustRepair(t, x.Path)
	if !storetest.Exists(x.File(filepath.FromSlash(r.Aside),
		filepath.FromSlash(database.UnitPath(x.specs[0].UnitKey(1))))) ||
		!storetest.Exists(x.File(filepath.FromSlash(r.Backup))) {
		t.Errorf("aside %q, backup %q", r.Aside, r.Backup)
	}
	w := reopen(t, x.Path)
	testdata.Is(t, "state", testdata.Must(w.State(x.models[0], x.suite.Hash, storetest.Family(t)))(t), store.Partial)
	testdata.Is(t, "the other unit", testdata.Must(w.Has(x.specs[0].UnitKey(0)))(t), true)
	storetest.RunModel(t, w, x.models[0], x.specs[0])
	checkAndClose(t, w)
	testdata.Is(t, "found", sentencesOf(mustExamine(t, x.Path).Findings), "")
}

// TestExamineOfAnOpenWorkspace: a workspace that is open is not examined.
func TestExamineOfAnOpenWorkspace(t *testing.T) {
	w := fresh(t)
	for name, err := range map[string]error{
		"examine": testdata.Err(Examine(t.Context(), w.Path(), noProgress{})),
		"repair":  testdata.Err(Repair(t.Context(), w.Path(), noProgress{})),
	} {
		var elsewhere *database.OpenElsewhereError
		if !errors.As(err, &elsewhere) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := Examine(t.Context(), filepath.Join(t.TempDir(), "none"), noProgress{})
	testdata.ErrorIs(t, "no workspace", err, database.ErrNotWorkspace)
}

// TestSentences: a finding says what, where, what it means and what can be done.
func TestSentences(t *testing.T) {
	x := newEverything(t)
	storetest.Remove(t, x.File(database.ModelsFolder, x.models[0].Hash+database.ModelSuffix))
	e := mustExamine(t, x.Path)
	want := "of model a is gone: its matrices and labels stay, but it cannot be run; import the model file again"
	if got := e.Findings[0].Sentence(); len(e.Findings) != 1 || !strings.HasSuffix(got, want) ||
		!strings.HasPrefix(got, "models/") {
		t.Error(sentencesOf(e.Findings))
	}
	counts := map[string]int{}
	for _, c := range e.Checked {
		counts[c.What] = c.Count
	}
	for what, n := range map[string]int{
		"models": 4, "label events": len(x.events), "signal files": 4, "backups": 1,
		"assessors": 1, "mask sets": 1,
	} {
		if counts[what] != n {
			t.Errorf("%s: %d in place of %d", what, counts[what], n)
		}
	}
}
