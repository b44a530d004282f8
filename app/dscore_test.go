package app_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"

	"github.com/variscope/variscope/engine/dscore"

	"github.com/rogpeppe/go-internal/testscript"
	"google.golang.org/protobuf/encoding/protowire"
)

// dscoreJSON is what the tests read of dscore --json.
type dscoreJSON struct {
	Scores  []dscoreScore `json:"scores"`
	LeftOut []struct {
		Model  string `json:"model_id"`
		Reason string `json:"reason"`
	} `json:"left_out"`
}

type dscoreScore struct {
	Model     string    `json:"model_id"`
	N         int       `json:"n"`
	T         int       `json:"t"`
	Images    int       `json:"images"`
	Classes   int       `json:"classes"`
	Baseline  float64   `json:"baseline_accuracy"`
	Variants  []float64 `json:"variant_accuracy"`
	Shifted   []float64 `json:"shifted_accuracy"`
	Features  []float64 `json:"feature_distribution"`
	Attention []float64 `json:"attention_distribution"`
	Terms     []float64 `json:"robust_terms"`
	Robust    float64   `json:"v_robust"`
	Fitness   float64   `json:"v_fitness"`
	DScore    float64   `json:"d_score"`
	Bound     float64   `json:"g"`
	P         float64   `json:"p"`
	Flags     []string  `json:"flags"`
	Intervals *struct {
		Baseline [2]float64   `json:"baseline_accuracy"`
		DScore   *[2]float64  `json:"d_score"`
		Reason   string       `json:"reason"`
		Loss     [][2]float64 `json:"loss"`
	} `json:"intervals"`
	Size    [2]int `json:"image_size"`
	Padded  [2]int `json:"padded_size"`
	Padding []struct {
		Region, Top, Bottom, Left, Right int
	} `json:"padding"`
	Augmentation struct {
		P      float64 `json:"p"`
		Total  [2]int  `json:"total"`
		Padded [2]int  `json:"padded_size"`
	} `json:"augmentation"`
}

// scoresCommand is `scores FILE COUNT` of the scripts: the document holds COUNT scores, and each of them follows from its
// accuracies by the formulas of spec/dscore.md, written down here once more.
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
	case !near(s.Robust, robust, 1e-12) || !near(total(s.Terms), robust, 1e-12):
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
	if len(s.Padding) != s.N*s.N {
		return "paddings"
	}
	for i, p := range s.Padding {
		r, c := i/s.N, i%s.N
		if p.Region != i+1 || p.Top != r*(s.Size[0]/s.T) || p.Left != c*(s.Size[1]/s.T) ||
			s.Size[0]+p.Top+p.Bottom != s.Padded[0] || s.Size[1]+p.Left+p.Right != s.Padded[1] {
			return "padding of region " + strconv.Itoa(i+1)
		}
	}
	for side := range s.Size {
		whole := int(math.Floor(s.P*float64(s.Size[side]) + 0.5))
		if s.Augmentation.P != s.P || s.Augmentation.Total[side] != whole || s.Augmentation.Padded[side] != s.Size[side]+whole {
			return "augmentation"
		}
	}
	return ""
}

func (s dscoreScore) faultOfIntervals() string {
	in := s.Intervals
	if in == nil {
		return ""
	}
	if len(in.Loss) != s.N*s.N || in.Baseline[0] > s.Baseline || in.Baseline[1] < s.Baseline || (in.DScore == nil) != (in.Reason != "") ||
		(in.DScore == nil) != (s.Images < dscore.MinImages) || in.DScore != nil && !(in.DScore[0] < in.DScore[1]) {
		return "intervals"
	}
	for i, loss := range in.Loss {
		if v := s.Baseline - s.Variants[i]; loss[0] > v || loss[1] < v {
			return "interval of a loss"
		}
	}
	return ""
}

// plainCommand is `plain FILE` of the scripts: a model for 64 x 64 images without any convolution, the mean of each channel.
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
