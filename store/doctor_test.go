package store

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
func inBucket(of *form, change func(x everything, b *bbolt.Bucket) error) func(t *testing.T, x everything) {
	return func(t *testing.T, x everything) {
		x.within(t, func(tx *bbolt.Tx) error { return change(x, of.in(tx)) })
	}
}

// first is a bucket's first key.
func first(b *bbolt.Bucket) []byte {
	key, _ := b.Cursor().First()
	return key
}

func dropFirst(_ everything, b *bbolt.Bucket) error { return b.Delete(first(b)) }

func spoilFirst(_ everything, b *bbolt.Bucket) error { return b.Put(first(b), []byte("{\x00")) }

func spoil(of *form) func(t *testing.T, x everything) { return inBucket(of, spoilFirst) }

func without(of *form) func(t *testing.T, x everything) { return inBucket(of, dropFirst) }

func gone(name func(x everything) string) func(t *testing.T, x everything) {
	return func(t *testing.T, x everything) { mustRemove(t, name(x)) }
}

func left(parts ...string) func(t *testing.T, x everything) {
	return func(t *testing.T, x everything) { mustWrite(t, x.file(parts...), []byte("left")) }
}

func recordIllnesses() []illness {
	return []illness{
		{name: "nothing", damage: func(*testing.T, everything) {}},
		{name: "model record gone", damage: inBucket(bucketModels.form, func(x everything, b *bbolt.Bucket) error {
			return b.Delete([]byte(x.models[0].Hash))
		}), found: []string{"index", "loose", "part", "reference"}},
		{name: "model unreadable", damage: spoil(bucketModels.form), found: []string{"loose", "record"}},
		{name: "model details unreadable", damage: spoil(bucketModelDetails.form), found: []string{"record"}},
		{name: "model details gone", damage: without(bucketModelDetails.form), found: []string{"part"}},
		{name: "model not found by name", damage: without(bucketModelIDs), found: []string{"index"}},
		{name: "name leads nowhere", damage: inBucket(bucketModelIDs, func(_ everything, b *bbolt.Bucket) error {
			return b.Put([]byte("ghost"), []byte(hashOf("ghost")))
		}), found: []string{"index"}},
		{name: "two models of one name", damage: inBucket(bucketModels.form, func(x everything, b *bbolt.Bucket) error {
			var m model.Model
			if err := json.Unmarshal(b.Get([]byte(x.models[1].Hash)), &m); err != nil {
				return err
			}
			m.ID = "a"
			return bucketModels.put(b.Tx(), m.Hash, m)
		}), found: []string{"index"}, touches: []string{"models", "model-ids"}},
		{name: "suite record gone", damage: inBucket(bucketSuites.form, func(x everything, b *bbolt.Bucket) error {
			return b.Delete([]byte(x.suite.Hash))
		}), found: []string{"part", "reference", "setting"}, touches: []string{"settings"}},
		{name: "suite details gone", damage: inBucket(bucketSuiteDetails.form,
			func(x everything, b *bbolt.Bucket) error {
				return b.Delete([]byte(x.suite.Hash))
			}), found: []string{"part"}},
		{name: "set gone", damage: inBucket(bucketSets.form, func(x everything, b *bbolt.Bucket) error {
			return b.Delete([]byte(x.specs[0].Key()))
		}), found: []string{"index", "summary", "unit"}, touches: []string{"sets", "summaries"}},
		{name: "set unreadable", damage: spoil(bucketSets.form), found: []string{"loose", "record"}},
		{name: "unit record gone", damage: without(bucketUnits.form), found: []string{"loose", "set"}},
		{name: "unit record unreadable", damage: spoil(bucketUnits.form), found: []string{"loose", "record"}},
		{name: "summary gone", damage: without(bucketSummaries), found: []string{"summary"}, touches: []string{"sets"}},
		{name: "summary unreadable", damage: spoil(bucketSummaries), found: []string{"record"}},
		{name: "not in the index", damage: without(bucketSetIndex), found: []string{"index"}},
		{name: "index of nothing", damage: inBucket(bucketSetIndex, func(x everything, b *bbolt.Bucket) error {
			return b.Put([]byte(indexKey(x.models[0].Hash, x.suite.Hash, "f", hashOf("set"))), nil)
		}), found: []string{"index"}},
		{name: "run unreadable", damage: spoil(bucketRuns.form), found: []string{"record"}},
		{name: "round gone", damage: inBucket(bucketRounds.form, func(x everything, b *bbolt.Bucket) error {
			return b.Delete([]byte(x.round.ID))
		}), found: []string{"journal"}},
		{name: "evidence unreadable", damage: spoil(bucketRoundEvidence), found: []string{"record"}},
		{name: "setting unreadable", damage: spoil(bucketSettings.form), found: []string{"record"}},
		{name: "current suite is not here", damage: inBucket(bucketSettings.form,
			func(_ everything, b *bbolt.Bucket) error {
				return b.Put([]byte(settingCurrent), []byte(`{"suite":"`+hashOf("none")+`"}`))
			}), found: []string{"setting"}, touches: []string{"settings"}},
		{name: "image label unreadable", damage: spoil(bucketImageLabels.form), found: []string{"record"}},
		{name: "image label does not fit", damage: inBucket(bucketImageLabels.form,
			func(x everything, b *bbolt.Bucket) error {
				return b.Put([]byte(keyOfImage(x.suite.Hash, 5)), []byte(`{"image":5,"class":77}`))
			}), found: []string{"image-label"}, remains: []string{"image-label"}, touches: []string{"image-labels"}},
		{
			name: "table record gone", damage: without(bucketPredictions.form), found: []string{"loose"},
			touches: []string{"predictions"},
		},
		{name: "kept result unreadable", damage: spoil(bucketKept.form), found: []string{"counter", "record"}},
		{name: "counter wrong", damage: inBucket(bucketKept.form,
			func(_ everything, b *bbolt.Bucket) error { return b.SetSequence(7) }), found: []string{"counter"}},
		{
			name: "context vector gone", damage: without(bucketContextVectors.form), found: []string{"counter"},
			touches: []string{"context-vectors"},
		},
		{name: "mask details unreadable", damage: spoil(bucketMaskDetails.form), found: []string{"record"}},
		{name: "mask set gone", damage: without(bucketMasks.form), found: []string{"part", "reference"}},
		{name: "keyword vectors gone", damage: without(bucketKeywordVectors.form), found: []string{"keywords", "part"}},
		{name: "keyword table gone", damage: without(bucketKeywords.form), found: []string{"part", "reference"}},
		{name: "scenes unreadable", damage: spoil(bucketSelectionDetails.form), found: []string{"record"}},
		{name: "ontology unreadable", damage: spoil(bucketOntologies.form), found: []string{"record"}},
	}
}

func fileIllnesses() []illness {
	modelFile := func(x everything) string { return x.file(modelsFolder, x.models[0].Hash+modelSuffix) }
	signals := []string{"units", "sets", "summaries"}
	return []illness{
		{
			name: "one bit of a unit", damage: func(t *testing.T, x everything) { flip(t, x.unit(1)) },
			found: []string{"signal-file"}, touches: signals,
		},
		{name: "unit cut off", damage: func(t *testing.T, x everything) {
			mustWrite(t, x.unit(0), mustRead(t, x.unit(0))[:100])
		}, found: []string{"signal-file"}, touches: signals},
		{
			name: "unit gone", damage: gone(func(x everything) string { return x.unit(0) }),
			found: []string{"signal-file"}, touches: signals,
		},
		{name: "unit of another form", damage: func(t *testing.T, x everything) {
			data := mustRead(t, x.unit(1))
			key := x.specs[0].UnitKey(0)
			mustWrite(t, x.unit(0), data)
			x.within(t, func(tx *bbolt.Tx) error {
				of, err := bucketUnits.need(tx, x.specs[0].UnitKey(1))
				if err != nil {
					return err
				}
				of.Chunk = 0
				return bucketUnits.put(tx, key, of)
			})
		}, found: []string{"signal-file"}, touches: signals},
		{
			name: "model file gone", damage: gone(modelFile), found: []string{"model-file"},
			remains: []string{"model-file"},
		},
		{
			name: "one bit of a model", damage: func(t *testing.T, x everything) { flip(t, modelFile(x)) },
			found: []string{"model-file"}, remains: []string{"model-file"},
		},
		{name: "image of a copied suite gone", damage: func(t *testing.T, x everything) {
			files, err := filepath.Glob(x.file(suitesFolder, "*", "a", "0.png"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			mustRemove(t, files[0])
		}, found: []string{"images"}, remains: []string{"images"}},
		{name: "image of a copied suite changed", damage: func(t *testing.T, x everything) {
			files, err := filepath.Glob(x.file(suitesFolder, "*", "b", "1.png"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			flip(t, files[0])
		}, found: []string{"images"}, remains: []string{"images"}},
		{name: "images elsewhere gone", damage: func(t *testing.T, x everything) {
			away := x.suite.Root + " away"
			must(t, os.Rename(x.suite.Root, away))
			t.Cleanup(func() { _ = os.Rename(away, x.suite.Root) })
		}, found: []string{"images"}, remains: []string{"images"}, alone: true},
		{name: "a mask changed", damage: func(t *testing.T, x everything) {
			file := filepath.Join(x.masks.Root, filepath.FromSlash(x.masks.Files[0].Path))
			was := mustRead(t, file)
			flip(t, file)
			t.Cleanup(func() { mustWrite(t, file, was) })
		}, found: []string{"masks"}, remains: []string{"masks"}, alone: true},
		{name: "assessor", damage: func(t *testing.T, x everything) {
			flip(t, x.file(assessorsFolder, "first.vassessor"))
		}, found: []string{"assessor"}},
		{name: "predictions", damage: func(t *testing.T, x everything) {
			flip(t, x.file(predictionsFolder, x.table.ID+unitSuffix))
		}, found: []string{"predictions-file"}, remains: []string{"predictions-file"}},
		{
			name: "thumbnail", damage: left(thumbsFolder, "0123456789abcdef0123456789abcdef.png"),
			found: []string{"thumbnail"},
		},
		{name: "backup", damage: left(backupsFolder, "20200101T000000.000-3.db"), found: []string{"backup"}},
		{name: "unit of nothing", damage: left(signalsFolder, "ab", hashOf("x")+unitSuffix), found: []string{"loose"}},
		{name: "model of nothing", damage: left(modelsFolder, hashOf("x")+modelSuffix), found: []string{"loose"}},
		{name: "unfinished model", damage: left(modelsFolder, "01ABC.part"), found: []string{"leftover"}},
		{
			name: "unfinished unit", damage: left(signalsFolder, "ab", hashOf("x")+unitSuffix+partSuffix),
			found: []string{"leftover"},
		},
		{name: "unfinished database", damage: left(databaseFile + partSuffix), found: []string{"leftover"}},
		{name: "unfinished package", damage: left(draftPackage+"01ABC", "round.json"), found: []string{"leftover"}},
		{name: "owner", damage: left(ownerFile), found: []string{"owner"}},
		{name: "a file of somebody", damage: left("notes.txt")},
	}
}

// treated examines, repairs and examines again, and compares everything that an illness does not
// touch with what it was.
func treated(t *testing.T, x everything, before map[string]map[string]string, c illness) {
	t.Helper()
	c.damage(t, x)
	damaged := snapshot(t, x.path)
	e := mustExamine(t, x.path)
	if got := kinds(e.Findings); !slices.Equal(got, c.found) {
		t.Errorf("found %v in place of %v:%s", got, c.found, sentencesOf(e.Findings))
	}
	if snapshot(t, x.path) != damaged {
		t.Error("examining changes something")
	}
	r := mustRepair(t, x.path)
	if got := kinds(r.After.Findings); !slices.Equal(got, c.remains) {
		t.Errorf("%v remain in place of %v:%s", got, c.remains, sentencesOf(r.After.Findings))
	}
	after := x.dump(t)
	for bucket := range before {
		if !slices.Contains(c.touches, bucket) && bucket != "meta" && !maps.Equal(before[bucket], after[bucket]) {
			t.Errorf("repair changes %s: %s", bucket, cmp.Diff(before[bucket], after[bucket]))
		}
	}
	checkAndClose(t, reopen(t, x.path))
}

// TestIllnesses: each kind of damage is found as what it is and mended, a second look says what
// remains, and nothing that was healthy changes.
func TestIllnesses(t *testing.T) {
	x := newEverything(t)
	before := x.dump(t)
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
	flip(t, x.unit(1))
	r := mustRepair(t, x.path)
	if !exists(x.file(filepath.FromSlash(r.Aside), filepath.FromSlash(unitPath(x.specs[0].UnitKey(1))))) ||
		!exists(x.file(filepath.FromSlash(r.Backup))) {
		t.Errorf("aside %q, backup %q", r.Aside, r.Backup)
	}
	w := reopen(t, x.path)
	if state, err := w.State(x.models[0], x.suite.Hash, testFamily(t)); state != Partial || err != nil {
		t.Errorf("%s, %v", state, err)
	}
	if there, err := w.Has(x.specs[0].UnitKey(0)); !there || err != nil {
		t.Errorf("the other unit: %v, %v", there, err)
	}
	runModel(t, w, x.models[0], x.specs[0])
	checkAndClose(t, w)
	if e := mustExamine(t, x.path); len(e.Findings) != 0 {
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
		var elsewhere *OpenElsewhereError
		if err := look(); !errors.As(err, &elsewhere) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := Examine(t.Context(), filepath.Join(t.TempDir(), "none"), noProgress{})
	if !errors.Is(err, ErrNotWorkspace) {
		t.Error(err)
	}
}

// TestSentences: a finding says what, where, what it means and what can be done.
func TestSentences(t *testing.T) {
	x := newEverything(t)
	mustRemove(t, x.file(modelsFolder, x.models[0].Hash+modelSuffix))
	e := mustExamine(t, x.path)
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
