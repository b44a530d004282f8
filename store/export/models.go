package export

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

// Item is one model of the exported set.
type Item struct {
	model.Model
	// Known is false for a model of a round that is not in the workspace; only its hash is known
	// then.
	Known bool
	State string // of its signals: none, partial, ready, stale
	// Accuracy is the share of right predictions per transformation over the chosen images, nil
	// when there are no labels or signals; Robust is robust accuracy (correct_product of
	// spec/assessors.md).
	Accuracy        []float64
	Robust          float64
	Images, Skipped int // chosen by the view's filter; left out of the suite as corrupt
	// Matrices are those of the view's modalities that the model has, by name; Absent gives the
	// others' reasons.
	Matrices map[string]variance.Matrix
	Absent   map[string]string
	// Problem is why the model or its signals cannot be read, nil for none.
	Problem error
	// Inference says what the signals were computed with: "ONNX Runtime 1.27.0, amd64 avx2, batch
	// 32".
	Inference string
	set       store.SetInfo // of the signals; empty where there are none
}

// name is what the item is called in files.
func (it Item) name() string {
	if it.ID != "" {
		return it.ID
	}
	return short(it.Hash)
}

// zooColumns come first in models.csv, in their order, as far as some model has them. Other
// columns of the training records follow.
var zooColumns = []string{
	"id", "fold", "architecture", "parameters", "input_shape", "output_kind", "mean", "std", "recipe", "learning_rate",
	"epochs", "batch_size", "optimizer", "augmentation", "augmentation_range", "anomaly", "adversarial", "train_size",
	"seed", "train_accuracy", "test_accuracy", "robust_accuracy", "rule_label", "tested", "batchnorm", "anomaly_detail",
	"rule_reason",
}

// measured says what was found here of an item: the last columns of models.csv.
func measured(v View) []result.Column[Item] {
	number := func(
		key, help string, format result.Format, is func(Item) bool, of func(Item) float64,
	) result.Column[Item] {
		return result.Numbers(key, key, help, format, func(it Item) float64 {
			if !is(it) {
				return math.NaN()
			}
			return of(it)
		})
	}
	seen := func(it Item) bool { return it.Images > 0 }
	labelled := func(it Item) bool { return len(it.Accuracy) > 0 }
	about := subject.Subject{Suite: v.SuiteName, SuiteHash: v.Suite, Family: v.Family}
	return append(result.Lift(subject.Columns[1:], func(it Item) subject.Subject {
		about.ModelHash = it.Hash
		return about
	}),
		result.Texts("state", "state", "of the signals", func(it Item) string { return it.State }),
		number("images", "images that count", result.Count, seen, func(it Item) float64 { return float64(it.Images) }),
		number("skipped", "corrupt images of the suite", result.Count, seen,
			func(it Item) float64 { return float64(it.Skipped) }),
		number("measured_accuracy", "accuracy without transformation", result.Share, labelled,
			func(it Item) float64 { return it.Accuracy[len(it.Accuracy)/2] }),
		number("measured_robust_accuracy", "share of images that are right under all transformations",
			result.Share, labelled,
			func(it Item) float64 { return it.Robust }),
		result.Texts("absent", "absent", "matrices that the model lacks",
			func(it Item) string { return strings.Join(slices.Sorted(maps.Keys(it.Absent)), ";") }))
}

// Measured are the keys of the columns of models.csv that are no part of a training record.
func Measured() (keys []string) {
	for _, c := range measured(View{}) {
		keys = append(keys, c.Key)
	}
	return keys
}

// ModelSheet is models.csv of a view: the columns of zooColumns and of the training records of
// which some model has a value, the latter in order of appearance and those that are called like
// one of ours by result.RecordKey, then what was measured. Where a record is silent about shape,
// size or preprocessing, the setting in force is written; a setting that the user has corrected
// takes the place of the record's.
func ModelSheet(v View) *result.Sheet {
	own := measured(v)
	names := slices.Clone(zooColumns)
	known := map[string]settings{}
	for _, it := range v.Items {
		known[it.Hash] = inForce(it)
		for _, f := range it.Record {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	var columns []result.Column[Item]
	for _, name := range names {
		cell := func(it Item) string { return known[it.Hash].cell(it, name) }
		if name != "id" && !slices.ContainsFunc(v.Items, func(it Item) bool { return cell(it) != "" }) {
			continue
		}
		key := name
		if slices.ContainsFunc(own, func(c result.Column[Item]) bool { return c.Key == name }) {
			key = result.RecordKey(name)
		}
		columns = append(columns, result.Texts(key, name, "of the training record", cell))
	}
	return result.Table[Item]{
		Name: "models", Title: "Models", Noun: "model", ID: func(it Item) string { return it.Hash },
		Columns: append(columns, own...),
	}.Sheet(v.Items)
}

// settings are the cells that the settings in force give: instead of the record's (corrected), or
// where it is silent.
type settings struct{ corrected, silent map[string]string }

func (s settings) cell(it Item, column string) string {
	if column == "id" {
		return it.name()
	}
	if text, ok := s.corrected[column]; ok {
		return text
	}
	if text := it.Value(column); text != "" {
		return text
	}
	return s.silent[column]
}

// inForce derives them. A default that nobody stated is not written: it would come back as the
// record's word.
func inForce(it Item) settings {
	s := settings{corrected: map[string]string{}, silent: map[string]string{}}
	if !it.Known {
		return s
	}
	s.silent["parameters"] = strconv.FormatInt(it.Graph.Parameters, 10)
	if in := it.Graph.Input; in.Channels > 0 && in.Height > 0 && in.Width > 0 {
		s.silent["input_shape"] = strings.Join([]string{
			strconv.Itoa(in.Channels), strconv.Itoa(in.Height), strconv.Itoa(in.Width),
		}, "x")
	}
	force, err := it.Settings()
	if err != nil { // a record that cannot be read is written as it is
		return s
	}
	s.put(force.KindBy, "output_kind", string(force.OutputKind))
	if force.Preprocessing.Recipe != "" { // mean and std mean nothing without the rest of it
		s.put(force.By(recipe.All), "recipe", force.Recipe.Text())
	} else {
		s.put(force.NormBy, "mean", numbers(force.Preprocessing.Mean))
		s.put(force.NormBy, "std", numbers(force.Preprocessing.Std))
	}
	s.put(force.NamesBy, "class_names", strings.Join(force.ClassNames, ";"))
	return s
}

func (s settings) put(by model.Authority, column, text string) {
	switch by {
	case model.ByUser:
		s.corrected[column] = text
	case model.ByDefault:
	default:
		s.silent[column] = text
	}
}

func numbers(list []float64) string {
	texts := make([]string, len(list))
	for k, v := range list {
		texts[k] = result.Number.Write(v)
	}
	return strings.Join(texts, ";")
}
