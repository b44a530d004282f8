package engine

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// Prepared is a task made ready to run: tables, factors and places that all its units share, and
// the session of those who are computing one. It is safe for many goroutines.
type Prepared struct {
	task    Task
	family  transform.Family
	tables  *tables
	count   int // transformations
	fitting suite.Fitting
	size    int // numbers of one input image
	feed    recipe.Feed
	results []int // per position: index of its result, confResult for CONF
	vectors []vectorUse
	session shared
	tried   atomic.Pointer[Probe] // what a trial run found that passed before the model was first opened; nil before it
}

// Prepare prepares a task. like may be nil; where it has the same family and input size, both share
// what takes most memory. An error says what does not fit: sizes, masks, tensors.
func Prepare(t Task, like *Prepared) (*Prepared, error) {
	r, err := prepareTask(t)
	if err != nil {
		return nil, err
	}
	if like != nil {
		r.share(map[sized]*tables{like.sized(): like.tables})
	}
	return r, nil
}

// Task is what it was made of.
func (r *Prepared) Task() Task { return r.task }

// Transformations is the number of transformations, the identity among them.
func (r *Prepared) Transformations() int { return r.count }

// confResult marks the position whose tensor is the softmax vector.
const confResult = -1

// vectorUse is a vector modality with the index of its position.
type vectorUse struct {
	position int
	order    float64
}

// maxVectorBytes caps what one worker keeps of a position for vector modalities, which compare all
// transformations of an image with each other.
const maxVectorBytes = 1 << 30

func prepareTask(t Task) (*Prepared, error) {
	s := t.Spec
	family, err := transform.ParseAny(s.Family)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", t.ID, err)
	}
	if s.Batch < 1 || t.Feed.Input.Batch != s.Batch || s.Channels < 1 || s.Images < 1 {
		return nil, fmt.Errorf("model %s: batch %d, %d channels and %d images make no task",
			t.ID, s.Batch, s.Channels, s.Images)
	}
	if !masksFit(family, t.Feed.Mask) {
		return nil, fmt.Errorf("model %s: %s does not go with how the model is opened; plan the run again",
			t.ID, s.Family)
	}
	r, err := forImages(t, family)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", t.ID, err)
	}
	if err := r.places(); err != nil {
		return nil, fmt.Errorf("model %s: %w", t.ID, err)
	}
	return r, nil
}

// forImages is the part of a prepared task that says what becomes of images: their size, the
// family's tables, the normalisation.
func forImages(t Task, family transform.Family) (*Prepared, error) {
	s := t.Spec
	if err := family.Fits(s.Channels, s.Height, s.Width); err != nil {
		return nil, err
	}
	fitting, feed, err := suite.Inputs(s.Preprocessing, t.Feed.Input.Layout, s.Channels, s.Height, s.Width)
	if err != nil {
		return nil, err
	}
	return &Prepared{
		task: t, family: family, count: family.N(), size: s.Channels * s.Height * s.Width,
		fitting: fitting, feed: feed,
		tables: &tables{sync.OnceValues(func() (*transform.Plan, error) { return family.Plan(s.Height, s.Width) })},
	}, nil
}

// tables is the plan of a family for one input size. It is made when the first model is at work,
// not while the run waits in the queue, and all models of a run with that size share it.
type tables struct {
	plan func() (*transform.Plan, error)
}

// sized is what tables depend on.
type sized struct {
	family        string
	height, width int
}

func (r *Prepared) sized() sized {
	s := r.task.Spec
	return sized{s.Family, s.Height, s.Width}
}

// share makes prepared tasks with the same family and input size use the same tables.
func (r *Prepared) share(made map[sized]*tables) {
	size := r.sized()
	if have, ok := made[size]; ok {
		r.tables = have
		return
	}
	made[size] = r.tables
}

// places finds the result of every position and the position of every vector modality.
func (r *Prepared) places() error {
	feed := r.task.Feed
	for _, p := range r.task.Spec.Positions {
		result := confResult
		switch {
		case p.Name == model.CONF:
		case p.Tensor == feed.Output:
			result = 0
		default:
			k := slices.Index(feed.Tensors, p.Tensor)
			if k < 0 {
				return fmt.Errorf("tensor %s of position %s is not among those that the model is opened with",
					p.Tensor, p.Name)
			}
			result = k + 1
		}
		r.results = append(r.results, result)
	}
	for _, text := range r.task.Spec.Vectors {
		m, err := signal.ParseModality(text)
		if err != nil {
			return err
		}
		p := r.task.Spec.Position(m.Position)
		if p < 0 || !m.Vector() {
			return fmt.Errorf("vector modality %s has no position", text)
		}
		r.vectors = append(r.vectors, vectorUse{position: p, order: m.Order})
	}
	return nil
}

// newUnit allocates the unit of a chunk for a model with the given number of classes.
func (r *Prepared) newUnit(chunk, images, classes int) *signal.Unit {
	cells := r.count * images
	u := &signal.Unit{
		Chunk: chunk, Transformations: r.count, Images: images, Classes: classes,
		Prediction: make([]int32, cells), Confidence: make([]float32, cells),
		Reduced: make([][]float32, len(r.results)),
	}
	if classes <= signal.FullSoftmaxClasses {
		u.Softmax = make([]float32, cells*classes)
	} else {
		u.TrueScore = make([]float32, cells)
	}
	for p := range u.Reduced {
		u.Reduced[p] = make([]float32, signal.Reducers*cells)
	}
	for range r.vectors {
		u.Distances = append(u.Distances, make([]float32, signal.Pairs(r.count)*images))
	}
	return u
}

// describe names a transformation for messages: "rotation -12°".
func (r *Prepared) describe(t int) string { return r.family.Describe(t) }

// shapeOf reads the shape of a position's result: numbers and channels per image, and whether the
// channel axis is the last one. Rank 2 is a vector, rank 4 is C x H x W, and rank 3 is a
// transformer's tokens: tokens x channels.
func shapeOf(shape []int64, batch int) (size, channels int, last bool, err error) {
	if len(shape) == 0 || shape[0] != int64(batch) {
		return 0, 0, false, fmt.Errorf("has shape %v, which does not begin with the batch of %d images; "+
			"choose another tensor", shape, batch)
	}
	size = 1
	for _, d := range shape[1:] {
		size *= int(d)
	}
	if size < 1 {
		return 0, 0, false, errors.New("is empty")
	}
	switch len(shape) {
	case 1:
		return size, 1, false, nil
	case 3:
		return size, int(shape[2]), true, nil
	}
	return size, int(shape[1]), false, nil
}

func finite(v float32) bool { return v-v == 0 }
