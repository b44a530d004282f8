package inspect

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
)

// session is one model with its signals in memory, prepared so that the matrices follow the
// controls. It is immutable but for what compute keeps for itself.
type session struct {
	base   evidence.Evidence // without tiles; Values are those of the whole family
	info   store.SetInfo     // of the set that was read
	set    *signal.Set
	labels []int // nil where the suite has none
	parts  []part
	single evidence.Ranges // own ranges of modalities without a shared one

	mu      sync.Mutex // one compute at a time
	scratch variance.Scratch
	reach   [2]int      // the transformations that spreads belong to
	spreads [][]float64 // per part and image
}

// part is one chosen modality of a session.
type part struct {
	name      string
	modality  signal.Modality
	prepared  *variance.Prepared // scalar modalities
	distances [][]float32        // vector modalities
	reason    string             // why it has no matrix
}

// subject says whose signals a session is made from.
type subject struct {
	base       evidence.Evidence
	manifest   suite.Manifest
	family     string // canonical text
	modalities []string
	shared     evidence.Ranges
}

// open reads the signals of the chosen modalities, unless those of before, which may be nil, are
// the same. It is slow (files).
func open(ctx context.Context, from Store, s subject, before *session) (*session, error) {
	info, ok, err := from.SetFor(s.base.Model, s.manifest.Hash, s.family, s.modalities)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, store.ErrNoSignals
	}
	x := &session{base: s.base, info: info, single: evidence.Ranges{}, reach: [2]int{-1, -1}}
	x.base.Tiles, x.base.Skipped = nil, info.Skipped
	if before != nil && reflect.DeepEqual(info, before.info) && slices.Equal(before.names(), s.modalities) {
		x.set, x.labels, x.parts, x.single = before.set, before.labels, before.parts, before.single
		return x, nil
	}
	modalities, err := signal.ParseModalities(s.modalities)
	if err != nil {
		return nil, err
	}
	x.set, err = from.LoadSet(ctx, info.Key, store.Want{
		Modalities: modalities, Predictions: true, Confidence: true, Softmax: keepsScores(info, s.manifest),
	})
	if err != nil {
		return nil, err
	}
	if s.manifest.Labelled() {
		x.labels = s.manifest.Labels
	}
	for k, name := range s.modalities {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := x.prepare(name, modalities[k])
		if err != nil {
			return nil, err
		}
		x.parts = append(x.parts, p)
		x.ownRange(p, s.shared)
	}
	return x, nil
}

// mostSoftmax is how many bytes of softmax a session keeps at the most: those of 10,000 images of
// ten classes under 31 transformations four times.
const mostSoftmax = 50 << 20

// keepsScores tells whether a session reads the scores of the labels' classes: where there are
// labels, and where the store has nothing but the whole softmax, only if that is not too large.
func keepsScores(info store.SetInfo, of suite.Manifest) bool {
	return of.Labelled() &&
		(info.Classes > signal.FullSoftmaxClasses ||
			4*info.Transformations*info.Spec.Images*info.Classes <= mostSoftmax)
}

// prepare lays one modality's signals out, or says why there are none.
func (x *session) prepare(name string, m signal.Modality) (part, error) {
	p := part{name: name, modality: m}
	var err error
	if m.Vector() {
		p.distances, err = x.set.Distances(m)
	} else {
		var rows [][]float32
		if rows, err = x.set.Signals(m); err == nil {
			p.prepared = variance.Prepare(rows)
		}
	}
	if errors.Is(err, signal.ErrNoMeanAbs) {
		p.reason, err = present.Sentence(signal.ErrNoMeanAbs), nil
	}
	if errors.Is(err, signal.ErrAbsent) || errors.Is(err, signal.ErrNotLoaded) {
		p.reason, err = absence(x.base.Model, m), nil
	}
	return p, err
}

// absence says why a model has no signals of a modality, and what to do.
func absence(m model.Model, wanted signal.Modality) string {
	if _, there := m.Graph.Tensor(wanted.Position, m.Correction.Positions); !there {
		return store.AbsentReason(m, wanted.Position)
	}
	if wanted.Vector() {
		return fmt.Sprintf("%srun with modality %s", notComputed, wanted.String())
	}
	return fmt.Sprintf("%srun with position %s", notComputed, wanted.Position)
}

// notComputed begins the reasons that a run can do something about.
const notComputed = "not computed: "

// ownRange gives a modality without a shared range the one of this model over all images.
func (x *session) ownRange(p part, shared evidence.Ranges) {
	if _, known := shared[p.name]; known || p.reason != "" || p.modality.Position == model.CONF &&
		!p.modality.Vector() {
		return // for reduced softmax vectors it is 0..0.3 whatever the models
	}
	all := make([]int, x.set.Images)
	for k := range all {
		all[k] = k
	}
	if m, err := x.matrix(p, all); err == nil {
		x.single[p.name] = evidence.DefaultRange(p.name, m.Data)
	}
}

func (x *session) matrix(p part, images []int) (variance.Matrix, error) {
	if p.modality.Vector() {
		return variance.Vector(p.distances, x.set.Transformations, images)
	}
	return p.prepared.Matrix(images, &x.scratch)
}

// frame is what the screen shows of a session for one position of the controls. It is immutable.
type frame struct {
	controls    Controls
	images      variance.Images
	chosen      []int
	first, last int
	shown       evidence.Prepared
	largest     []float64 // f+ of each tile, 0 where there is none
	none        error     // why no image is left; the tiles say so
}

// compute makes the matrices and their pictures for a choice. The same choice gives the same bits,
// whatever was shown before.
func (x *session) compute(c Controls, excluded []int, view evidence.View) (frame, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f := frame{controls: c, images: c.images(x.base.Classes, excluded)}
	f.first, f.last = c.interval(x.set.Transformations)
	view.Single = x.single
	e := x.base
	e.Filter = c.words(e.Classes, e.Values, e.Unit)
	e.Excluded = len(excluded)
	if len(e.Values) == x.set.Transformations {
		e.Values = e.Values[f.first : f.last+1 : f.last+1]
	}
	predictions := x.set.Predictions()
	var err error
	f.chosen, err = f.images.Choose(x.labels, predictions[len(predictions)/2], x.info.ClassMap)
	if errors.Is(err, variance.ErrNoImages) || errors.Is(err, variance.ErrNoLabels) {
		f.none = err
		f.shown = evidence.Prepare(e.Without(x.names(), "no images left"), view)
		f.largest = make([]float64, len(x.parts))
		return f, nil
	}
	if err != nil {
		return f, err
	}
	e.Images = len(f.chosen)
	if x.labels != nil {
		e.Accuracy, e.Robust = variance.Accuracy(predictions[f.first:f.last+1], x.labels, x.info.ClassMap, f.chosen)
	}
	e.Tiles = make([]evidence.Tile, len(x.parts))
	for k, p := range x.parts {
		if e.Tiles[k], err = x.tile(p, f); err != nil {
			return f, err
		}
	}
	f.largest = x.largest(f)
	f.shown = evidence.Prepare(e, view)
	return f, nil
}

// tile is one matrix, cut to the sub-interval. A signal that is not finite takes the matrix away,
// not the screen: without that image the others can be seen.
func (x *session) tile(p part, f frame) (evidence.Tile, error) {
	t := evidence.Tile{Modality: p.name, Reason: p.reason}
	if p.reason != "" {
		return t, nil
	}
	m, err := x.matrix(p, f.chosen)
	var broken *variance.NotFiniteError
	if errors.As(err, &broken) {
		t.Reason = fmt.Sprintf("%s Exclude the image to see the rest.", present.Sentence(err))
		return t, nil
	}
	if err != nil {
		return t, err
	}
	t.Matrix = m.Centre((f.last - f.first) / 2)
	return t, nil
}

func (x *session) names() []string {
	names := make([]string, len(x.parts))
	for k, p := range x.parts {
		names[k] = p.name
	}
	return names
}

// largest are the upper bounds f+ of |dif| (spec/variance.md section 9): known for CONF, else the
// largest that is seen over the chosen images and transformations.
func (x *session) largest(f frame) []float64 {
	x.spread(f.first, f.last)
	largest := make([]float64, len(x.parts))
	for k, p := range x.parts {
		if bound, known := p.modality.Bound(); known {
			largest[k] = bound
			continue
		}
		for _, image := range f.chosen {
			if len(x.spreads[k]) > 0 {
				largest[k] = max(largest[k], x.spreads[k][image])
			}
		}
	}
	return largest
}

// spread keeps the largest |dif| of every image for an interval of V, which changes less often
// than the images do.
func (x *session) spread(first, last int) {
	if x.reach == [2]int{first, last} {
		return
	}
	x.reach, x.spreads = [2]int{first, last}, make([][]float64, len(x.parts))
	for k, p := range x.parts {
		if _, known := p.modality.Bound(); known || p.reason != "" {
			continue
		}
		if p.modality.Vector() {
			x.spreads[k] = variance.LargestDistance(p.distances, first, last)
		} else {
			x.spreads[k] = p.prepared.Spread(first, last)
		}
	}
}
