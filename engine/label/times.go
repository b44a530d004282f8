package label

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Timed are the active seconds of an annotator's labels that count now, ascending; those without a
// time are left out.
type Timed struct {
	Annotator string // for people
	Seconds   []float64
}

// TimesOf are the times of a round, by the names of its annotators.
func TimesOf(r Round, events []Event, name func(id string) string) []Timed {
	current := Current(events)
	list := make([]Timed, len(r.Annotators))
	for k, id := range r.Annotators {
		list[k].Annotator = name(id)
		for _, hash := range r.Models {
			if ev, ok := current[Key{Model: hash, Annotator: id}]; ok && ev.Seconds > 0 {
				list[k].Seconds = append(list[k].Seconds, ev.Seconds)
			}
		}
		slices.Sort(list[k].Seconds)
	}
	return list
}

// Times has a row per annotator.
var Times = result.Table[Timed]{
	Name: "times", Title: "Time per item", Noun: "annotator", ID: func(t Timed) string { return t.Annotator },
	Columns: []result.Column[Timed]{
		result.Texts("annotator", "annotator", "", func(t Timed) string { return t.Annotator }),
		result.Counts("labels", "labels", "with a time", func(t Timed) int { return len(t.Seconds) }),
		duration("q25", "lower quartile", func(list []float64) float64 { return stats.Quantile(list, 0.25) }),
		duration("median", "median", func(list []float64) float64 { return stats.Quantile(list, 0.5) }),
		duration("q75", "upper quartile", func(list []float64) float64 { return stats.Quantile(list, 0.75) }),
		duration("seconds", "together", func(list []float64) (sum float64) {
			for _, s := range list {
				sum += s
			}
			return sum
		}),
	},
}

func duration(key, title string, of func(sorted []float64) float64) result.Column[Timed] {
	return result.Numbers(key, title, "", result.Duration, func(t Timed) float64 {
		if len(t.Seconds) == 0 {
			return math.NaN()
		}
		return of(t.Seconds)
	})
}

// TimesFigure draws how all times are spread, as the outline of bars.
func TimesFigure(list []Timed) result.Figure {
	f := result.Figure{
		X: result.Axis{
			Name: "active time per label (the last bar holds all longer ones)", Unit: "s", Format: result.Number,
		},
		Y: result.Axis{Name: "labels", Format: result.Count, High: 1}, Empty: "no label has a time",
	}
	var all []float64
	for _, t := range list {
		all = append(all, t.Seconds...)
	}
	if len(all) == 0 {
		return f
	}
	slices.Sort(all)
	counts, width := histogram(all, 24)
	outline := result.Line{}
	for k, n := range counts {
		low, high := width*float64(k), width*float64(k+1)
		outline.X, outline.Y = append(outline.X, low, low, high, high), append(outline.Y, 0, float64(n), float64(n), 0)
	}
	f.Lines = []result.Line{outline}
	return f
}

// histogram counts sorted values in intervals from 0 whose width is 1, 2 or 5 times a power of
// ten, so that 95 of 100 values lie before the last.
func histogram(sorted []float64, most int) (counts []int, width float64) {
	upper := stats.Quantile(sorted, 0.95)
	width = 1e-3
	for power := -3; width*float64(most) < upper; power++ {
		for _, digit := range []float64{1, 2, 5} {
			if width = digit * math.Pow10(power); width*float64(most) >= upper {
				break
			}
		}
	}
	counts = make([]int, min(most, int(upper/width)+1)+1)
	for _, v := range sorted {
		counts[min(int(v/width), len(counts)-1)]++
	}
	return counts, width
}
