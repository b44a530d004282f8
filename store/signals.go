package store

import (
	"bufio"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/npz"
)

var _ engine.Recorder = (*Workspace)(nil)

// SetInfo describes the signals of one model, source and family under one spec.
type SetInfo struct {
	Key             string
	Spec            signal.Spec
	Transformations int
	Classes         int // of the model
	Chunks          int // units of the whole set
	Recorded        int // units that are on disk
	// Finished says that all units are there and the summary is computed.
	Finished bool
	Updated  time.Time
	Absent   []string // requested positions that the model does not have
	ClassMap []int    // suite label -> class of the model
	MappedBy string   // "by name", "by index", "by table"
	Skipped  int      // corrupt images that the suite left out
	// From is device.Shipped where a computer of another kind computed them before they came here,
	// empty otherwise.
	From string
	// Damaged is what is wrong with the first file that was found damaged and is not computed anew
	// yet; nil where there is none.
	Damaged *DamagedError
}

// Device is what readers are told of what has computed the signals: a kind of device or
// device.Shipped, empty for the processor.
func (i SetInfo) Device() string { return cmp.Or(i.From, i.Spec.Device) }

func (w *Workspace) unitFile(unitKey string) string {
	return filepath.Join(w.path, filepath.FromSlash(database.UnitPath(unitKey)))
}

// Has tells whether a unit is kept: the database names it and its file is there with its size.
// Content is verified on loading; a unit that turns out damaged is no longer kept from then on.
// An older unit counts as kept unless mean_abs is needed of it (lacksMeanAbs).
func (w *Workspace) Has(unitKey string) (bool, error) {
	var unit database.UnitRecord
	found, err := viewed(w, func(tx *database.Tx) (bool, error) { return database.Units.Into(tx, unitKey, &unit) })
	if err != nil || !found {
		return false, err
	}
	info, err := os.Stat(w.unitFile(unitKey))
	if err != nil || info.Size() != unit.Size {
		return false, nil
	}
	lacking, err := w.lacksMeanAbs(unit)
	return !lacking, err
}

// lacksMeanAbs tells whether a unit was computed before mean_abs was kept, and is needed with it:
// in scenes, where HEAD's tensor has entries below 0 for a target itself, so that its mean is not
// that of absolute values (spec/background.md section 8).
func (w *Workspace) lacksMeanAbs(unit database.UnitRecord) (bool, error) {
	if unit.Reducers > int(signal.MeanAbs) {
		return false, nil
	}
	set, err := viewed(w, func(tx *database.Tx) (SetInfo, error) { return getSet(tx, unit.Set) })
	if err != nil {
		return false, err
	}
	family, err := transform.ParseAny(set.Spec.Family)
	if err != nil {
		return false, err
	}
	if _, _, scenes := family.Scened(); !scenes || set.Spec.Position(model.Head) < 0 {
		return false, nil
	}
	least := signal.Modality{Position: model.Head, Reducer: signal.Min}
	part, err := w.loadChunk(set, unit.Chunk, unit, Want{Modalities: []signal.Modality{least}})
	if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	rows, err := part.Signals(least)
	return err == nil && slices.ContainsFunc(rows[0], func(v float32) bool { return v < 0 }), err
}

// UnitSize is the size in bytes of a unit's file; ErrNotFound, wrapped, where the unit is not kept.
func (w *Workspace) UnitSize(unitKey string) (int64, error) {
	unit, err := viewed(w, func(tx *database.Tx) (database.UnitRecord, error) {
		return database.Units.Need(tx, unitKey)
	})
	return unit.Size, err
}

// Record keeps a unit: its file is written and fsynced first, then the database names it. When it
// returns, the unit survives a crash. A unit that is there already is replaced; between the file
// and the database it counts as damaged, that is, as missing. It is safe for many goroutines,
// also with the same unit.
func (w *Workspace) Record(ctx context.Context, spec signal.Spec, unit *signal.Unit) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	arrays, err := unitArrays(spec, unit)
	if err != nil {
		return fmt.Errorf("keep signals of model %s, chunk %d: %w", spec.Model, unit.Chunk, err)
	}
	set := spec.Key()
	key := signal.UnitKeyOf(set, unit.Chunk)
	record := database.UnitRecord{Set: set, Chunk: unit.Chunk, Reducers: signal.Reducers}
	unlock := w.lockKey(key)
	defer unlock()
	if record.XXH3, record.Size, err = w.putUnitFile(key, arrays); err != nil {
		return err
	}
	return w.Update(func(tx *database.Tx) error {
		if err := startSet(tx, set, spec, unit); err != nil {
			return err
		}
		return database.Units.Put(tx, key, record)
	})
}

// putUnitFile writes the file of a unit and says its hash and size.
func (w *Workspace) putUnitFile(key string, arrays []npz.Array) (sum string, size int64, err error) {
	if _, err := durable.Below(w.path, database.SignalsFolder, key[:2]); err != nil {
		return "", 0, err
	}
	file := w.unitFile(key)
	w.verified.Delete(key)
	hash := xxh3.New128()
	err = w.WriteFile(file, func(out io.Writer) error {
		return npz.Encode(bufio.NewWriterSize(io.MultiWriter(out, hash), 1<<16), arrays)
	})
	if err != nil {
		return "", 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", 0, fmt.Errorf("keep signals in %s: %w", database.UnitPath(key), err)
	}
	w.verified.Store(key, stampOf(info))
	return hex.EncodeToString(hash.Sum(nil)), info.Size(), nil
}

// CameFrom notes that the units of a set which are recorded were computed elsewhere (SetInfo.From).
// It is called before Finish, whose summary says so.
func (w *Workspace) CameFrom(key, from string) error {
	return w.Update(func(tx *database.Tx) error {
		set, err := database.Sets.Need(tx, key)
		if err != nil {
			return err
		}
		set.From = from
		return database.Sets.Put(tx, key, set)
	})
}

// startSet makes the set's record and index entry with its first unit.
func startSet(tx *database.Tx, key string, spec signal.Spec, unit *signal.Unit) error {
	if there, found, err := database.Sets.Get(tx, key); err != nil || found {
		if err == nil && (there.Classes != unit.Classes || there.Transformations != unit.Transformations) {
			err = fmt.Errorf("keep signals of model %s, chunk %d: it has %d classes under %d transformations, and "+
				"the chunks before have %d under %d; they are not of one run",
				spec.Model, unit.Chunk, unit.Classes, unit.Transformations, there.Classes, there.Transformations)
		}
		return err
	}
	set := database.SetRecord{
		Spec: spec, Transformations: unit.Transformations, Classes: unit.Classes,
		Updated: time.Now().UTC(),
	}
	if err := database.Sets.Put(tx, key, set); err != nil {
		return err
	}
	return database.SetIndex.PutBytes(tx, database.IndexKey(spec.Model, spec.Source, spec.Family, key), []byte{})
}

// The names of the arrays of a signal file beside those of the modalities ("max@CONF",
// "L2@CONV-1").
const (
	arraySoftmax    = "softmax"    // T x n x classes
	arrayPrediction = "prediction" // T x n, int32, as the other T x n arrays
	arrayConfidence = "confidence"
	arrayTrueScore  = "true_score"
)

// unitArrays lists a unit's arrays and checks that the unit fits its spec. Every reducer of a
// position is an array of its own, T x n, so that a modality is read without the others.
func unitArrays(spec signal.Spec, u *signal.Unit) ([]npz.Array, error) {
	if u.Chunk < 0 || u.Chunk >= spec.Chunks() {
		return nil, fmt.Errorf("there are only %d chunks", spec.Chunks())
	}
	if _, n := spec.ChunkImages(u.Chunk); n != u.Images {
		return nil, fmt.Errorf("%d images in place of %d", u.Images, n)
	}
	if len(u.Reduced) != len(spec.Positions) || len(u.Distances) != len(spec.Vectors) {
		return nil, fmt.Errorf("%d positions and %d vector modalities in place of %d and %d",
			len(u.Reduced), len(u.Distances), len(spec.Positions), len(spec.Vectors))
	}
	plane := []int{u.Transformations, u.Images}
	arrays := []npz.Array{
		{Name: arrayPrediction, Shape: plane, Ints: u.Prediction},
		{Name: arrayConfidence, Shape: plane, Floats: u.Confidence},
	}
	if u.Softmax != nil {
		arrays = append(arrays, npz.Array{Name: arraySoftmax, Shape: append(plane[:2:2], u.Classes), Floats: u.Softmax})
	}
	if u.TrueScore != nil {
		arrays = append(arrays, npz.Array{Name: arrayTrueScore, Shape: plane, Floats: u.TrueScore})
	}
	cells := npz.Count(plane)
	for p, reduced := range u.Reduced {
		if len(reduced) != signal.Reducers*cells {
			return nil, fmt.Errorf("position %s has %d numbers in place of %d",
				spec.Positions[p].Name, len(reduced), signal.Reducers*cells)
		}
		for r := range signal.Reducers {
			m := signal.Modality{Position: spec.Positions[p].Name, Reducer: signal.Reducer(r)}
			arrays = append(arrays, npz.Array{Name: m.String(), Shape: plane, Floats: reduced[r*cells : (r+1)*cells]})
		}
	}
	for v, distances := range u.Distances {
		shape := []int{signal.Pairs(u.Transformations), u.Images}
		arrays = append(arrays, npz.Array{Name: spec.Vectors[v], Shape: shape, Floats: distances})
	}
	for _, a := range arrays {
		if err := a.Check(); err != nil {
			return nil, err
		}
	}
	return arrays, nil
}

// Sets returns the sets of a model, suite and family, oldest first. An empty suite or family is
// any.
func (w *Workspace) Sets(model, suite, family string) ([]SetInfo, error) {
	var list []SetInfo
	err := w.View(func(tx *database.Tx) error {
		return eachSet(tx, model, suite, family, func(info SetInfo) { list = append(list, info) })
	})
	slices.SortStableFunc(list, func(a, b SetInfo) int { return a.Updated.Compare(b.Updated) })
	return list, err
}

// eachSet calls visit for the sets behind an index prefix.
func eachSet(tx *database.Tx, model, suite, family string, visit func(SetInfo)) error {
	prefix := []string{model}
	if suite != "" {
		prefix = append(prefix, suite)
		if family != "" {
			prefix = append(prefix, family)
		}
	}
	for key := range database.SetIndex.From(tx, database.IndexKey(prefix...)) {
		_, _, fam, set, ok := database.SplitIndexKey(key)
		if !ok {
			return fmt.Errorf("%w (set-index %q)", database.ErrDamaged, key)
		}
		if family != "" && fam != family {
			continue
		}
		info, err := getSet(tx, set)
		if err != nil {
			return err
		}
		visit(info)
	}
	return nil
}

func getSet(tx *database.Tx, key string) (SetInfo, error) {
	r, err := database.Sets.Need(tx, key)
	if err != nil {
		return SetInfo{}, err
	}
	info := SetInfo{
		Key: key, Spec: r.Spec, Transformations: r.Transformations, Classes: r.Classes, Chunks: r.Spec.Chunks(),
		Finished: r.Finished, Updated: r.Updated, Absent: r.Absent, ClassMap: r.ClassMap, MappedBy: r.MappedBy,
		Skipped: r.Skipped, From: r.From,
	}
	if r.Finished {
		info.Recorded = info.Chunks
		return info, nil
	}
	for chunk := range info.Chunks {
		key := r.Spec.UnitKey(chunk)
		if database.Units.Has(tx, key) {
			info.Recorded++
		} else if reason := r.Damaged[chunk]; reason != "" && info.Damaged == nil {
			info.Damaged = &DamagedError{Path: database.UnitPath(key), Reason: reason}
		}
	}
	return info, nil
}
