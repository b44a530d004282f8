package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/npz"
)

// Predictions are the numbers of a PredictionTable of n models, m samples and C classes.
type Predictions struct {
	Labels        []int32     // Labels[i*n+j], 0..C-1
	Truth         []int32     // m true classes, -1 where one is not known; nil when none is
	Probabilities [][]float32 // per model, m x C; nil for a model, or all, where only classes are known
}

// The names of the arrays of a table's file; those of probabilities are followed by the model's
// number, from 1 on.
const (
	arrayLabels        = "labels"        // m x n, int32
	arrayTruth         = "truth"         // m, int32
	arrayProbabilities = "probabilities" // m x C, float32
)

// AddPredictions keeps a table: its file is written and fsynced first, then the database names it.
// ID, Soft, Truth, SHA256 and Added of t are filled in. The same numbers for the same suite again
// give the table that is there. Errors: a name that is used, an unknown suite or one with another
// number of images, numbers that do not fit the record.
func (w *Workspace) AddPredictions(t database.PredictionTable, p Predictions) (database.PredictionTable, error) {
	added, err := w.addPredictions(t, p)
	if err != nil {
		return t, fmt.Errorf("add the predictions %s: %w", t.Name, err)
	}
	w.changes.tell(PredictionsChanged, added.ID)
	return added, nil
}

func (w *Workspace) addPredictions(t database.PredictionTable, p Predictions) (database.PredictionTable, error) {
	if err := p.check(t); err != nil {
		return t, err
	}
	t.ID, t.Added, t.Truth = w.NewID(), database.Now(), p.Truth != nil
	t.Soft = make([]bool, len(t.Models))
	for j := range p.Probabilities {
		t.Soft[j] = p.Probabilities[j] != nil
	}
	unlock := w.lockKey(t.ID)
	defer unlock()
	if _, err := durable.Below(w.path, database.PredictionsFolder); err != nil {
		return t, err
	}
	var err error
	if t.SHA256, err = w.writeTable(t, p); err != nil {
		return t, err
	}
	kept := t
	err = w.Update(func(tx *database.Tx) error {
		if err := sameImages(tx, t); err != nil {
			return err
		}
		there, err := sameTable(tx, t)
		if err != nil || there.ID != "" {
			kept = there
			return err
		}
		return putTable(tx, t)
	})
	if err != nil || kept.ID != t.ID {
		w.dropUnlessNamed(w.tableFile(t.ID))
	}
	return kept, err
}

// sameImages holds a table to the suite whose images it speaks of.
func sameImages(tx *database.Tx, t database.PredictionTable) error {
	if t.Suite == "" {
		return nil
	}
	m, err := database.NeedHead(tx, "suite", t.Suite)
	switch {
	case err != nil:
		return err
	case m.Images != t.Samples:
		return fmt.Errorf("it has predictions of %d images, suite %s has %d", t.Samples, m.Name, m.Images)
	}
	return nil
}

// sameTable is the table with the same numbers, models and suite; its id is empty when there is
// none.
func sameTable(tx *database.Tx, t database.PredictionTable) (database.PredictionTable, error) {
	list, err := database.Predictions.All(tx)
	for _, there := range list {
		if there.SHA256 == t.SHA256 && there.Suite == t.Suite && slices.Equal(there.Models, t.Models) &&
			slices.Equal(there.ClassNames, t.ClassNames) {
			return there, err
		}
	}
	return database.PredictionTable{}, err
}

// check holds the numbers to the record.
func (p Predictions) check(t database.PredictionTable) error {
	n, m, c := len(t.Models), t.Samples, t.Classes
	switch {
	case n < 1 || m < 1 || c < 2:
		return fmt.Errorf("%d models, %d samples and %d classes make no table", n, m, c)
	case len(p.Labels) != n*m:
		return fmt.Errorf("there are %d predictions in place of %d", len(p.Labels), n*m)
	case p.Truth != nil && len(p.Truth) != m:
		return fmt.Errorf("there are %d true classes in place of %d", len(p.Truth), m)
	case p.Probabilities != nil && len(p.Probabilities) != n:
		return fmt.Errorf("there are probabilities of %d models in place of %d", len(p.Probabilities), n)
	case t.ClassNames != nil && len(t.ClassNames) != c, t.SampleNames != nil && len(t.SampleNames) != m:
		return errors.New("there are not as many names as classes or samples")
	}
	for _, class := range p.Labels {
		if class < 0 || int(class) >= c {
			return fmt.Errorf("there is no class %d", class)
		}
	}
	for _, class := range p.Truth {
		if class < -1 || int(class) >= c {
			return fmt.Errorf("there is no class %d", class)
		}
	}
	for j, rows := range p.Probabilities {
		if rows != nil && len(rows) != m*c {
			return fmt.Errorf("model %s has %d probabilities in place of %d", t.Models[j], len(rows), m*c)
		}
	}
	return nil
}

// writeTable writes a table's file and returns its hash.
func (w *Workspace) writeTable(t database.PredictionTable, p Predictions) (string, error) {
	n, m := len(t.Models), t.Samples
	arrays := []npz.Array{{Name: arrayLabels, Shape: []int{m, n}, Ints: p.Labels}}
	if p.Truth != nil {
		arrays = append(arrays, npz.Array{Name: arrayTruth, Shape: []int{m}, Ints: p.Truth})
	}
	for j, rows := range p.Probabilities {
		if rows != nil {
			arrays = append(arrays, npz.Array{Name: probabilitiesOf(j), Shape: []int{m, t.Classes}, Floats: rows})
		}
	}
	sum := sha256.New()
	err := w.WriteFile(w.tableFile(t.ID), func(out io.Writer) error {
		return npz.Encode(io.MultiWriter(out, sum), arrays)
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

func probabilitiesOf(model int) string { return arrayProbabilities + strconv.Itoa(model+1) }

// PredictionLabels reads the predicted classes of a table, Labels[i*n+j], and its true classes,
// nil where it has none. A file that is gone or was changed is an error that says so.
func (w *Workspace) PredictionLabels(id string) (labels, truth []int32, err error) {
	err = w.readTable(id, func(t database.PredictionTable, f npz.File) (err error) {
		if labels, err = f.Ints(arrayLabels, t.Samples, len(t.Models)); err != nil || !t.Truth {
			return err
		}
		truth, err = f.Ints(arrayTruth, t.Samples)
		return err
	})
	return labels, truth, err
}

// PredictionProbabilities reads the probabilities of one model of a table, m x C, row by row; nil
// where there are none. It is safe for many goroutines.
func (w *Workspace) PredictionProbabilities(id string, model int) (rows []float32, err error) {
	err = w.readTable(id, func(t database.PredictionTable, f npz.File) (err error) {
		if model < 0 || model >= len(t.Soft) {
			return fmt.Errorf("it has no model number %d", model)
		}
		if t.Soft[model] {
			rows, err = f.Floats(probabilitiesOf(model), t.Samples, t.Classes)
		}
		return err
	})
	return rows, err
}

// readTable opens a table's verified file for use.
func (w *Workspace) readTable(id string, use func(database.PredictionTable, npz.File) error) error {
	t, err := viewed(w, func(tx *database.Tx) (database.PredictionTable, error) { return getTable(tx, id) })
	if err != nil {
		return err
	}
	return w.openTable(t, func(in *os.File, size int64) error {
		file, err := npz.Open(in, size)
		if err != nil {
			return err
		}
		return use(t, file)
	})
}

// openTable opens a table's file for use. The first time that this process reads it, and again when
// its size or time changed, its hash is verified before.
func (w *Workspace) openTable(t database.PredictionTable, use func(in *os.File, size int64) error) error {
	in, err := os.Open(w.tableFile(t.ID))
	if err == nil {
		defer func() { _ = in.Close() }()
		var info fs.FileInfo
		if info, err = w.verifyTable(t, in); err == nil {
			err = use(in, info.Size())
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("predictions %s: the file %s is gone; import them again", t.Name, database.TablePath(t.ID))
	case err != nil:
		return fmt.Errorf("predictions %s: %w", t.Name, err)
	}
	return nil
}

func (w *Workspace) verifyTable(t database.PredictionTable, in *os.File) (fs.FileInfo, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if stamp, ok := w.verified.Load(t.ID); ok && stamp == stampOf(info) {
		return info, nil
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, in); err != nil {
		return nil, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != t.SHA256 {
		return nil, fmt.Errorf("the file %s is damaged: its content does not match its hash; import them again",
			database.TablePath(t.ID))
	}
	w.verified.Store(t.ID, stampOf(info))
	return info, nil
}
