package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/store/database"
	"github.com/variscope/variscope/store/npz"
)

// Want says which arrays LoadSet reads.
type Want = signal.Want

// fileStamp tells whether a file is still the one that was hashed.
type fileStamp struct {
	size     int64
	modified time.Time
}

func stampOf(info os.FileInfo) fileStamp { return fileStamp{info.Size(), info.ModTime()} }

// LoadSet reads the wanted arrays of a set from its signal files. A file's hash is verified the
// first time that this process reads it, and again when its size or time changed. Missing units
// are ErrIncomplete; a file that is gone or damaged is a *DamagedError, now and until its unit is
// computed anew.
func (w *Workspace) LoadSet(ctx context.Context, key string, want Want) (*signal.Set, error) {
	info, units, err := w.unitsOf(key)
	if err != nil {
		return nil, err
	}
	l := newLoader(info, want, info.Spec.Images)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for chunk, unit := range units {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			first, images := info.Spec.ChunkImages(chunk)
			return w.readUnit(info.Spec.UnitKey(chunk), unit, func(f npz.File) error { return l.add(f, first, images) })
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return l.loaded(), nil
}

// EachChunk reads the wanted arrays of a finished set chunk by chunk, in order: visit gets a set
// that holds the images from first on. It is the caller's to keep; only one chunk is read at a
// time. The errors are those of LoadSet; an error of visit ends it.
func (w *Workspace) EachChunk(
	ctx context.Context, key string, want Want, visit func(first int, part *signal.Set) error,
) error {
	info, units, err := w.unitsOf(key)
	if err != nil {
		return err
	}
	for chunk, unit := range units {
		if err := ctx.Err(); err != nil {
			return err
		}
		first, _ := info.Spec.ChunkImages(chunk)
		part, err := w.loadChunk(info, chunk, unit, want)
		if err != nil {
			return err
		}
		if err := visit(first, part); err != nil {
			return err
		}
	}
	return nil
}

// LoadChunk reads the wanted arrays of one chunk of a finished set: a set that holds the chunk's
// images (signal.Spec.ChunkImages). The errors are those of LoadSet; a chunk that the set does not
// have is an error, too.
func (w *Workspace) LoadChunk(ctx context.Context, key string, want Want, chunk int) (*signal.Set, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	info, units, err := w.unitsOf(key)
	if err != nil {
		return nil, err
	}
	if chunk < 0 || chunk >= len(units) {
		return nil, fmt.Errorf("set of signals %.12s has no chunk %d; there are %d", key, chunk, len(units))
	}
	return w.loadChunk(info, chunk, units[chunk], want)
}

func (w *Workspace) loadChunk(info SetInfo, chunk int, unit database.UnitRecord, want Want) (*signal.Set, error) {
	_, images := info.Spec.ChunkImages(chunk)
	l := newLoader(info, want, images)
	err := w.readUnit(info.Spec.UnitKey(chunk), unit, func(f npz.File) error { return l.add(f, 0, images) })
	return l.loaded(), err
}

// unitsOf returns a set's description and its unit records by chunk; one that was found
// damaged is a *DamagedError, another one that is missing ErrIncomplete.
func (w *Workspace) unitsOf(key string) (SetInfo, []database.UnitRecord, error) {
	var info SetInfo
	var units []database.UnitRecord
	var gone []string
	err := w.View(func(tx *database.Tx) (err error) {
		if info, err = getSet(tx, key); err != nil {
			return err
		}
		units = make([]database.UnitRecord, info.Chunks)
		for chunk := range units {
			unit, found, err := database.Units.Get(tx, info.Spec.UnitKey(chunk))
			if err != nil {
				return err
			}
			if units[chunk] = unit; !found {
				gone = append(gone, fmt.Sprint(chunk))
			}
		}
		return nil
	})
	switch {
	case err != nil:
	case info.Damaged != nil:
		info.Damaged.Reading = w.reading
		err = info.Damaged
	case len(gone) > 0:
		err = fmt.Errorf("%d of %d chunks (%s): %w", len(gone), info.Chunks, strings.Join(gone, ", "), ErrIncomplete)
	}
	return info, units, err
}

// readUnit opens a verified signal file for use.
func (w *Workspace) readUnit(key string, unit database.UnitRecord, use func(npz.File) error) error {
	in, err := os.Open(w.unitFile(key))
	if errors.Is(err, os.ErrNotExist) {
		return w.damaged(key, unit, "is gone")
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if info.Size() != unit.Size {
		return w.damaged(key, unit, fmt.Sprintf("has %d bytes in place of %d", info.Size(), unit.Size))
	}
	var content io.ReaderAt = in
	if stamp, ok := w.verified.Load(key); !ok || stamp != stampOf(info) {
		data := make([]byte, unit.Size)
		if _, err := io.ReadFull(in, data); err != nil {
			return fmt.Errorf("read %s: %w", database.UnitPath(key), err)
		}
		if !unit.Matches(data) {
			return w.damaged(key, unit, "is damaged: its content does not match its hash")
		}
		w.verified.Store(key, stampOf(info))
		content = bytes.NewReader(data)
	}
	file, err := npz.Open(content, unit.Size)
	if err == nil {
		err = use(file)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", database.UnitPath(key), err)
	}
	return nil
}

// damaged has the next run compute a unit anew, drops the summary of its set, and returns the error
// that says what is wrong; the set says it from then on.
func (w *Workspace) damaged(key string, unit database.UnitRecord, reason string) error {
	w.verified.Delete(key)
	damage := &DamagedError{Path: database.UnitPath(key), Reason: reason, Reading: w.reading}
	var model string
	err := w.commit(func(tx *database.Tx) error {
		if err := database.Units.Delete(tx, key); err != nil {
			return err
		}
		if err := database.Summaries.Delete(tx, unit.Set); err != nil {
			return err
		}
		set, found, err := database.Sets.Get(tx, unit.Set)
		if err != nil || !found {
			return err
		}
		if set.Damaged == nil {
			set.Damaged = map[int]string{}
		}
		set.Finished, set.Damaged[unit.Chunk], model = false, reason, set.Spec.Model
		return database.Sets.Put(tx, unit.Set, set)
	})
	if err != nil {
		return errors.Join(damage, err)
	}
	w.changes.tell(SignalsChanged, model)
	return damage
}

// loader fills a set from signal files. Chunks go to disjoint parts of the set's arrays, so
// goroutines need no lock.
type loader struct {
	set      *signal.Set
	scalar   []wantedScalar
	distance []int       // indices into the spec's vector modalities
	unscored atomic.Bool // a chunk has no scores of true classes: a suite without labels has none
	early    atomic.Bool // a chunk has no mean_abs
}

type wantedScalar struct {
	position int
	reducer  signal.Reducer
}

// newLoader allocates the wanted arrays for a number of images.
func newLoader(info SetInfo, want Want, m int) *loader {
	l := &loader{set: signal.NewSet(info.Spec, info.Transformations, m, info.Classes, want)}
	for p, reduced := range l.set.Reduced {
		for r, values := range reduced {
			if values != nil {
				l.scalar = append(l.scalar, wantedScalar{p, signal.Reducer(r)})
			}
		}
	}
	for v, distances := range l.set.PairDistances {
		if distances != nil {
			l.distance = append(l.distance, v)
		}
	}
	return l
}

// CheckUnit says why the content of a unit's file has not the form of its set, nil when it has.
func CheckUnit(s database.SetRecord, chunk int, content []byte) error {
	_, images := s.Spec.ChunkImages(chunk)
	l := newLoader(SetInfo{Spec: s.Spec, Transformations: s.Transformations, Classes: s.Classes},
		Want{Everything: true}, images)
	archive, err := npz.Open(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return err
	}
	return l.add(archive, 0, images)
}

// loaded is the set once everything is added.
func (l *loader) loaded() *signal.Set {
	if l.unscored.Load() {
		l.set.TrueScore = nil
	}
	if l.early.Load() {
		l.set.Early = true
		for p := range l.set.Reduced {
			l.set.Reduced[p][signal.MeanAbs] = nil
		}
	}
	return l.set
}

// add copies the wanted arrays of a chunk of n images into the set, whose image number first is
// the chunk's first one.
func (l *loader) add(f npz.File, first, n int) error {
	s := l.set
	t, m, c := s.Transformations, s.Images, s.Classes
	if s.Prediction != nil {
		values, err := f.Ints(arrayPrediction, t, n)
		if err != nil {
			return err
		}
		signal.Place(s.Prediction, values, m, first, n)
	}
	if err := fill(s.Confidence, f, arrayConfidence, block{[]int{t, n}, m, first}); err != nil {
		return err
	}
	if err := fill(s.TrueScore, f, arrayTrueScore, block{[]int{t, n}, m, first}); errors.Is(err, npz.ErrNoArray) {
		l.unscored.Store(true)
	} else if err != nil {
		return err
	}
	if err := fill(s.Softmax, f, arraySoftmax, block{[]int{t, n, c}, m * c, first * c}); err != nil {
		return err
	}
	for _, want := range l.scalar {
		name := signal.Modality{Position: s.Spec.Positions[want.position].Name, Reducer: want.reducer}.String()
		err := fill(s.Reduced[want.position][want.reducer], f, name, block{[]int{t, n}, m, first})
		if want.reducer == signal.MeanAbs && errors.Is(err, npz.ErrNoArray) {
			l.early.Store(true)
		} else if err != nil {
			return err
		}
	}
	for _, v := range l.distance {
		if err := fill(s.PairDistances[v], f, s.Spec.Vectors[v],
			block{[]int{signal.Pairs(t), n}, m, first}); err != nil {
			return err
		}
	}
	return nil
}

// block is the shape of a chunk's array, whose first axis are rows, and where these rows lie in
// the set's array.
type block struct {
	shape         []int
	stride, first int
}

// fill reads an array into its rows of dst; a nil dst is not wanted.
func fill(dst []float32, f npz.File, name string, b block) error {
	if dst == nil {
		return nil
	}
	values, err := f.Floats(name, b.shape...)
	if err != nil {
		return err
	}
	signal.Place(dst, values, b.stride, b.first, npz.Count(b.shape[1:]))
	return nil
}
