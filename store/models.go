package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
)

// Added says what AddModel did.
type Added string

// The outcomes: a model that was not there, or metadata merged into one with the same bytes.
const (
	New    Added = "added"
	Merged Added = "merged"
)

// Models returns all models by id in natural order.
func (w *Workspace) Models() ([]model.Model, error) {
	var list []model.Model
	err := w.View(func(tx *database.Tx) (err error) {
		if list, err = database.Models.All(tx); err != nil {
			return err
		}
		for i := range list {
			if err := database.AddDetails(tx, &list[i]); err != nil {
				return err
			}
		}
		return nil
	})
	sortModels(list)
	return list, err
}

func sortModels(list []model.Model) {
	slices.SortFunc(list, func(a, b model.Model) int { return result.Natural(a.ID, b.ID) })
}

// Model returns the model with this hash, or ErrNotFound.
func (w *Workspace) Model(hash string) (model.Model, error) {
	return viewed(w, func(tx *database.Tx) (model.Model, error) { return database.GetModel(tx, hash) })
}

// FindModel returns the model with this id, this hash or the only hash that starts with these (six
// or more) digits, in that order; else ErrNotFound.
func (w *Workspace) FindModel(idOrHash string) (model.Model, error) {
	var m model.Model
	err := w.View(func(tx *database.Tx) (err error) {
		hash := string(database.ModelIDs.Bytes(tx, idOrHash))
		if hash == "" {
			hash = database.Models.Only(tx, strings.ToLower(idOrHash))
		}
		if hash == "" {
			return database.Models.Missing(idOrHash)
		}
		m, err = database.GetModel(tx, hash)
		return err
	})
	return m, err
}

// ModelPath is where the file of the model with this hash lies.
func (w *Workspace) ModelPath(hash string) string {
	return filepath.Join(w.path, database.ModelsFolder, hash+database.ModelSuffix)
}

// AddModel copies a model's file in and stores the model; Hash, Size and Added are filled here,
// and an empty ID becomes the base name of File. A used id of another model becomes ID-2, ID-3,
// ... (DESIGN.md section 4). The same bytes again only merge metadata: columns and curves of m
// replace those of the same name, the others and the id stay. When m.Hash is given, data must have
// it. On an error the workspace is unchanged.
func (w *Workspace) AddModel(m model.Model, data io.Reader) (model.Model, Added, error) {
	if m.ID == "" {
		m.ID = strings.TrimSuffix(filepath.Base(m.File), filepath.Ext(m.File))
	}
	if err := checkID(m.ID); err != nil {
		return m, "", err
	}
	part, hash, size, err := w.receive(data)
	if err != nil {
		return m, "", fmt.Errorf("import model %s: %w", m.ID, err)
	}
	if m.Hash != "" && m.Hash != hash {
		_ = durable.Delete(part)
		return m, "", fmt.Errorf("import model %s: %s changed while it was read; try again", m.ID, m.File)
	}
	m.Hash, m.Size = hash, size
	if m.Added.IsZero() {
		m.Added = database.Now()
	}
	m, added, err := w.keepModel(m, part)
	if err != nil {
		return m, "", fmt.Errorf("import model %s: %w", m.ID, err)
	}
	w.changes.tell(ModelChanged, m.Hash)
	return m, added, nil
}

func checkID(id string) error {
	if id == "" || id == "." || id == ".." || strings.ContainsFunc(id,
		func(r rune) bool { return r < ' ' || r == 0x7F }) {
		return fmt.Errorf("model id %q is empty, dots or holds control characters; give another id", id)
	}
	return nil
}

// receive writes data into the models folder under a name of its own and returns its SHA-256 (hex)
// and size.
func (w *Workspace) receive(data io.Reader) (part, hash string, size int64, err error) {
	folder, err := durable.Below(w.path, database.ModelsFolder)
	if err != nil {
		return "", "", 0, err
	}
	part = filepath.Join(folder, w.NewID()+database.PartSuffix)
	sum := sha256.New()
	err = durable.Fill(part, func(out io.Writer) error {
		size, err = io.Copy(io.MultiWriter(out, sum), data)
		return err
	})
	return part, hex.EncodeToString(sum.Sum(nil)), size, database.Classify(err)
}

// keepModel puts a received file in its place and stores or merges the model.
func (w *Workspace) keepModel(m model.Model, part string) (model.Model, Added, error) {
	unlock := w.lockKey(m.Hash)
	defer unlock()
	path := w.ModelPath(m.Hash)
	if _, err := os.Stat(path); err == nil {
		_ = durable.Delete(part) // the same bytes are there
	} else if err := durable.Place(part, path); err != nil {
		w.dropUnlessNamed(path)
		return m, "", err
	}
	added := New
	err := w.Update(func(tx *database.Tx) error {
		old, err := database.GetModel(tx, m.Hash)
		switch {
		case err == nil:
			added, m = Merged, mergeModel(old, m)
		case errors.Is(err, database.ErrNotFound):
			m.ID = database.FreeID(tx, m.ID)
		default:
			return err
		}
		return database.PutModel(tx, m)
	})
	if err != nil {
		w.dropUnlessNamed(path)
	}
	return m, added, err
}

// lockKey keeps others from changing what belongs to a hash or key until unlock is called.
func (w *Workspace) lockKey(key string) (unlock func()) {
	digit := strings.IndexByte("0123456789abcdef", key[0])
	mu := &w.keyLocks[max(digit, 0)]
	mu.Lock()
	return mu.Unlock
}

// mergeModel adds what is new in from to a model with the same bytes.
func mergeModel(into, from model.Model) model.Model {
	into.Record = slices.Clone(into.Record)
	for _, f := range from.Record {
		i := slices.IndexFunc(into.Record, func(have model.Field) bool { return have.Name == f.Name })
		if i < 0 {
			into.Record = append(into.Record, f)
			continue
		}
		into.Record[i].Value = f.Value
	}
	if len(from.Curves) > 0 {
		into.Curves, into.Steps = from.Curves, from.Steps
	}
	if len(from.Beside) > 0 {
		into.Beside = from.Beside
	}
	if !from.Correction.None() { // it has grown out of the one that was there
		into.Correction = from.Correction
	}
	if from.Graph.Input.Name != "" {
		into.Graph = mergeGraph(into.Graph, from.Graph)
	}
	into.Unsteady = cmp.Or(from.Unsteady, into.Unsteady)
	into.OneByOne = cmp.Or(from.OneByOne, into.OneByOne)
	if from.ProbedKind != "" {
		into.ProbedKind = from.ProbedKind
	}
	if len(from.Probes) > 0 {
		probes := maps.Clone(from.Probes)
		maps.Copy(probes, into.Probes)
		into.Probes = probes
	}
	if len(from.Compared) > 0 {
		compared := maps.Clone(from.Compared)
		maps.Copy(compared, into.Compared)
		into.Compared = compared
	}
	return into
}

// mergeGraph takes the newer reading of a graph, with the numbers of classes that only a probe
// could tell.
func mergeGraph(old, read model.Graph) model.Graph {
	read.Outputs = slices.Clone(read.Outputs)
	for i := range read.Outputs {
		for _, o := range old.Outputs {
			if o.Name == read.Outputs[i].Name && read.Outputs[i].Classes == 0 {
				read.Outputs[i].Classes = o.Classes
			}
		}
	}
	return read
}

// UpdateModel changes a model: change gets the whole model and may change everything but Hash,
// Size, File and Added. A new id must be free. An error of change leaves the model as it is.
func (w *Workspace) UpdateModel(hash string, change func(*model.Model) error) error {
	if hash == "" {
		return database.NotFound("model", hash)
	}
	if err := w.changeModel(hash, change); err != nil {
		return err
	}
	w.changes.tell(ModelChanged, hash)
	return nil
}

// changeModel runs change outside a transaction, so that a panic in it stays a panic.
func (w *Workspace) changeModel(hash string, change func(*model.Model) error) error {
	unlock := w.lockKey(hash)
	defer unlock()
	old, err := w.Model(hash)
	if err != nil {
		return err
	}
	m, err := w.Model(hash) // read again: change may write into its slices and maps
	if err != nil {
		return err
	}
	if err := change(&m); err != nil {
		return err
	}
	m.Hash, m.Size, m.File, m.Added = old.Hash, old.Size, old.File, old.Added
	if err := checkID(m.ID); err != nil {
		return err
	}
	return w.Update(func(tx *database.Tx) error {
		if m.ID != old.ID {
			ids := database.ModelIDs.In(tx)
			if ids.Get([]byte(m.ID)) != nil {
				return fmt.Errorf("model id %s is used by another model; choose another id", m.ID)
			}
			if err := ids.Delete([]byte(old.ID)); err != nil {
				return err
			}
		}
		return database.PutModel(tx, m)
	})
}
