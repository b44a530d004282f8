package speed

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
)

// Results is the table of what was measured.
var Results = result.Table[Result]{
	Name: "bench", Title: "Speed", Noun: "model", ID: func(r Result) string { return r.Model },
	Columns: []result.Column[Result]{
		result.Texts("model_id", "model", "name of the model", func(r Result) string { return r.Model }),
		result.Numbers("images_per_s", "images/s",
			"images x transformations per second of a run, from images to signals on disk",
			result.Count, func(r Result) float64 { return r.PerSecond }),
		result.Numbers("ceiling_images_per_s", "ceiling", "the same of the library alone", result.Count,
			func(r Result) float64 { return r.CeilingPerSecond }),
		result.Numbers("ratio", "ratio", "speed of a run by the ceiling, median of the rounds", result.Number,
			func(r Result) float64 { return r.Ratio }),
		share("transform", "decoding, transforming and normalising images",
			func(s engine.Timings) time.Duration { return s.Decode + s.Transform }),
		share("decode", "decoding alone", func(s engine.Timings) time.Duration { return s.Decode }).In(result.FileOnly),
		share("infer", "inference", func(s engine.Timings) time.Duration { return s.Infer }),
		share("reduce", "making signals of tensors", func(s engine.Timings) time.Duration { return s.Reduce }),
		share("store", "writing signals", func(s engine.Timings) time.Duration { return s.Store }),
		result.Counts("batch", "batch", "images per inference of a run", func(r Result) int { return r.Batch }),
		result.Counts("ceiling_batch", "ceiling batch", "images per inference of the ceiling",
			func(r Result) int { return r.CeilingBatch }),
		result.Texts("suite", "suite", "name of the test suite", func(r Result) string { return r.Suite }),
		result.Counts("images", "images", "of a round", func(r Result) int { return r.Images }),
		result.Counts("inferences", "inferences", "of a round: images x transformations",
			func(r Result) int { return r.Inferences }).In(result.FileOnly),
		result.Counts("workers", "workers", "goroutines of a run",
			func(r Result) int { return r.Workers }).In(result.FileOnly),
		result.Texts("ratios", "ratios", "of all rounds, in their order", func(r Result) string {
			list := make([]string, len(r.Ratios))
			for k, ratio := range r.Ratios {
				list[k] = result.Number.Write(ratio)
			}
			return strings.Join(list, "; ")
		}).In(result.FileOnly),
		result.Texts("absent", "absent", "positions that the model does not have",
			func(r Result) string { return strings.Join(r.Absent, "; ") }).In(result.FileOnly),
	},
}

// share is a column of a part of the workers' time.
func share(key, help string, part func(engine.Timings) time.Duration) result.Column[Result] {
	return result.Numbers(key, key, "share of the workers' time: "+help, result.Share, func(r Result) float64 {
		if total := r.Timings.Total(); total > 0 {
			return float64(part(r.Timings)) / float64(total)
		}
		return 0
	})
}

// Computer is where models were measured. PeakBytes is the largest memory that the process has
// held, NaN where the system does not tell.
type Computer struct {
	Processors int
	Level      string // instruction set
	PeakBytes  float64
}

// Computers is the table of computers; it has one row.
var Computers = result.Table[Computer]{
	Name: "computer", Title: "Computer", Noun: "computer", ID: func(c Computer) string { return c.Level },
	Columns: []result.Column[Computer]{
		result.Counts("processors", "processors", "that the program may use",
			func(c Computer) int { return c.Processors }),
		result.Texts("instruction_set", "instruction set", "that the program uses",
			func(c Computer) string { return c.Level }),
		result.Numbers("peak_memory", "peak memory", "bytes that the process held at most", result.Bytes,
			func(c Computer) float64 { return c.PeakBytes }),
	},
}

// The scale of the paper's study, and the computer that it is extrapolated to.
const (
	scaleModels          = 600
	scaleTransformations = 31
	scaleImages          = 10_000
	scaleInferences      = scaleModels * scaleTransformations * scaleImages
	scaleCores           = 16
)

// Scale is how many seconds a study of the paper's scale takes with models like one that was
// measured, and how many bytes lie on disk afterwards. OnCores assumes that every further doubling
// of the workers gains what was measured, AtBest that it gains 2; both, that each core has the
// clock, cache and memory bandwidth of those here.
type Scale struct {
	Result
	Here, OnCores, AtBest, Bytes float64
	// GainPerDoubling is how much faster twice the workers are: 2 would be no loss at all.
	GainPerDoubling float64
}

// Scale extrapolates. With one worker there is nothing to see of what more of them gain: 2 is
// assumed.
func (r Result) Scale() Scale {
	s := Scale{
		Result: r, Here: scaleInferences / r.PerSecond, GainPerDoubling: 2,
		Bytes: float64(r.Bytes) / float64(r.Inferences) * scaleInferences,
	}
	if r.Workers > 1 && r.Gain > 0 { // a measured loss is taken for no gain
		s.GainPerDoubling = min(2, max(1, math.Pow(r.Gain, 1/math.Log2(float64(r.Workers)))))
	}
	more := float64(scaleCores) / float64(r.Workers)
	s.OnCores, s.AtBest = s.Here/math.Pow(s.GainPerDoubling, math.Log2(more)), s.Here/more
	return s
}

// String says it for people.
func (s Scale) String() string {
	return fmt.Sprintf("%d models like %s x %d transformations x %d images: %s with %d workers here, %s to %s on %d "+
		"such cores, %s of signals", scaleModels, s.Model, scaleTransformations, scaleImages,
		result.Duration.Say(s.Here, 0), s.Workers, result.Duration.Say(s.AtBest, 0), result.Duration.Say(s.OnCores, 0),
		scaleCores, result.Bytes.Say(s.Bytes, 0))
}

// Scales is the table of extrapolations.
var Scales = result.Table[Scale]{
	Name: "scale", Title: fmt.Sprintf("%d models x %d transformations x %d images",
		scaleModels, scaleTransformations, scaleImages),
	Noun: "model", ID: func(s Scale) string { return s.Model },
	Columns: []result.Column[Scale]{
		result.Texts("model_id", "model", "name of the model", func(s Scale) string { return s.Model }),
		result.Counts("inferences", "inferences", "of the study", func(Scale) int { return scaleInferences }),
		result.Numbers("one_worker_images_per_s", "one worker",
			"images x transformations per second of a run with one worker",
			result.Count, func(s Scale) float64 { return s.AlonePerSecond }),
		result.Numbers("gain", "gain", "how much faster all workers are", result.Number,
			func(s Scale) float64 { return s.Gain }),
		result.Numbers("gain_per_doubling", "gain per doubling", "the same for twice the workers; 2 is no loss at all",
			result.Number, func(s Scale) float64 { return s.GainPerDoubling }),
		result.Numbers("seconds_here", "here", "seconds of the study on this computer", result.Duration,
			func(s Scale) float64 { return s.Here }),
		result.Counts("cores", "cores", "that the study is extrapolated to", func(Scale) int { return scaleCores }),
		result.Numbers("seconds_on_cores", "on cores",
			"seconds on so many cores, each doubling gaining what was measured",
			result.Duration, func(s Scale) float64 { return s.OnCores }),
		result.Numbers("seconds_on_cores_at_best", "at best", "the same, each doubling gaining 2", result.Duration,
			func(s Scale) float64 { return s.AtBest }),
		result.Numbers("signals", "signals", "bytes of signals on disk", result.Bytes,
			func(s Scale) float64 { return s.Bytes }),
	},
}
