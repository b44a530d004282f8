package engine

import (
	"context"
	"fmt"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
)

// unitRunner computes units of one model: a runner and buffers, allocated once. Only one goroutine
// uses it.
type unitRunner struct {
	*Prepared
	plan   *transform.Plan
	source Source
	// composer makes the images of a set of scenes; nil under every other family.
	composer Composer
	runner   Runner
	// images are the decoded images of the batch, ready the same as the plan reads them soonest,
	// scratch a few of them transformed, soft one softmax row.
	images, ready, scratch, soft []float32
	// tensors keeps, per position that vector modalities compare, the batch under every
	// transformation; sizes the numbers per image.
	tensors map[int][]float32
	sizes   map[int]int
	// watch measures what timings add up.
	watch   stopwatch
	timings Timings
}

func newUnitRunner(r *Prepared, runner Runner) (*unitRunner, error) {
	batch := r.task.Spec.Batch
	if have := len(runner.Input()); have != batch*r.size {
		return nil, fmt.Errorf("model %s: the input takes %d numbers in place of %d x %d",
			r.task.ID, have, batch, r.size)
	}
	plan, err := r.tables.plan()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", r.task.ID, err)
	}
	return &unitRunner{
		Prepared: r, plan: plan, runner: runner,
		images: make([]float32, batch*r.size), scratch: make([]float32, groupImages*r.size),
		tensors: map[int][]float32{}, sizes: map[int]int{},
	}, nil
}

// read says where the images of the next unit come from.
func (b *unitRunner) read(source Source) error {
	composer, err := composerOf(b.family, source)
	if err != nil {
		return fmt.Errorf("model %s: %w", b.task.ID, err)
	}
	b.source, b.composer = source, composer
	return nil
}

// step is called before each inference; it blocks while the run is paused and returns the reason to
// stop.
type step func() error

// compute makes one unit. done is called with the number of images after each inference.
func (b *unitRunner) compute(ctx context.Context, chunk int, before step, done func(images int)) (*signal.Unit, error) {
	first, images := b.task.Spec.ChunkImages(chunk)
	batch := b.task.Spec.Batch
	var unit *signal.Unit
	for from := 0; from < images; from += batch {
		part := part{chunkFirst: first, from: from, count: min(batch, images-from)}
		b.watch.start()
		if err := b.load(part, before); err != nil {
			return nil, err
		}
		b.watch.lap(&b.timings.Decode)
		for t := range b.count {
			if err := before(); err != nil {
				return nil, err
			}
			b.watch.start()
			if err := b.prepare(t, part); err != nil {
				return nil, err
			}
			b.watch.lap(&b.timings.Transform)
			if err := b.runner.Run(ctx); err != nil {
				return nil, fmt.Errorf("model %s: inference on image %s: %w", b.task.ID, b.source.Name(first+from), err)
			}
			b.watch.lap(&b.timings.Infer)
			if unit == nil {
				classes, err := b.classes()
				if err != nil {
					return nil, err
				}
				unit = b.newUnit(chunk, images, classes)
			}
			if err := b.collect(unit, t, part); err != nil {
				return nil, err
			}
			b.watch.lap(&b.timings.Reduce)
			done(part.count)
		}
		b.watch.start()
		if err := b.distances(unit, part); err != nil {
			return nil, err
		}
		b.watch.lap(&b.timings.Reduce)
	}
	return unit, nil
}

// part is a batch of a unit: count images from the chunk's image number from on.
type part struct{ chunkFirst, from, count int }

// image is the suite's index of the part's image x.
func (p part) image(x int) int { return p.chunkFirst + p.from + x }

// load decodes the images of a batch and fits them to the model's input.
func (b *unitRunner) load(p part, before step) error {
	for x := range p.count {
		if err := before(); err != nil {
			return err
		}
		img, err := b.source.Image(p.image(x))
		if err != nil {
			return fmt.Errorf("model %s: image %s: %w", b.task.ID, b.source.Name(p.image(x)), err)
		}
		if img, err = fit(img, b.fitting); err != nil {
			return fmt.Errorf("model %s: image %s %w", b.task.ID, b.source.Name(p.image(x)), err)
		}
		copy(b.images[x*b.size:], img.Pix)
	}
	b.ready = b.plan.Ready(b.ready, b.images[:p.count*b.size], b.fitting.Channels, p.count)
	return nil
}

// prepare makes the runner ready for transformation t. Under masks the images stay what they are:
// the batch is filled once, and the runner deletes region t of the feature maps.
func (b *unitRunner) prepare(t int, p part) error {
	if b.task.Feed.Mask == nil {
		return b.fill(t, p)
	}
	if t == 0 {
		if err := b.fill(0, p); err != nil {
			return err
		}
	}
	b.runner.Mask(t)
	return nil
}

// groupImages is the number of images that are transformed in one call.
const groupImages = transform.ReadyImages

// fill writes the batch under transformation t into the runner's input; places behind the last
// image repeat it.
func (b *unitRunner) fill(t int, p part) error {
	input := b.runner.Input()
	for from := 0; from < p.count; from += groupImages {
		group := min(groupImages, p.count-from)
		if err := b.transform(t, p, from, group); err != nil {
			return err
		}
		for x := range group {
			b.feed.Write(input[(from+x)*b.size:(from+x+1)*b.size], b.scratch[x*b.size:(x+1)*b.size])
		}
	}
	last := input[(p.count-1)*b.size : p.count*b.size]
	for x := p.count; x < b.task.Spec.Batch; x++ {
		copy(input[x*b.size:], last)
	}
	return nil
}

// transform writes a few images of the batch, from number from on, under transformation t to the
// scratch: by the plan's tables or, under a set of scenes, as the source composes them.
func (b *unitRunner) transform(t int, p part, from, group int) error {
	images := b.images[from*b.size:]
	if b.composer == nil || t == 0 {
		ready := b.ready
		if ready != nil {
			ready = ready[from*b.size:]
		}
		b.plan.ApplyReady(b.scratch, images, ready, b.fitting.Channels, group, t)
		return nil
	}
	for x := range group {
		image := p.image(from + x)
		err := b.composer.Compose(b.scratch[x*b.size:(x+1)*b.size], images[x*b.size:(x+1)*b.size], image, t, b.fitting)
		if err != nil {
			return fmt.Errorf("model %s: image %s on scene %d: %w", b.task.ID, b.source.Name(image), t, err)
		}
	}
	return nil
}

// classes checks the form of the class output.
func (b *unitRunner) classes() (int, error) {
	shape, values := b.runner.Result(0)
	if len(shape) < 2 || shape[0] != int64(b.task.Spec.Batch) || len(values)%b.task.Spec.Batch != 0 ||
		len(values) == 0 {
		return 0, fmt.Errorf("model %s: output %s has shape %v in place of %d x classes", b.task.ID, b.task.Feed.Output,
			shape, b.task.Spec.Batch)
	}
	width := len(values) / b.task.Spec.Batch
	if b.task.Spec.OutputKind.Binary() && width != 1 {
		return 0, fmt.Errorf("model %s: output %s has %d numbers per image; %s is one: correct its output kind",
			b.task.ID, b.task.Feed.Output, width, b.task.Spec.OutputKind)
	}
	classes := width * signal.Shares(b.task.Spec.OutputKind)
	if classes > signal.FullSoftmaxClasses && b.task.Spec.TrueClass == nil && b.task.Classes != nil {
		return 0, fmt.Errorf("model %s: output %s has %d classes, more than was planned for; import the model again",
			b.task.ID, b.task.Feed.Output, classes)
	}
	for _, class := range b.task.Classes {
		if class >= classes {
			return 0, fmt.Errorf("model %s: %w: output %s has %d classes, the suite needs class %d",
				b.task.ID, ErrClassMismatch, b.task.Feed.Output, classes, class)
		}
	}
	b.soft = make([]float32, classes)
	return classes, nil
}

// collect reads the results of one inference into the unit: predictions, softmax, and the reducers
// of every position.
func (b *unitRunner) collect(u *signal.Unit, t int, p part) error {
	_, output := b.runner.Result(0)
	width := u.Classes / signal.Shares(b.task.Spec.OutputKind)
	conf := b.task.Spec.Position(model.CONF)
	for x := range p.count {
		row := output[x*width : (x+1)*width]
		cell := t*u.Images + p.from + x
		soft := b.soft
		if u.Softmax != nil {
			soft = u.Softmax[cell*u.Classes : (cell+1)*u.Classes]
		}
		signal.Softmax(soft, row, b.task.Spec.OutputKind)
		if width < u.Classes {
			row = soft
		}
		best := signal.Argmax(row)
		u.Prediction[cell], u.Confidence[cell] = int32(best), soft[best]
		if u.TrueScore != nil {
			u.TrueScore[cell] = b.trueScore(soft, p.image(x))
		}
		if conf < 0 { // a set without positions: a softmax that is no number shows in its largest share
			if !finite(soft[best]) {
				return b.unusable(model.CONF, place{t: t, part: p, x: x}, soft, "largest share", soft[best])
			}
			continue
		}
		if err := b.reduce(u, place{conf, t, p, x}, tensor{soft, u.Classes, false}); err != nil {
			return err
		}
	}
	for position, result := range b.results {
		if result == confResult {
			continue
		}
		if err := b.collectPosition(u, position, t, p); err != nil {
			return err
		}
	}
	return nil
}

// trueScore is the softmax of the true class, 0 without one.
func (b *unitRunner) trueScore(soft []float32, image int) float32 {
	label := b.source.Label(image)
	if label < 0 || label >= len(b.task.Spec.TrueClass) {
		return 0
	}
	class := b.task.Spec.TrueClass[label]
	if class < 0 || class >= len(soft) {
		return 0
	}
	return soft[class]
}

func (b *unitRunner) collectPosition(u *signal.Unit, position, t int, p part) error {
	shape, values := b.runner.Result(b.results[position])
	size, channels, last, err := shapeOf(shape, b.task.Spec.Batch)
	if err != nil {
		at := b.task.Spec.Positions[position]
		return fmt.Errorf("model %s: position %s: tensor %s %w", b.task.ID, at.Name, at.Tensor, err)
	}
	for x := range p.count {
		if err := b.reduce(u, place{position, t, p, x},
			tensor{values[x*size : (x+1)*size], channels, last}); err != nil {
			return err
		}
	}
	return nil
}
