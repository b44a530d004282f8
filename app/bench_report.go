package app

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/speed"
)

// benchReport is what bench prints with --json.
type benchReport struct {
	Throughput []benchRow `json:"throughput"`
	Processors int        `json:"processors"`
	Level      string     `json:"instruction_set"`
	// PeakMB is the largest memory that the process has held, 10^6 bytes; null where the system does not tell.
	PeakMB *float64 `json:"peak_memory_mb"`
}

// benchRow is one model. Images per second count images x transformations.
type benchRow struct {
	Model        string     `json:"model"`
	PerSecond    float64    `json:"images_per_s"`
	Ceiling      float64    `json:"ceiling_images_per_s"`
	Ratio        float64    `json:"ratio"`
	Share        benchShare `json:"share"`
	DecodeShare  float64    `json:"decode_share"` // the part of Share.Transform that is decoding
	Suite        string     `json:"suite"`
	Family       string     `json:"family"`
	Images       int        `json:"images"`
	Inferences   int        `json:"inferences"`
	Batch        int        `json:"batch"`
	CeilingBatch int        `json:"ceiling_batch"`
	Workers      int        `json:"workers"`
	Ratios       []float64  `json:"ratios"`
	Absent       []string   `json:"absent_positions,omitempty"`
	// Scale is there where it was asked for.
	Scale *benchScale `json:"scale,omitempty"`
}

// benchShare is where the workers' time went; the parts sum up to 1.
type benchShare struct {
	Transform float64 `json:"transform"` // decoding, transforming, normalising
	Infer     float64 `json:"infer"`
	Reduce    float64 `json:"reduce"`
	Store     float64 `json:"store"`
}

func newBenchReport() benchReport {
	return benchReport{Throughput: []benchRow{}, Processors: runtime.NumCPU(), Level: engine.Level()}
}

func newBenchRow(name string, family transform.Family, r speed.Result) benchRow {
	total := r.Spent.Total().Seconds()
	share := func(seconds float64) float64 {
		if total == 0 {
			return 0
		}
		return seconds / total
	}
	decode := r.Spent.Decode.Seconds()
	return benchRow{
		Model: name, PerSecond: r.PerSecond, Ceiling: r.CeilingPerSecond, Ratio: r.Ratio,
		Share: benchShare{
			Transform: share(decode + r.Spent.Transform.Seconds()), Infer: share(r.Spent.Infer.Seconds()),
			Reduce: share(r.Spent.Reduce.Seconds()), Store: share(r.Spent.Store.Seconds()),
		},
		DecodeShare: share(decode), Suite: r.Suite, Family: family.String(), Images: r.Images, Inferences: r.Inferences,
		Batch: r.Batch, CeilingBatch: r.CeilingBatch, Workers: r.Workers, Ratios: r.Ratios, Absent: r.Absent,
	}
}

// finish adds what is known at the end.
func (r *benchReport) finish() {
	if bytes, ok := peakMemory(); ok {
		mb := float64(bytes) / 1e6
		r.PeakMB = &mb
	}
}

func (r benchReport) rows() [][]string {
	rows := [][]string{{"model", "images/s", "ceiling", "ratio", "transform", "infer", "reduce", "store", "batch", "ceiling batch", "suite", "images"}}
	for _, m := range r.Throughput {
		percent := func(share float64) string { return result.Share.Say(share, 0) }
		rows = append(rows, []string{
			m.Model, result.Count.Say(m.PerSecond, 0), result.Count.Say(m.Ceiling, 0), result.Number.Say(m.Ratio, 0),
			percent(m.Share.Transform), percent(m.Share.Infer), percent(m.Share.Reduce), percent(m.Share.Store),
			fmt.Sprint(m.Batch), fmt.Sprint(m.CeilingBatch), m.Suite, fmt.Sprint(m.Images),
		})
	}
	for _, m := range r.Throughput {
		if len(m.Absent) > 0 {
			rows = append(rows, []string{fmt.Sprintf("%s has no %s; its figure is without", m.Model, strings.Join(m.Absent, ", "))})
		}
	}
	for _, m := range r.Throughput {
		if m.Scale != nil {
			rows = append(rows, []string{m.Scale.sentence(m.Model)})
		}
	}
	if r.PeakMB != nil {
		rows = append(rows, []string{fmt.Sprintf("peak memory %s, %d processors", result.Bytes.Say(1e6**r.PeakMB, 0), r.Processors)})
	}
	return rows
}
