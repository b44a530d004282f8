package traininglog

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
)

// curve names a curve as the log does: by its name and, of a log in several folders, the images
// that it was measured on (train, val, test), else "", and its folder.
type curve struct{ images, name, folder string }

// point is a value of a curve. Its epoch is NaN and its step negative where the log does not say.
type point struct {
	epoch, value float64
	step         int64
	file         int // number of the event file
}

// compare tells whether a point stands before (negative) or behind another of its curve.
func (p point) compare(q point) (where int) {
	if !math.IsNaN(p.epoch) && !math.IsNaN(q.epoch) {
		where = cmp.Compare(p.epoch, q.epoch)
	}
	if where == 0 && p.step >= 0 && q.step >= 0 {
		where = cmp.Compare(p.step, q.step)
	}
	return where
}

// builder makes a Log.
type builder struct {
	Log
	curves map[curve][]point  // those named epoch say which epoch a step belongs to
	again  map[string][]int64 // by folder: steps whose epochs were logged again although steps ran on
	points int
	texts  int // bytes of the texts that settings were looked for in
	wrong  int // values that are no finite numbers
}

// mostPoints and mostCurves bound what is kept of a log in memory.
const (
	mostPoints = 4_000_000
	mostCurves = 2000
)

// count counts a value of the log.
func (b *builder) count() error {
	if b.points++; b.points > mostPoints {
		return errManyValues
	}
	return nil
}

var (
	errManyValues = fmt.Errorf("it has more than %s values; log less often", result.Whole(mostPoints))
	errManyCurves = fmt.Errorf("it has more than %s curves; log fewer", result.Whole(mostCurves))
)

// tellsEpochs tells whether the values of a curve are epochs, as those of Lightning and
// transformers.
func (c curve) tellsEpochs() bool {
	return strings.TrimPrefix(strings.ToLower(c.name), "train/") == columnEpoch
}

// add takes a value of a curve, which was counted. A curve that falls back was logged again, by a
// training that began anew or went on from a checkpoint: what it had from there on is dropped, as
// TensorBoard does.
func (b *builder) add(c curve, p point) error {
	if math.IsNaN(p.value) || math.IsInf(p.value, 0) {
		b.wrong++
		return nil
	}
	points, known := b.curves[c]
	if !known && len(b.curves) == mostCurves {
		return errManyCurves
	}
	if c.tellsEpochs() {
		p.epoch = p.value
	}
	// anew: epochs begin again while steps run on
	kept, anew := len(points), false
	if kept > 0 && (p.compare(points[kept-1]) < 0 || p.file != points[kept-1].file) { // else of one place
		anew = p.epoch < points[kept-1].epoch && p.step > points[kept-1].step
		for kept > 0 && (p.compare(points[kept-1]) <= 0 || anew && p.epoch <= points[kept-1].epoch) {
			kept--
		}
	}
	if anew && c.tellsEpochs() {
		for _, q := range points[kept:] {
			b.again[c.folder] = append(b.again[c.folder], q.step)
		}
	}
	if kept < len(points) && p.epoch >= 0 {
		b.leave("earlier values", "logged again from epoch "+result.Number.Write(p.epoch))
	} else if kept < len(points) {
		b.leave("earlier values", "logged again from step "+result.Whole(p.step))
	}
	b.curves[c] = append(points[:kept], p)
	return nil
}

// words are the words of a name in small letters.
func words(name string) []string {
	between := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return strings.FieldsFunc(strings.ToLower(name), between)
}

// imageWords are the words for what a curve was measured on, measureWords those for what was
// measured, usualFields the names of settings, each with the name that it gets.
var (
	imageWords = map[string]string{
		"train": "train", "training": "train", "val": "val", "valid": "val", "validation": "val", "eval": "val",
		"evaluation": "val", "dev": "val", "test": "test", "testing": "test",
	}
	measureWords = map[string]string{
		"loss": "loss", "acc": "accuracy", "accuracy": "accuracy", "top1": "accuracy", "acc1": "accuracy",
		"binary_accuracy": "accuracy", "categorical_accuracy": "accuracy", "sparse_categorical_accuracy": "accuracy",
		"multiclass_accuracy": "accuracy", "multiclassaccuracy": "accuracy",
	}
	usualFields = map[string]string{
		"lr": fieldRate, "learning_rate": fieldRate, "base_lr": fieldRate, "init_lr": fieldRate,
		"initial_lr": fieldRate, "initial_learning_rate": fieldRate, "batch_size": "batch_size",
		"batchsize": "batch_size", "bs": "batch_size", "train_batch_size": "batch_size",
		"per_device_train_batch_size": "batch_size", fieldEpochs: fieldEpochs, "num_epochs": fieldEpochs,
		"n_epochs": fieldEpochs, "nb_epochs": fieldEpochs, "max_epochs": fieldEpochs, "num_train_epochs": fieldEpochs,
		"optimizer": "optimizer", "optim": "optimizer", "opt": "optimizer", "weight_decay": "weight_decay",
		"wd": "weight_decay", "momentum": "momentum", "seed": "seed", "arch": "architecture",
		"architecture": "architecture", "augmentation": "augmentation", "augmentations": "augmentation",
		"data_augmentation": "augmentation", "augment": "augmentation", "aug": "augmentation",
	}
)

const (
	fieldRate   = "learning_rate"
	fieldEpochs = "epochs"
)

// usual is the name that a curve gets, such as train_loss or val_accuracy, and how well it stands
// for that name: 0 for one that is by epoch, 2 for one that is by step.
func (c curve) usual() (name string, rank int) {
	list, images := words(c.name), c.images
	rank = 1
	if n := len(list); n > 1 && list[n-1] == "step" {
		list, rank = list[:n-1], 2
	}
	var rest []string
	for _, word := range list {
		switch {
		case imageWords[word] != "" && images == "":
			images = imageWords[word]
		case word == "epoch" && len(list) > 1:
			rank = 0
		default:
			rest = append(rest, word)
		}
	}
	if name = strings.Join(rest, "_"); rank == 2 && measureWords[name] == "" {
		name, rank = name+"_step", 1
	}
	switch {
	case name == "lr" || name == fieldRate || len(rest) == 2 && rest[0] == "lr":
		return fieldRate, rank
	case measureWords[name] != "":
		return cmp.Or(images, "train") + "_" + measureWords[name], rank
	case images != "" && name != "":
		name = images + "_" + name
	}
	return cmp.Or(name, images), rank
}

// finish makes the curves, and the fields that follow from them.
func (b *builder) finish() {
	b.forget()
	at := b.axis()
	maps.DeleteFunc(b.curves, func(c curve, _ []point) bool { return c.tellsEpochs() })
	b.named(at)
	if b.wrong > 0 {
		b.leave(result.Counted(b.wrong, "value"), "no finite number")
	}
	if !b.Steps && len(b.Curves) > 0 {
		first, last := b.Curves[0].Epoch, b.Curves[len(b.Curves)-1].Epoch
		b.field(fieldEpochs, strconv.Itoa(last-min(first, 1)+1), false)
	}
}

// forget drops what belongs to epochs that were logged again: the values at steps whose next epoch
// is one that add has dropped.
func (b *builder) forget() {
	next := func(steps []int64, step int64) int64 {
		if k, _ := slices.BinarySearch(steps, step); k < len(steps) {
			return steps[k]
		}
		return math.MaxInt64
	}
	for folder, dropped := range b.again {
		var kept []int64
		for c, points := range b.curves {
			for _, p := range points {
				if c.folder == folder && c.tellsEpochs() {
					kept = append(kept, p.step)
				}
			}
		}
		slices.Sort(kept)
		slices.Sort(dropped)
		for c, points := range b.curves {
			if c.folder != folder || c.tellsEpochs() {
				continue
			}
			b.curves[c] = slices.DeleteFunc(points, func(p point) bool {
				return math.IsNaN(p.epoch) && p.step >= 0 && next(dropped, p.step) < next(kept, p.step)
			})
		}
	}
	maps.DeleteFunc(b.curves, func(_ curve, points []point) bool { return len(points) == 0 })
}

// percent is what the values of an accuracy are divided by: 100 where they are percentages, which
// some value above 1 shows, else 1.
func (b *builder) percent(name string, points []point) float64 {
	const rounding = 1e-3 // above 1, of a share
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		low, high = min(low, p.value), max(high, p.value)
	}
	switch {
	case high <= 1+rounding || !strings.HasSuffix(name, "accuracy"):
		return 1
	case low < 0 || high > 100+rounding:
		b.remark(name + " holds values that are neither shares nor percentages; it is kept as it is")
		return 1
	}
	b.remark(name + " is in percent; its values are divided by 100")
	return 100
}

// named gives the curves their names and puts their values where at says; of several values at one
// place it takes the mean.
func (b *builder) named(at func(point) int) {
	order := slices.SortedFunc(maps.Keys(b.curves), func(a, c curve) int {
		_, rankA := a.usual()
		_, rankC := c.usual()
		longer := cmp.Compare(len(b.curves[c]), len(b.curves[a]))
		name := cmp.Compare(a.images+"/"+a.name, c.images+"/"+c.name)
		return cmp.Or(cmp.Compare(rankA, rankC), longer, name, cmp.Compare(a.folder, c.folder))
	})
	type sum struct{ total, count float64 }
	taken, sums, rate := map[string]bool{}, map[int]map[string]sum{}, math.Inf(-1)
	for _, c := range order {
		name, rank := c.usual()
		if taken[name] && rank == 2 {
			b.leave(c.name, name+" is the same by epoch")
			continue
		}
		if taken[name] {
			name = strings.Join(words(strings.TrimPrefix(c.images+" "+c.name, " ")), "_")
		}
		switch {
		case name == "" || taken[name] || len(name) > longestField:
			b.leave(c.name, "another curve has its name, or it has none that can be used")
			continue
		case strings.HasSuffix(name, "_runtime") || strings.HasSuffix(name, "_per_second") || name == "hp_metric":
			b.leave(c.name, "it says nothing of the model")
			continue
		}
		taken[name] = true
		scale := b.percent(name, b.curves[c])
		for _, p := range b.curves[c] {
			k := at(p)
			if sums[k] == nil {
				sums[k] = map[string]sum{}
			}
			s := sums[k][name]
			sums[k][name] = sum{s.total + p.value/scale, s.count + 1}
			if name == fieldRate {
				rate = max(rate, p.value)
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(sums)) {
		e := model.Epoch{Epoch: k, Values: map[string]float64{}}
		for name, s := range sums[k] {
			if mean := s.total / s.count; !math.IsInf(mean, 0) {
				e.Values[name] = mean
			}
		}
		b.Curves = append(b.Curves, e)
	}
	if rate > 0 {
		b.field(fieldRate, result.Number.Write(rate), false)
	}
}

// mostPlaces is how many steps a curve has before they are put together, mostEpochs how many steps
// that follow each other are taken for epochs: more of them are rather batches.
const (
	mostPlaces = 1000
	mostEpochs = 300
)

// axis decides what the curves are over, and says where on it a point stands. A step belongs to
// the epoch of the next step of which the log says it. Where a log tells no epochs, steps one
// by one from 0 or 1 are taken for them. Parts of an epoch belong to the one that they lead to.
func (b *builder) axis() func(point) int {
	steps, epochs := map[int64]bool{}, map[int64]float64{}
	for c, points := range b.curves {
		for _, p := range points {
			if p.step >= 0 && !c.tellsEpochs() {
				steps[p.step] = true
			}
			if p.step >= 0 && !math.IsNaN(p.epoch) {
				epochs[p.step] = max(epochs[p.step], p.epoch)
			}
		}
	}
	known, order := slices.Sorted(maps.Keys(epochs)), slices.Sorted(maps.Keys(steps))
	epoch := func(p point) int {
		e := p.epoch
		if k, _ := slices.BinarySearch(known, p.step); math.IsNaN(e) && len(known) > 0 {
			e = epochs[known[min(k, len(known)-1)]]
		}
		const slack = 1e-6 // of fractions such as 2.0000000001
		return int(max(0, min(math.Ceil(e-slack), math.MaxInt32)))
	}
	if len(known) == 0 && len(order) == 0 {
		return epoch
	}
	seen := map[int]bool{}
	for _, step := range known {
		seen[epoch(point{epoch: epochs[step]})] = true
	}
	if len(seen) > 1 || len(known) > 0 && len(order) < 3 {
		return epoch
	}
	n := int64(len(order))
	if len(known) == 0 && n <= mostEpochs && order[0] <= 1 && order[n-1]-order[0] == n-1 {
		b.remark(fmt.Sprintf("it names no epochs; its steps (%d, from %d on) are taken for them", n, order[0]))
		return func(p point) int { return int(max(p.step, 0)) }
	}
	b.Steps = true
	width := int64(1)
	if n > mostPlaces {
		width = order[n-1]/mostPlaces + 1
	}
	return func(p point) int { return int(min((max(p.step, 0)+width-1)/width*width, math.MaxInt32)) }
}
