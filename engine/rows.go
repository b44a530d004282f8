package engine

import (
	"context"
	"fmt"
	"math"
	"path/filepath"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/suite"
)

// Rows is an order for numbers that a network gives for each of some images: what keywords, masks
// and coverage are made of (spec/background.md sections 1, 2 and 12).
type Rows struct {
	Feed    Feed
	Numbers Numbers
	Prep    model.Preprocessing // brings images to the feed's input
	Kind    model.OutputKind    `json:",omitempty"` // of SceneScores
	Chosen  []int               `json:",omitempty"` // of Foreground: the elements that are foreground
	// Images are numbers of images in the source; Scenes, where it is not 0, takes the composites
	// 1..Scenes of each in its place.
	Images []int
	Scenes int `json:",omitempty"`
}

// Numbers says what a row holds.
type Numbers string

// The kinds of rows. Their networks give scores of form (N, K, H, W), but for SceneScores and
// Channels.
const (
	// Elements are the pixels of each of K elements, those of the image's mask left out where the
	// source is Masked.
	Elements Numbers = "elements"
	// SceneScores are K scores that sum to 1.
	SceneScores Numbers = "scene scores"
	// Foreground is a mask of the image's own size: height, width, then the lengths of runs, the
	// first one of pixels that are not set.
	Foreground Numbers = "foreground"
	// Channels are the means per channel of result 1: over space of C x H x W, over tokens of
	// TOKENS x C.
	Channels Numbers = "channels"
)

// Masked is a Source whose images have masks.
type Masked interface {
	// Mask is where the foreground of image i is, which has that size; nil for none.
	Mask(i, height, width int) (*background.Mask, error)
}

// Len is the number of rows.
func (r Rows) Len() int { return len(r.Images) * max(1, r.Scenes) }

// name is what the network is called in messages.
func (r Rows) name() string { return filepath.Base(r.Feed.Path) }

// rower computes rows.
type rower struct {
	Rows
	source   Source
	composer Composer // nil without scenes
	fitting  suite.Fitting
	write    recipe.Feed
	chosen   map[int]bool
	fitted   suite.Image // image number at of the order, for its composites
	at       int
	batch    []rowImage
}

// rowImage is what is kept of an image of a batch.
type rowImage struct {
	number, height, width int
}

// compute runs batch by batch; the last one is filled up with its last image.
func (r Rows) compute(
	ctx context.Context, runner Runner, source Source, each func(k int, row []float64) error,
) (err error) {
	in := r.Feed.Input
	w := rower{Rows: r, source: source, chosen: map[int]bool{}, at: -1}
	if w.fitting, w.write, err = suite.Inputs(r.Prep, in.Layout, in.Channels, in.Height, in.Width); err != nil {
		return fmt.Errorf("%s: %w", r.name(), err)
	}
	if r.Scenes > 0 {
		var ok bool
		if w.composer, ok = source.(Composer); !ok {
			return fmt.Errorf("%s needs scenes, and these images have none", r.name())
		}
	}
	for _, k := range r.Chosen {
		w.chosen[k] = true
	}
	size := in.Channels * in.Height * in.Width
	for from := 0; from < r.Len(); from += in.Batch {
		count := min(in.Batch, r.Len()-from)
		input := runner.Input()
		w.batch = w.batch[:0]
		for x := range count {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := w.load(input[x*size:(x+1)*size], from+x); err != nil {
				return err
			}
		}
		for x := count; x < in.Batch; x++ {
			copy(input[x*size:(x+1)*size], input[(count-1)*size:count*size])
		}
		if err := runner.Run(ctx); err != nil {
			return err
		}
		for x := range count {
			row, err := w.row(runner, x)
			if err != nil {
				return err
			}
			if err := each(from+x, row); err != nil {
				return err
			}
		}
	}
	return nil
}

// load writes the image, or the composite, of row k as the network takes it.
func (w *rower) load(dst []float32, k int) error {
	scenes := max(1, w.Scenes)
	if w.at != k/scenes {
		number := w.Images[k/scenes]
		img, err := w.source.Image(number)
		if err != nil {
			return err
		}
		w.batch = append(w.batch, rowImage{number, img.Height, img.Width})
		if w.fitted, err = fit(img, w.fitting); err != nil {
			return fmt.Errorf("%s: image %s %w", w.name(), w.source.Name(number), err)
		}
		w.at = k / scenes
	} else {
		w.batch = append(w.batch, rowImage{number: w.Images[w.at]})
	}
	pix := w.fitted.Pix
	if w.composer != nil {
		pix = make([]float32, len(w.fitted.Pix))
		if err := w.composer.Compose(pix, w.fitted.Pix, w.Images[w.at], k%scenes+1, w.fitting); err != nil {
			return err
		}
	}
	w.write.Write(dst, pix)
	return nil
}

// row makes the numbers of image x of the batch.
func (w *rower) row(runner Runner, x int) ([]float64, error) {
	img, result := w.batch[x], 0
	if w.Numbers == Channels {
		result = 1
	}
	shape, values := runner.Result(result)
	batch := w.Feed.Input.Batch
	maps := w.Numbers == Elements || w.Numbers == Foreground
	if len(shape) < 2 || shape[0] != int64(batch) || len(values) == 0 || len(values)%batch != 0 || maps &&
		len(shape) != 4 {
		return nil, fmt.Errorf("%s gives results of shape %v, which cannot be used", w.name(), shape)
	}
	width := len(values) / batch
	values = values[x*width : (x+1)*width]
	for _, v := range values {
		if !finite(v) {
			return nil, fmt.Errorf("%s gives numbers that are not finite for image %s; it cannot be used", w.name(),
				w.source.Name(img.number))
		}
	}
	switch w.Numbers {
	case Elements:
		return w.elements(img, shape, values)
	case Foreground:
		mask := background.MaskOf(values, int(shape[1]), int(shape[2]), int(shape[3]), w.chosen)
		return RowOfMask(mask.Fit(suite.Fitting{Height: img.height, Width: img.width})), nil
	case Channels:
		return channelMeans(shape[1:], values)
	default:
		return sceneScores(values, w.Kind), nil
	}
}

func (w *rower) elements(img rowImage, shape []int64, values []float32) ([]float64, error) {
	var mask *background.Mask
	if masked, ok := w.source.(Masked); ok {
		found, err := masked.Mask(img.number, img.height, img.width)
		if err != nil {
			return nil, err
		}
		if found != nil {
			fitted := found.Fit(suite.Fitting{Height: int(shape[2]), Width: int(shape[3])})
			mask = &fitted
		}
	}
	counts := background.Counts(values, int(shape[1]), int(shape[2]), int(shape[3]), mask)
	row := make([]float64, len(counts))
	for k, n := range counts {
		row[k] = float64(n)
	}
	return row, nil
}

// RowOfMask is a mask as a row of Foreground.
func RowOfMask(m background.Mask) []float64 {
	row, run, on := []float64{float64(m.Height), float64(m.Width)}, 0, false
	for _, set := range m.Set {
		if set != on {
			row, run, on = append(row, float64(run)), 0, set
		}
		run++
	}
	return append(row, float64(run))
}

// MaskOfRow is the mask of a row of Foreground; ok is false for a row that is none.
func MaskOfRow(row []float64) (m background.Mask, ok bool) {
	if len(row) < 3 || row[0] < 1 || row[1] < 1 || row[0]*row[1] > MaxPixels {
		return m, false
	}
	m = background.Mask{Height: int(row[0]), Width: int(row[1])}
	m.Set = make([]bool, m.Height*m.Width)
	at, on := 0, false
	for _, run := range row[2:] {
		if run < 0 || run != math.Trunc(run) || run > float64(len(m.Set)-at) {
			return m, false
		}
		for range int(run) {
			m.Set[at] = on
			at++
		}
		on = !on
	}
	return m, at == len(m.Set)
}

// MaxPixels bounds the pixels of an image.
const MaxPixels = 1 << 30

// sceneScores are scores that sum to 1: probabilities are divided by their sum, all else goes
// through the softmax, which gives log-probabilities back their probabilities.
func sceneScores(row []float32, kind model.OutputKind) []float64 {
	if kind != model.Probabilities {
		return background.Scores(row)
	}
	sum := 0.0
	scores := make([]float64, len(row))
	for k, v := range row {
		scores[k] = math.Max(float64(v), 0)
		sum += scores[k]
	}
	for k := range scores {
		if sum > 0 {
			scores[k] /= sum
		}
	}
	return scores
}

// channelMeans are the means per channel of one image's tensor: channels x height x width over
// space, tokens x channels over the tokens, channels as they are. They are of float32, as a
// model's numbers are.
func channelMeans(shape []int64, values []float32) ([]float64, error) {
	channels, stride, step := 0, 1, 1 // value v of channel c lies at c*stride + v*step
	switch len(shape) {
	case 1:
		channels = int(shape[0])
	case 2:
		channels, step = int(shape[1]), int(shape[1])
	case 3:
		channels, stride = int(shape[0]), int(shape[1]*shape[2])
	}
	if channels < 1 || len(values)%channels != 0 || len(values) == 0 {
		return nil, fmt.Errorf("the tensor of %s has the shape %v per image; its channels can be told in CHANNELS, "+
			"TOKENS x CHANNELS and CHANNELS x HEIGHT x WIDTH", model.Head, shape)
	}
	each := len(values) / channels
	row := make([]float64, channels)
	for c := range row {
		sum := 0.0
		for v := range each {
			sum += float64(values[c*stride+v*step])
		}
		row[c] = float64(float32(sum / float64(each)))
	}
	return row, nil
}

// Fits says whether a row that another process gives can be one of the order.
func (r Rows) Fits(row []float64) bool {
	shape := []int64(nil)
	if len(r.Feed.Shapes) > 0 {
		shape = r.Feed.Shapes[0]
	}
	sum, wrong := 0.0, len(row) == 0
	for _, v := range row {
		wrong = wrong || math.IsNaN(v) || math.IsInf(v, 0)
		switch r.Numbers {
		case Elements:
			wrong = wrong || v < 0 || v != math.Trunc(v)
		case SceneScores:
			wrong = wrong || v < 0 || v > 1
		}
		sum += v
	}
	switch r.Numbers {
	case Elements:
		wrong = wrong || len(shape) == 4 && (int64(len(row)) != shape[1] || sum > float64(shape[2]*shape[3]))
	case SceneScores:
		wrong = wrong || len(shape) == 2 && int64(len(row)) != shape[1]
	case Foreground:
		_, ok := MaskOfRow(row)
		wrong = wrong || !ok
	}
	return !wrong
}
