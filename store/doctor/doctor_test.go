package doctor

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/database"
)

// illness is one kind of damage.
type illness struct {
	name   string
	damage func(t *testing.T, x everything)
	// found are the kinds of findings, without harm or not; remains those that Repair leaves.
	found, remains []string
	// alone is for damage outside of the workspace, which all rows share.
	alone bool
	// touches are the buckets whose records need not be what they were before the damage.
	touches []string
}

// inBucket changes one bucket of the database.
func inBucket(
	of *database.RawBucket, change func(x everything, b *bbolt.Bucket) error,
) func(t *testing.T, x everything) {
	return func(t *testing.T, x everything) {
		x.Within(t, func(tx *bbolt.Tx) error { return change(x, of.In(tx)) })
	}
}

// first is a bucket's first key.
func first(b *bbolt.Bucket) []byte {
	key, _ := b.Cursor().First()
	return key
}

func dropFirst(_ everything, b *bbolt.Bucket) error { return b.Delete(first(b)) }

func spoilFirst(_ everything, b *bbolt.Bucket) error { return b.Put(first(b), []byte("{\x00")) }

func spoil(of *database.RawBucket) func(t *testing.T, x everything) { return inBucket(of, spoilFirst) }

func without(of *database.RawBucket) func(t *testing.T, x everything) { return inBucket(of, dropFirst) }

func gone(name func(x everything) string) func(t *testing.T, x everything) {
	return func(t *testing.T, x everything) { storetest.Remove(t, name(x)) }
}

func left(parts ...string) func(t *testing.T, x everything) {
	return func(t *testing.T, x everything) { storetest.WriteFile(t, x.File(parts...), []byte("left")) }
}

func recordIllnesses() []illness {
	return []illness{
		{name: "nothing", damage: func(*testing.T, everything) {}},
		{name: "model record gone", damage: inBucket(database.Models.RawBucket,
			func(x everything, b *bbolt.Bucket) error {
				return b.Delete([]byte(x.models[0].Hash))
			}), found: []string{"index", "loose", "part", "reference"}},
		{name: "model unreadable", damage: spoil(database.Models.RawBucket), found: []string{"loose", "record"}},
		{name: "model details unreadable", damage: spoil(database.ModelDetails.RawBucket), found: []string{"record"}},
		{name: "model details gone", damage: without(database.ModelDetails.RawBucket), found: []string{"part"}},
		{name: "model not found by name", damage: without(database.ModelIDs), found: []string{"index"}},
		{name: "name leads nowhere", damage: inBucket(database.ModelIDs, func(_ everything, b *bbolt.Bucket) error {
			return b.Put([]byte("ghost"), []byte(storetest.HashOf("ghost")))
		}), found: []string{"index"}},
		{name: "two models of one name", damage: inBucket(database.Models.RawBucket,
			func(x everything, b *bbolt.Bucket) error {
				var m model.Model
				if err := json.Unmarshal(b.Get([]byte(x.models[1].Hash)), &m); err != nil {
					return err
				}
				m.ID = "a"
				return database.Models.Put(b.Tx(), m.Hash, m)
			}), found: []string{"index"}, touches: []string{"models", "model-ids"}},
		{name: "suite record gone", damage: inBucket(database.Suites.RawBucket,
			func(x everything, b *bbolt.Bucket) error {
				return b.Delete([]byte(x.suite.Hash))
			}), found: []string{"part", "reference", "setting"}, touches: []string{"settings"}},
		{name: "suite details gone", damage: inBucket(database.SuiteDetails.RawBucket,
			func(x everything, b *bbolt.Bucket) error {
				return b.Delete([]byte(x.suite.Hash))
			}), found: []string{"part"}},
		{name: "set gone", damage: inBucket(database.Sets.RawBucket, func(x everything, b *bbolt.Bucket) error {
			return b.Delete([]byte(x.specs[0].Key()))
		}), found: []string{"index", "summary", "unit"}, touches: []string{"sets", "summaries"}},
		{name: "set unreadable", damage: spoil(database.Sets.RawBucket), found: []string{"loose", "record"}},
		{name: "unit record gone", damage: without(database.Units.RawBucket), found: []string{"loose", "set"}},
		{name: "unit record unreadable", damage: spoil(database.Units.RawBucket), found: []string{"loose", "record"}},
		{
			name: "summary gone", damage: without(database.Summaries), found: []string{"summary"},
			touches: []string{"sets"},
		},
		{name: "summary unreadable", damage: spoil(database.Summaries), found: []string{"record"}},
		{name: "not in the index", damage: without(database.SetIndex), found: []string{"index"}},
		{name: "index of nothing", damage: inBucket(database.SetIndex, func(x everything, b *bbolt.Bucket) error {
			return b.Put([]byte(database.IndexKey(x.models[0].Hash, x.suite.Hash, "f", storetest.HashOf("set"))), nil)
		}), found: []string{"index"}},
		{name: "run unreadable", damage: spoil(database.Runs.RawBucket), found: []string{"record"}},
		{name: "round gone", damage: inBucket(database.Rounds.RawBucket, func(x everything, b *bbolt.Bucket) error {
			return b.Delete([]byte(x.round.ID))
		}), found: []string{"journal"}},
		{name: "evidence unreadable", damage: spoil(database.RoundEvidence), found: []string{"record"}},
		{name: "setting unreadable", damage: spoil(database.Settings.RawBucket), found: []string{"record"}},
		{name: "current suite is not here", damage: inBucket(database.Settings.RawBucket,
			func(_ everything, b *bbolt.Bucket) error {
				return b.Put([]byte(database.SettingCurrent), []byte(`{"suite":"`+storetest.HashOf("none")+`"}`))
			}), found: []string{"setting"}, touches: []string{"settings"}},
		{name: "image label unreadable", damage: spoil(database.ImageLabels.RawBucket), found: []string{"record"}},
		{name: "image label does not fit", damage: inBucket(database.ImageLabels.RawBucket,
			func(x everything, b *bbolt.Bucket) error {
				return b.Put([]byte(database.KeyOfImage(x.suite.Hash, 5)), []byte(`{"image":5,"class":77}`))
			}), found: []string{"image-label"}, remains: []string{"image-label"}, touches: []string{"image-labels"}},
		{
			name: "table record gone", damage: without(database.Predictions.RawBucket), found: []string{"loose"},
			touches: []string{"predictions"},
		},
		{name: "kept result unreadable", damage: spoil(database.Kept.RawBucket), found: []string{"counter", "record"}},
		{name: "counter wrong", damage: inBucket(database.Kept.RawBucket,
			func(_ everything, b *bbolt.Bucket) error { return b.SetSequence(7) }), found: []string{"counter"}},
		{
			name: "context vector gone", damage: without(database.ContextVectors.RawBucket), found: []string{"counter"},
			touches: []string{"context-vectors"},
		},
		{name: "mask details unreadable", damage: spoil(database.MaskDetails.RawBucket), found: []string{"record"}},
		{name: "mask set gone", damage: without(database.Masks.RawBucket), found: []string{"part", "reference"}},
		{
			name: "keyword vectors gone", damage: without(database.KeywordVectors.RawBucket),
			found: []string{"keywords", "part"},
		},
		{
			name: "keyword table gone", damage: without(database.Keywords.RawBucket),
			found: []string{"part", "reference"},
		},
		{name: "scenes unreadable", damage: spoil(database.SelectionDetails.RawBucket), found: []string{"record"}},
		{name: "ontology unreadable", damage: spoil(database.Ontologies.RawBucket), found: []string{"record"}},
	}
}

func fileIllnesses() []illness {
	modelFile := func(x everything) string {
		return x.File(database.ModelsFolder, x.models[0].Hash+database.ModelSuffix)
	}
	signals := []string{"units", "sets", "summaries"}
	return []illness{
		{
			name: "one bit of a unit", damage: func(t *testing.T, x everything) { storetest.Flip(t, x.unit(1)) },
			found: []string{"signal-file"}, touches: signals,
		},
		{name: "unit cut off", damage: func(t *testing.T, x everything) {
			storetest.WriteFile(t, x.unit(0), storetest.Read(t, x.unit(0))[:100])
		}, found: []string{"signal-file"}, touches: signals},
		{
			name: "unit gone", damage: gone(func(x everything) string { return x.unit(0) }),
			found: []string{"signal-file"}, touches: signals,
		},
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
		}, found: []string{"signal-file"}, touches: signals},
		{
			name: "model file gone", damage: gone(modelFile), found: []string{"model-file"},
			remains: []string{"model-file"},
		},
		{
			name: "one bit of a model", damage: func(t *testing.T, x everything) { storetest.Flip(t, modelFile(x)) },
			found: []string{"model-file"}, remains: []string{"model-file"},
		},
		{name: "image of a copied suite gone", damage: func(t *testing.T, x everything) {
			files, err := filepath.Glob(x.File(database.SuitesFolder, "*", "a", "0.png"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			storetest.Remove(t, files[0])
		}, found: []string{"images"}, remains: []string{"images"}},
		{name: "image of a copied suite changed", damage: func(t *testing.T, x everything) {
			files, err := filepath.Glob(x.File(database.SuitesFolder, "*", "b", "1.png"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			storetest.Flip(t, files[0])
		}, found: []string{"images"}, remains: []string{"images"}},
		{name: "images elsewhere gone", damage: func(t *testing.T, x everything) {
			away := x.suite.Root + " away"
			must(t, os.Rename(x.suite.Root, away))
			t.Cleanup(func() { _ = os.Rename(away, x.suite.Root) })
		}, found: []string{"images"}, remains: []string{"images"}, alone: true},
		{name: "a mask changed", damage: func(t *testing.T, x everything) {
			file := filepath.Join(x.masks.Root, filepath.FromSlash(x.masks.Files[0].Path))
			was := storetest.Read(t, file)
			storetest.Flip(t, file)
			t.Cleanup(func() { storetest.WriteFile(t, file, was) })
		}, found: []string{"masks"}, remains: []string{"masks"}, alone: true},
		{name: "assessor", damage: func(t *testing.T, x everything) {
			storetest.Flip(t, x.File(database.AssessorsFolder, "first.vassessor"))
		}, found: []string{"assessor"}},
		{name: "predictions", damage: func(t *testing.T, x everything) {
			storetest.Flip(t, x.File(database.PredictionsFolder, x.table.ID+database.UnitSuffix))
		}, found: []string{"predictions-file"}, remains: []string{"predictions-file"}},
		{
			name: "thumbnail", damage: left(database.ThumbsFolder, "0123456789abcdef0123456789abcdef.png"),
			found: []string{"thumbnail"},
		},
		{name: "backup", damage: left(database.BackupsFolder, "20200101T000000.000-3.db"), found: []string{"backup"}},
		{
			name: "unit of nothing", found: []string{"loose"},
			damage: left(database.SignalsFolder, "ab", storetest.HashOf("x")+database.UnitSuffix),
		},
		{
			name: "model of nothing", damage: left(database.ModelsFolder, storetest.HashOf("x")+database.ModelSuffix),
			found: []string{"loose"},
		},
		{name: "unfinished model", damage: left(database.ModelsFolder, "01ABC.part"), found: []string{"leftover"}},
		{
			name: "unfinished unit", damage: left(database.SignalsFolder, "ab",
				storetest.HashOf("x")+database.UnitSuffix+database.PartSuffix),
			found: []string{"leftover"},
		},
		{name: "unfinished database", damage: left(database.File + database.PartSuffix), found: []string{"leftover"}},
		{
			name: "unfinished package", damage: left(database.DraftPackage+"01ABC", "round.json"),
			found: []string{"leftover"},
		},
		{name: "owner", damage: left(database.OwnerFile), found: []string{"owner"}},
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
	if got := kinds(e.Findings); !slices.Equal(got, c.found) {
		t.Errorf("found %v in place of %v:%s", got, c.found, sentencesOf(e.Findings))
	}
	if storetest.Snapshot(t, x.Path) != damaged {
		t.Error("examining changes something")
	}
	r := mustRepair(t, x.Path)
	if got := kinds(r.After.Findings); !slices.Equal(got, c.remains) {
		t.Errorf("%v remain in place of %v:%s", got, c.remains, sentencesOf(r.After.Findings))
	}
	after := x.Dump(t)
	for bucket := range before {
		if !slices.Contains(c.touches, bucket) && bucket != "meta" && !maps.Equal(before[bucket], after[bucket]) {
			t.Errorf("repair changes %s: %s", bucket, cmp.Diff(before[bucket], after[bucket]))
		}
	}
	checkAndClose(t, reopen(t, x.Path))
}

// TestIllnesses: each kind of damage is found as what it is and mended, a second look says what
// remains, and nothing that was healthy changes.
func TestIllnesses(t *testing.T) {
	x := newEverything(t)
	before := x.Dump(t)
	list := append(recordIllnesses(), fileIllnesses()...)
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
	if state, err := w.State(x.models[0], x.suite.Hash, storetest.Family(t)); state != store.Partial || err != nil {
		t.Errorf("%s, %v", state, err)
	}
	if there, err := w.Has(x.specs[0].UnitKey(0)); !there || err != nil {
		t.Errorf("the other unit: %v, %v", there, err)
	}
	storetest.RunModel(t, w, x.models[0], x.specs[0])
	checkAndClose(t, w)
	if e := mustExamine(t, x.Path); len(e.Findings) != 0 {
		t.Error(sentencesOf(e.Findings))
	}
}

// TestExamineOfAnOpenWorkspace: a workspace that is open is not examined.
func TestExamineOfAnOpenWorkspace(t *testing.T) {
	w := fresh(t)
	for name, look := range map[string]func() error{
		"examine": func() error { _, err := Examine(t.Context(), w.Path(), noProgress{}); return err },
		"repair":  func() error { _, err := Repair(t.Context(), w.Path(), noProgress{}); return err },
	} {
		var elsewhere *database.OpenElsewhereError
		if err := look(); !errors.As(err, &elsewhere) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Examine(t.Context(), filepath.Join(t.TempDir(), "none"), noProgress{}); !errors.Is(err,
		database.ErrNotWorkspace) {
		t.Error(err)
	}
}

// TestSentences: a finding says what, where, what it means and what can be done.
func TestSentences(t *testing.T) {
	x := newEverything(t)
	storetest.Remove(t, x.File(database.ModelsFolder, x.models[0].Hash+database.ModelSuffix))
	e := mustExamine(t, x.Path)
	if len(e.Findings) != 1 {
		t.Fatal(sentencesOf(e.Findings))
	}
	want := "of model a is gone: its matrices and labels stay, but it cannot be run; import the model file again"
	if got := e.Findings[0].Sentence(); !strings.HasSuffix(got, want) || !strings.HasPrefix(got, "models/") {
		t.Error(got)
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
