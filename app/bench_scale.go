package app

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/speed"
)

// The scale of the paper's study, and the computer that it is extrapolated to.
const (
	scaleModels          = 600
	scaleTransformations = 31
	scaleImages          = 10_000
	scaleCores           = 16
)

// benchScale is how long a study of the paper's scale takes with models like the one that was measured.
type benchScale struct {
	Models          int `json:"models"`
	Transformations int `json:"transformations"`
	Images          int `json:"images"`
	// HoursHere is the inferences by the measured speed.
	HoursHere float64 `json:"hours_here"`
	Cores     int     `json:"cores"`
	// AlonePerSecond is the measured speed with one worker, Gain how much faster all workers were, measured in turns with it, and
	// GainPerDoubling the same for twice the workers: 2 would be no loss at all.
	AlonePerSecond  float64 `json:"one_worker_images_per_s"`
	Gain            float64 `json:"gain"`
	GainPerDoubling float64 `json:"gain_per_doubling"`
	// HoursOnCores assumes that every further doubling of the workers gains what was measured, HoursAtBest that it gains 2. Both assume
	// cores like those here at the same clock, with as much cache and memory bandwidth each.
	HoursOnCores float64 `json:"hours_on_cores"`
	HoursAtBest  float64 `json:"hours_on_cores_at_best"`
	// SignalsGB is what lies on disk afterwards, 10^9 bytes.
	SignalsGB float64 `json:"signals_gb"`

	workers int // that were measured here
}

// newBenchScale extrapolates. With one worker there is nothing to see of what more of them gain: 2 is assumed.
func newBenchScale(r speed.Result) *benchScale {
	const inferences = scaleModels * scaleTransformations * scaleImages
	s := benchScale{
		Models: scaleModels, Transformations: scaleTransformations, Images: scaleImages, Cores: scaleCores,
		HoursHere: inferences / r.PerSecond / 3600, AlonePerSecond: r.AlonePerSecond, Gain: r.Gain, GainPerDoubling: 2,
		SignalsGB: float64(r.Bytes) / float64(r.Inferences) * inferences / 1e9, workers: r.Workers,
	}
	if r.Workers > 1 && r.Gain > 0 { // a measured loss is taken for no gain
		s.GainPerDoubling = min(2, max(1, math.Pow(r.Gain, 1/math.Log2(float64(r.Workers)))))
	}
	more := float64(scaleCores) / float64(r.Workers)
	s.HoursOnCores = s.HoursHere / math.Pow(s.GainPerDoubling, math.Log2(more))
	s.HoursAtBest = s.HoursHere / more
	return &s
}

// sentence says it for people.
func (s benchScale) sentence(model string) string {
	return fmt.Sprintf("%d models like %s x %d transformations x %d images: %s with %d workers here, %s to %s on %d such cores, %s of signals",
		s.Models, model, s.Transformations, s.Images, hours(s.HoursHere), s.workers, hours(s.HoursAtBest), hours(s.HoursOnCores), s.Cores, result.Bytes.Say(1e9*s.SignalsGB, 0))
}

// hours words a time.
func hours(h float64) string {
	return result.Duration.Say(3600*h, 0)
}
