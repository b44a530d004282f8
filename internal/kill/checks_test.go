package kill_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/database"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/doctor"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/journal"
)

// tree is the SHA-256 of every file below a folder, by its path.
type tree map[string]string

func files(t *testing.T, folder string) tree {
	t.Helper()
	list := tree{}
	must(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		list[filepath.ToSlash(name)] = hash(data)
		return err
	}))
	return list
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// whole opens a workspace that a kill may have hit and checks what every workspace must be: the
// database, the models' files, the copies of suites, the signals that it names; nothing
// half-written is left. A workspace that is not there yet is whole.
func whole(t *testing.T, path string, more func(ws *store.Workspace) error) error {
	t.Helper()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	ws, err := store.Open(path)
	if err != nil {
		return err
	}
	err = errors.Join(modelsWhole(ws), suitesWhole(t, ws), signalsWhole(ws), journalWhole(t, ws), leftovers(path))
	if more != nil {
		err = errors.Join(err, more(ws))
	}
	if err := errors.Join(err, ws.Close()); err != nil {
		return err
	}
	_, err = database.Schema(path)
	return err
}

func modelsWhole(ws *store.Workspace) error {
	list, err := ws.Models()
	for _, m := range list {
		data, readErr := os.ReadFile(ws.ModelPath(m.Hash))
		if err = errors.Join(err, readErr); readErr == nil && hash(data) != m.Hash {
			err = errors.Join(err, fmt.Errorf("the file of model %s is another one", m.ID))
		}
	}
	return err
}

func suitesWhole(t *testing.T, ws *store.Workspace) error {
	list, err := ws.Suites()
	for _, s := range list {
		if !s.Copied {
			continue
		}
		m, readErr := ws.Suite(s.Hash)
		if readErr == nil {
			_, readErr = suite.Verify(t.Context(), m, filepath.Join(ws.Path(), filepath.FromSlash(m.Inside)),
				engine.NoProgress{})
		}
		err = errors.Join(err, readErr)
	}
	return err
}

// signalsWhole reads and hashes every unit that the database names.
func signalsWhole(ws *store.Workspace) error {
	models, err := ws.Models()
	for _, m := range models {
		sets, setsErr := ws.Sets(m.Hash, "", "")
		err = errors.Join(err, setsErr)
		for _, set := range sets {
			there := 0
			for chunk := range set.Spec.Chunks() {
				has, hasErr := ws.Has(set.Spec.UnitKey(chunk))
				if err = errors.Join(err, hasErr); has {
					there++
				}
			}
			if there != set.Recorded {
				err = errors.Join(err, fmt.Errorf("model %s: %d units are recorded, %d are whole",
					m.ID, set.Recorded, there))
			}
		}
	}
	return err
}

// journalWhole holds the journal to the database: both have the same rounds and label events.
func journalWhole(t *testing.T, ws *store.Workspace) error {
	journaled := journalOf(t, ws.Path())
	rounds, err := ws.Rounds()
	events := 0
	for _, r := range rounds {
		list, eventsErr := ws.Events(r.ID)
		for _, ev := range list {
			if journaled.Events[r.ID+ev.ID] == nil {
				err = errors.Join(err, fmt.Errorf("label %s is not in %s", ev.ID, journal.File))
			}
		}
		if err = errors.Join(err, eventsErr); journaled.Rounds[r.ID] == nil {
			err = errors.Join(err, fmt.Errorf("round %s is not in %s", r.ID, journal.File))
		}
		events += len(list)
	}
	if len(journaled.Rounds) != len(rounds) || len(journaled.Events) != events || journaled.Bad > 0 {
		err = errors.Join(err,
			fmt.Errorf("%s has %d rounds, %d labels and %d damaged lines; the database has %d and %d",
				journal.File, len(journaled.Rounds), len(journaled.Events), journaled.Bad, len(rounds), events))
	}
	return err
}

// journalOf reads the journal of a workspace.
func journalOf(t *testing.T, path string) journal.Content {
	t.Helper()
	file, err := os.Open(filepath.Join(path, journal.File))
	must(t, err)
	defer func() { _ = file.Close() }()
	c, err := journal.Read(t.Context(), file)
	must(t, err)
	return c
}

// leftovers finds what an opening should have swept. Packs of images are removed by the next run
// with other machines.
func leftovers(path string) (err error) {
	_ = filepath.WalkDir(path, func(at string, _ fs.DirEntry, _ error) error {
		if at == filepath.Join(path, "queue", "packs") {
			return fs.SkipDir
		}
		if strings.HasSuffix(at, ".part") || strings.Contains(filepath.Base(at), ".package-") {
			err = errors.Join(err, fmt.Errorf("%s is left", at))
		}
		return nil
	})
	return err
}

func (g *ground) opens(t *testing.T, path string) error { return whole(t, path, nil) }

// labelled looks for every label that was acknowledged, also where the database is destroyed, and
// no backup is there.
func (g *ground) labelled(t *testing.T, o kill.Outcome) error {
	ruin := filepath.Join(t.TempDir(), "ruin.variscope")
	must(t, os.Mkdir(ruin, 0o755))
	text, err := os.ReadFile(filepath.Join(g.at("work.variscope"), journal.File))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(ruin, journal.File), text, 0o644))
	must(t, os.WriteFile(filepath.Join(ruin, database.File), []byte("no database"), 0o644))
	_, err = doctor.Repair(t.Context(), ruin, engine.NoProgress{})
	return errors.Join(err, acknowledged(t, ruin, o), acknowledged(t, g.at("work.variscope"), o))
}

func acknowledged(t *testing.T, path string, o kill.Outcome) error {
	t.Helper()
	return whole(t, path, func(ws *store.Workspace) error {
		rounds, err := ws.Rounds()
		if err != nil {
			return err
		}
		events, err := ws.Events(rounds[0].ID)
		there := map[string]bool{}
		for _, ev := range events {
			there[fmt.Sprintln(ev.ID, ev.Annotator, ev.Model, ev.Value, ev.Note)] = true
		}
		for _, line := range o.Lines {
			if !there[line+"\n"] {
				err = errors.Join(err, fmt.Errorf("label %s was acknowledged and is lost", line))
			}
		}
		return err
	})
}

// imported lets the import be done again: then everything is there.
func (g *ground) imported(t *testing.T, _ kill.Outcome) error {
	work := g.at("work.variscope")
	err := whole(t, work, nil)
	args := []string{"import", "--copy", work, g.at("few")}
	for _, id := range modelIDs {
		args = append(args, scenes("models", id+".onnx"))
	}
	program(t, args...)
	return errors.Join(err, beside(work), whole(t, work, func(ws *store.Workspace) error {
		models, err := ws.Models()
		suites, suitesErr := ws.Suites()
		var ids []string
		for _, m := range models {
			ids = append(ids, m.ID)
		}
		slices.Sort(ids)
		if !slices.Equal(ids, modelIDs) || len(suites) != 1 || !suites[0].Copied {
			err = errors.Join(err, fmt.Errorf("after another import there are the models %v and %d suites", ids,
				len(suites)))
		}
		return errors.Join(err, suitesErr)
	}))
}

// beside finds drafts beside a place that was written again.
func beside(place string) error {
	entries, err := os.ReadDir(filepath.Dir(place))
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".part") {
			err = errors.Join(err, fmt.Errorf("%s is left beside %s", e.Name(), filepath.Base(place)))
		}
	}
	return err
}

// tabled reads the predictions, if they are there.
func (g *ground) tabled(t *testing.T, o kill.Outcome) error {
	return whole(t, g.at("work.variscope"), func(ws *store.Workspace) error {
		tables, err := ws.PredictionTables()
		if len(tables) > 1 || len(tables) == 0 && !o.Alive {
			err = errors.Join(err, fmt.Errorf("there are %d tables", len(tables)))
		}
		for _, table := range tables {
			labels, truth, readErr := ws.PredictionLabels(table.ID)
			if err = errors.Join(err, readErr); readErr == nil && (len(labels) != 9000 || len(truth) != 3000) {
				err = errors.Join(err, fmt.Errorf("table %s has %d predictions", table.Name, len(labels)))
			}
		}
		return err
	})
}

// ran lets the run go on: it computes what is missing and nothing else, and ends with the bits of a
// run that nobody disturbed.
func (g *ground) ran(t *testing.T, _ kill.Outcome) error {
	work := g.at("work.variscope")
	var kept int64
	err := whole(t, work, func(ws *store.Workspace) error {
		models, err := ws.Models()
		for _, m := range models {
			sets, setsErr := ws.Sets(m.Hash, g.suite, "")
			err = errors.Join(err, setsErr)
			for _, set := range sets {
				for chunk := range set.Spec.Chunks() {
					if has, _ := ws.Has(set.Spec.UnitKey(chunk)); has {
						_, n := set.Spec.ChunkImages(chunk)
						kept += int64(n * set.Transformations)
					}
				}
			}
		}
		return err
	})
	computed, reused := readReport(t, program(t, "run", work, "--family", family, "--json")).work()
	if total := int64(360 * 3 * len(modelIDs)); reused != kept || computed+reused != total {
		err = errors.Join(err, fmt.Errorf("%d of %d inferences were kept; going on reused %d and computed %d", kept,
			total, reused, computed))
	}
	got := files(t, filepath.Join(work, "signals"))
	for name, sum := range g.want {
		if got[name] != sum {
			err = errors.Join(err, fmt.Errorf("signal file %s differs from that of the undisturbed run", name))
		}
	}
	return errors.Join(err, whole(t, work, nil))
}

// worked looks whether every result is whole, and whether the shard goes on to the same end.
func (g *ground) worked(t *testing.T, _ kill.Outcome) (err error) {
	for name, sum := range files(t, g.at("work/results")) {
		if !strings.HasSuffix(name, durable.PartSuffix) && g.want[name] != sum {
			err = errors.Join(err, fmt.Errorf("result %s differs from that of the undisturbed shard", name))
		}
	}
	program(t, "worker", "--plan", g.at("work"), "--shard", "1")
	if got := files(t, g.at("work/results")); !maps.Equal(got, g.want) {
		err = errors.Join(err, fmt.Errorf("%d files in place of %d results, or other ones", len(got), len(g.want)))
	}
	return err
}

// collected collects again.
func (g *ground) collected(t *testing.T, _ kill.Outcome) error {
	work := g.at("work.variscope")
	err := whole(t, work, nil)
	computed, reused := readReport(t, program(t, "run", work, "--collect", g.at("computed"), "--json")).work()
	if total := int64(360 * 3 * len(modelIDs)); computed+reused != total {
		err = errors.Join(err, fmt.Errorf("%d and %d of %d inferences are there", computed, reused, total))
	}
	if got := files(t, filepath.Join(work, "signals")); !maps.Equal(got, g.want) {
		err = errors.Join(err, fmt.Errorf("%d signal files in place of %d, or other ones", len(got), len(g.want)))
	}
	return errors.Join(err, whole(t, work, nil))
}

// derived opens what was derived.
func (g *ground) derived(t *testing.T, o kill.Outcome) error {
	return whole(t, g.at("work.variscope"), func(ws *store.Workspace) error {
		list, err := ws.Suites()
		if len(list) != 26 && !o.Alive {
			err = errors.Join(err, fmt.Errorf("there are %d suites", len(list)))
		}
		for _, s := range list {
			opened, openErr := ws.OpenSuite(s.Hash)
			if err = errors.Join(err, openErr); openErr != nil {
				continue
			}
			_, imageErr := opened.Image(0)
			err = errors.Join(err, imageErr, opened.Close())
		}
		return err
	})
}

// migrated looks at the database before and after it is opened again.
func (g *ground) migrated(t *testing.T, from int) error {
	work := g.at("work.variscope")
	schema, err := database.Schema(work)
	if err == nil && schema != from && schema != store.SchemaVersion {
		err = fmt.Errorf("the database has schema %d, between %d and %d", schema, from, store.SchemaVersion)
	}
	backup := filepath.Join(work, fmt.Sprintf("%s.v%d.backup", database.File, from))
	if _, absent := os.Stat(backup); schema == store.SchemaVersion && absent != nil {
		err = errors.Join(err, fmt.Errorf("it was migrated without a copy: %w", absent))
	}
	err = errors.Join(err, whole(t, work, func(ws *store.Workspace) error {
		rounds, err := ws.Rounds()
		if err != nil || len(rounds) != 1 {
			return fmt.Errorf("%d rounds, %w", len(rounds), err)
		}
		events, err := ws.Events(rounds[0].ID)
		if len(events) != 2*len(modelIDs) {
			err = errors.Join(err, fmt.Errorf("there are %d labels", len(events)))
		}
		return err
	}))
	old := filepath.Join(t.TempDir(), "old.variscope")
	data, readErr := os.ReadFile(backup)
	if readErr != nil {
		return errors.Join(err, readErr)
	}
	must(t, os.Mkdir(old, 0o755))
	must(t, os.WriteFile(filepath.Join(old, database.File), data, 0o644))
	if schema, openErr := database.Schema(old); schema != from || openErr != nil {
		err = errors.Join(err, fmt.Errorf("the copy has schema %d, %w", schema, openErr))
	}
	return err
}
