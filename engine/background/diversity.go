package background

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/stats"
)

// Diversity says how different the scenes of a selection are, from the selection alone. The numbers
// are ours; the paper's measure of diversity is the coverage of neurons (Coverage), which needs a
// model.
type Diversity struct {
	Targets, Scenes int // scenes of all targets together
	// Different is how many backgrounds are used at all and MostUsed for how many targets the most
	// used one is.
	Different, MostUsed int
	Distance            Spread // of all scenes of all targets
	// Filled and Even say how a target's scenes lie on the axis of the scatter plot, N equal
	// intervals of [0, D]: the share of intervals that have a scene, and the entropy of the scenes
	// over the intervals divided by ln N (1: one scene in each; 0: all in one; 1 for N = 1). Means
	// over the targets. Where D is 0 all lie in the first interval.
	Filled, Even float64
	// ByLevel counts the scenes that were chosen for a keyword of level 0, 1, ...; ByDistance those
	// chosen by distance, by chance or to fill up.
	ByLevel    []int
	ByDistance int
}

// Spread describes numbers: mean, and quantiles as stats.Quantile has them. All are NaN without
// numbers.
type Spread struct {
	Mean                             float64
	Least, Lower, Median, Upper, Far float64 // 0, 25, 50, 75 and 100 %
}

// SpreadOf describes numbers; the argument is not changed.
func SpreadOf(values []float64) Spread {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	mean, _ := stats.Moments(sorted)
	q := func(at float64) float64 {
		if len(sorted) == 0 {
			return math.NaN()
		}
		return stats.Quantile(sorted, at)
	}
	return Spread{
		Mean: mean, Least: q(0), Lower: q(0.25), Median: q(0.5), Upper: q(0.75), Far: q(1),
	}
}

// Distances are those of all scenes, target by target.
func (s Selection) Distances() []float64 {
	list := make([]float64, 0, len(s.Chosen)*s.N())
	for _, scenes := range s.Chosen {
		for _, scene := range scenes {
			list = append(list, scene.Distance)
		}
	}
	return list
}

// Diversity measures the selection on an axis up to far; 0 takes the selection's own largest
// distance. Selections are compared on the same axis: the nearest scenes are spread well only over
// their own.
func (s Selection) Diversity(far float64) Diversity {
	if far == 0 {
		far = s.Far()
	}
	distances := s.Distances()
	d := Diversity{Targets: len(s.Chosen), Scenes: len(distances), Distance: SpreadOf(distances)}
	uses := map[int]int{}
	for _, scenes := range s.Chosen {
		for _, scene := range scenes {
			uses[scene.Background]++
			d.MostUsed = max(d.MostUsed, uses[scene.Background])
			if scene.Keyword < 0 || scene.Level < 0 {
				d.ByDistance++
			} else {
				d.ByLevel = counted(d.ByLevel, scene.Level)
			}
		}
	}
	d.Different = len(uses)
	filled, even := 0.0, 0.0
	for _, scenes := range s.Chosen {
		f, e := fillings(scenes, far)
		filled, even = filled+f, even+e
	}
	d.Filled, d.Even = filled/float64(d.Targets), even/float64(d.Targets)
	return d
}

// counted counts one more scene of a level.
func counted(byLevel []int, level int) []int {
	for len(byLevel) <= level {
		byLevel = append(byLevel, 0)
	}
	byLevel[level]++
	return byLevel
}

// fillings are the share of as many intervals of [0, far] as there are scenes that have one, and
// the scenes' entropy over them.
func fillings(scenes []Scene, far float64) (filled, even float64) {
	n := len(scenes)
	counts := make([]int, n)
	for _, scene := range scenes {
		counts[interval(scene.Distance, 0, far/float64(n), n)]++
	}
	entropy := 0.0
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / float64(n)
			filled++
			entropy -= float64(p * math.Log(p))
		}
	}
	if n == 1 {
		return 1, 1
	}
	return filled / float64(n), max(0, entropy/math.Log(float64(n)))
}

// Plausibility says how near the scenes of targets are to the targets' own keywords, whatever they
// were chosen by: for each scene the lowest level of a keyword that it shares with its target's
// expansion. Ours. It takes targets one by one.
type Plausibility struct {
	Scenes  int
	ByLevel []int // scenes whose lowest shared level is 0, 1, ...
	None    int   // scenes that share no keyword
}

// Add takes one target's scenes, with the target's expanded keywords; Scene.Background is the row
// of the table, as Choose gives it.
func (p *Plausibility) Add(s Scenes, v []Keyword, chosen []Scene) {
	levels := make(map[int]int, len(v))
	for _, k := range v {
		levels[k.Item] = k.Level
	}
	for _, scene := range chosen {
		p.Scenes++
		lowest := -1
		for _, item := range s.Keywords.Present[scene.Background] {
			if level, is := levels[item]; is && (lowest < 0 || level < lowest) {
				lowest = level
			}
		}
		if lowest < 0 {
			p.None++
			continue
		}
		p.ByLevel = counted(p.ByLevel, lowest)
	}
}

// Share is the share of scenes that share a keyword of at most this level with their target; NaN
// without scenes.
func (p Plausibility) Share(level int) float64 {
	n := 0
	for _, c := range p.ByLevel[:max(0, min(level+1, len(p.ByLevel)))] {
		n += c
	}
	return share(n, p.Scenes)
}
