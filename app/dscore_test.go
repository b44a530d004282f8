package app_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/dscore"

	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/protobuf/encoding/protowire"
)

// dscoreJSON is what the tests read of dscore --json, put together from its sheets.
type dscoreJSON struct {
	Scores  []dscoreScore
	LeftOut []map[string]any
	Sheets  map[string][]map[string]any
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *dscoreJSON) UnmarshalJSON(data []byte) error {
	var doc struct {
		Schema  string
		Version int
		Options struct{ Samples, Seed int }
		Sheets  []struct {
			Name string
			Rows []map[string]any
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	if doc.Schema != "variscope.dscore" || doc.Version != 1 || doc.Options.Seed == 0 {
		return fmt.Errorf("schema %s, version %d, seed %d", doc.Schema, doc.Version, doc.Options.Seed)
	}
	d.Sheets = map[string][]map[string]any{}
	for _, s := range doc.Sheets {
		d.Sheets[s.Name] = s.Rows
	}
	d.LeftOut = d.Sheets["left_out"]
	for _, row := range d.Sheets["scores"] {
		s := dscoreScore{row: row, intervals: doc.Options.Samples > 0}
		for _, r := range d.Sheets["regions"] {
			if r["model_id"] == row["model_id"] && r["suite"] == row["suite"] && r["n"] == row["n"] && r["t"] == row["t"] {
				s.regions = append(s.regions, r)
			}
		}
		s.fill()
		d.Scores = append(d.Scores, s)
	}
	return nil
}

// dscoreScore is a row of scores with its rows of regions.
type dscoreScore struct {
	row                                    map[string]any
	regions                                []map[string]any
	intervals                              bool
	Model                                  string
	N, T, Images, Classes                  int
	Baseline                               float64
	Variants, Shifted, Features, Attention []float64
	Robust, Fitness, DScore, Bound, P      float64
	Flags                                  []string
}

func (s *dscoreScore) fill() {
	whole := func(key string) int { return int(number(s.row, key)) }
	list := func(key string) (values []float64) {
		for _, r := range s.regions {
			values = append(values, number(r, key))
		}
		return values
	}
	s.Model = s.row["model_id"].(string)
	s.N, s.T, s.Images, s.Classes = whole("n"), whole("t"), whole("images"), whole("classes")
	s.Baseline, s.Robust, s.Fitness = number(s.row, "baseline_accuracy"), number(s.row, "v_robust"),
		number(s.row, "v_fitness")
	s.DScore, s.Bound, s.P = number(s.row, "d_score"), number(s.row, "g"), number(s.row, "p")
	s.Variants, s.Shifted = list("variant_accuracy"), list("shifted_accuracy")
	s.Features, s.Attention = list("feature"), list("attention")
	if flags, ok := s.row["flags"].(string); ok {
		s.Flags = strings.Split(flags, ";")
	}
}

// scoresCommand is `scores FILE COUNT` of the scripts: the document holds COUNT scores, and each
// of them follows from its accuracies by the formulas of spec/dscore.md, written down here once
// more.
func scoresCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: scores FILE COUNT")
	}
	var read dscoreJSON
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &read))
	if want, err := strconv.Atoi(args[1]); err != nil || len(read.Scores) != want {
		ts.Fatalf("%d scores, want %s", len(read.Scores), args[1])
	}
	for _, one := range read.Scores {
		if fault := one.fault(); fault != "" {
			ts.Fatalf("%s, n = %d, t = %d: %s: %+v", one.Model, one.N, one.T, fault, one)
		}
	}
}

// fault says what is wrong with a score; empty for nothing.
func (s dscoreScore) fault() string {
	regions := s.N * s.N
	if len(s.Variants) != regions || len(s.Shifted) != regions || len(s.Features) != regions || len(s.Attention) != regions {
		return "lists of the wrong length"
	}
	for _, accuracy := range append(append([]float64{s.Baseline}, s.Variants...), s.Shifted...) {
		if hits := accuracy * float64(s.Images); accuracy < 0 || accuracy > 1 || !near(hits, math.Round(hits), 1e-9) {
			return "an accuracy that is no share of the images"
		}
	}
	for _, step := range []func() string{s.faultOfScore, s.faultOfSizes, s.faultOfIntervals} {
		if fault := step(); fault != "" {
			return fault
		}
	}
	return ""
}

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

// faultOfScore follows Eq. 1 to 7.
func (s dscoreScore) faultOfScore() string {
	n := float64(s.N)
	even := 1 / (n * n)
	var lost, seen float64
	for i := range s.Variants {
		lost, seen = lost+max(s.Baseline-s.Variants[i], 0), seen+s.Shifted[i]
	}
	var sums [4]float64
	for i := range s.Variants {
		f, a := even, even
		if lost > 0 {
			f = max(s.Baseline-s.Variants[i], 0) / lost
		}
		if seen > 0 {
			a = s.Shifted[i] / seen
		}
		if !near(f, s.Features[i], 1e-12) || !near(a, s.Attention[i], 1e-12) {
			return "a share that does not follow from the accuracies"
		}
		for k, d := range []float64{f - even, a - even, s.Shifted[i] - s.Baseline, f - a} {
			sums[k] += d * d
		}
	}
	robust := even * (math.Sqrt(sums[0]) + math.Sqrt(sums[1]) + math.Sqrt(sums[2]))
	fitness := s.Baseline - even*math.Sqrt(sums[3])
	c := float64(s.Classes)
	bound := 2*math.Sqrt(n*n-1)/(n*n*n) + (c-1)/(c*n)
	switch {
	case !near(total(s.Features), 1, 1e-12) || !near(total(s.Attention), 1, 1e-12):
		return "shares that do not sum to 1"
	case !near(s.Robust, robust, 1e-12) || !near(number(s.row, "robust_features")+number(s.row,
		"robust_attention")+number(s.row, "robust_shift"), robust, 1e-12):
		return "v_robust"
	case !near(s.Fitness, fitness, 1e-12) || !near(s.DScore, fitness-robust, 1e-12):
		return "v_fitness or D-Score"
	case !near(s.Bound, bound, 1e-12) || !near(s.P, min(1, robust/bound), 1e-12):
		return "g or p"
	case (len(s.Flags) == 0) != (lost > 0 && seen > 0 && robust <= bound):
		return "flags"
	}
	return ""
}

func total(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += v
	}
	return sum
}

// faultOfSizes follows sections 2 and 4.
func (s dscoreScore) faultOfSizes() string {
	for k, side := range []string{"height", "width"} {
		size, shifted := number(s.row, "image_"+side), number(s.row, "shifted_"+side)
		step := math.Floor(size / float64(s.T))
		for i, r := range s.regions {
			before, after := number(r, []string{"top", "left"}[k]), number(r, []string{"bottom", "right"}[k])
			if number(r, "region") != float64(i+1) || before != float64([]int{i / s.N, i % s.N}[k])*step ||
				size+before+after != shifted {
				return "padding of region " + strconv.Itoa(i+1)
			}
		}
		if number(s.row, "padded_"+side) != size+math.Floor(s.P*size+0.5) {
			return "augmentation"
		}
	}
	return ""
}

func (s dscoreScore) faultOfIntervals() string {
	within := func(row map[string]any, key string) bool {
		return number(row, key+"_low") <= number(row, key) && number(row, key) <= number(row, key+"_high")
	}
	if !s.intervals {
		if s.row["baseline_accuracy_low"] != nil || s.row["interval_reason"] != nil {
			return "intervals that nobody asked for"
		}
		return ""
	}
	some := s.row["d_score_low"] != nil
	if !within(s.row, "baseline_accuracy") || some != (s.row["interval_reason"] == nil) ||
		some != (s.Images >= dscore.MinImages) ||
		some && !within(s.row, "d_score") {
		return "intervals"
	}
	for _, r := range s.regions {
		if !within(r, "loss") {
			return "interval of a loss"
		}
	}
	return ""
}

// plainCommand is `plain FILE` of the scripts: a model for 64 x 64 images without any convolution,
// the mean of each channel.
func plainCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: plain FILE")
	}
	value := func(name string, dims ...uint64) []byte {
		var shape []byte
		for _, d := range dims {
			dim := field(nil, 2, []byte("N"))
			if d > 0 {
				dim = protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), d)
			}
			shape = field(shape, 1, dim)
		}
		kind := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1) // float32
		return field(field(nil, 1, []byte(name)), 2, field(nil, 1, field(kind, 2, shape)))
	}
	node := func(op, in, out string) []byte {
		return field(field(field(nil, 1, []byte(in)), 2, []byte(out)), 4, []byte(op))
	}
	graph := field(field(nil, 1, node("GlobalAveragePool", "x", "mean")), 1, node("Flatten", "mean", "y"))
	graph = field(field(field(graph, 2, []byte("plain")), 11, value("x", 0, 3, 64, 64)), 12, value("y", 0, 3))
	opset := protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), 13)
	file := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 7)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), field(field(file, 7, graph), 8, opset), 0o644))
}

// field appends a length-delimited field of a protobuf message.
func field(b []byte, number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), content)
}
