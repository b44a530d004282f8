package export

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
)

// Item is one model of the exported set.
type Item struct {
	model.Model
	// Known is false for a model of a round that is not in the workspace; only its hash is known then.
	Known bool
	State string // of its signals: none, partial, ready, stale
	// Accuracy is the share of right predictions per transformation over the chosen images, nil when there are no labels
	// or signals; Robust is robust accuracy (correct_product of spec/assessors.md).
	Accuracy        []float64
	Robust          float64
	Images, Skipped int // chosen by the view's filter; left out of the suite as corrupt
	// Matrices are those of the view's modalities that the model has, by name; Absent gives the others' reasons.
	Matrices map[string]variance.Matrix
	Absent   map[string]string
	// Inference says what the signals were computed with: "ONNX Runtime 1.27.0, amd64 avx2, batch 32".
	Inference string
}

// name is what the item is called in files.
func (it Item) name() string {
	if it.ID != "" {
		return it.ID
	}
	return short(it.Hash)
}

// zooColumns come first in models.csv, in their order, as far as some model has them. Other columns of the training records follow.
var zooColumns = []string{
	"id", "fold", "architecture", "parameters", "input_shape", "output_kind", "mean", "std", "learning_rate", "epochs",
	"batch_size", "optimizer", "augmentation", "augmentation_range", "anomaly", "adversarial", "train_size", "seed",
	"train_accuracy", "test_accuracy", "robust_accuracy", "rule_label", "tested", "batchnorm", "anomaly_detail", "rule_reason",
}

// ownColumns come last: what was measured here. They replace columns of these names in a training record.
var ownColumns = []string{
	"model_hash", "state", "images", "skipped", "measured_accuracy", "measured_robust_accuracy", "absent",
}

// ModelsCSV writes models.csv: the columns of zooColumns and of the training records of which some model has a value, the latter in
// order of appearance, then state and scores. Where a record is silent about shape, size or preprocessing, the setting in force is written;
// a setting that the user has corrected takes the place of the record's. measured_accuracy is that under the identity,
// measured_robust_accuracy is correct_product.
func ModelsCSV(w io.Writer, items []Item) error {
	candidates := slices.Clone(zooColumns)
	for _, it := range items {
		for _, f := range it.Record {
			if !slices.Contains(candidates, f.Name) && !slices.Contains(ownColumns, f.Name) {
				candidates = append(candidates, f.Name)
			}
		}
	}
	known := make([]settings, len(items))
	for k, it := range items {
		known[k] = inForce(it)
	}
	var columns, header []string
	for _, c := range candidates {
		stated := c == "id"
		for k, it := range items {
			stated = stated || known[k].cell(it, c) != ""
		}
		if stated {
			columns, header = append(columns, c), append(header, comma.Guard(c))
		}
	}
	t := newTable(w, append(header, ownColumns...))
	for k, it := range items {
		cells := make([]string, 0, len(columns)+len(ownColumns))
		for _, c := range columns {
			cells = append(cells, comma.Cell(known[k].cell(it, c)))
		}
		t.row(append(cells, it.scores()...))
	}
	return t.finish()
}

func (it Item) scores() []string {
	images, skipped, accuracy, robust := "", "", "", ""
	if it.Images > 0 {
		images, skipped = strconv.Itoa(it.Images), strconv.Itoa(it.Skipped)
	}
	if n := len(it.Accuracy); n > 0 {
		accuracy, robust = number(it.Accuracy[n/2]), number(it.Robust)
	}
	return []string{it.Hash, it.State, images, skipped, accuracy, robust, comma.Guard(strings.Join(slices.Sorted(maps.Keys(it.Absent)), ";"))}
}

// settings are the cells that the settings in force give: instead of the record's (corrected), or where it is silent.
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

// inForce derives them. A default that nobody stated is not written: it would come back as the record's word.
func inForce(it Item) settings {
	s := settings{corrected: map[string]string{}, silent: map[string]string{}}
	if !it.Known {
		return s
	}
	s.silent["parameters"] = strconv.FormatInt(it.Graph.Parameters, 10)
	if in := it.Graph.Input; in.Channels > 0 && in.Height > 0 && in.Width > 0 {
		s.silent["input_shape"] = strings.Join([]string{strconv.Itoa(in.Channels), strconv.Itoa(in.Height), strconv.Itoa(in.Width)}, "x")
	}
	force, err := it.Settings()
	if err != nil { // a record that cannot be read is written as it is
		return s
	}
	s.put(force.KindBy, "output_kind", string(force.OutputKind))
	s.put(force.NormBy, "mean", numbers(force.Preprocessing.Mean))
	s.put(force.NormBy, "std", numbers(force.Preprocessing.Std))
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
		texts[k] = number(v)
	}
	return strings.Join(texts, ";")
}
