package rank

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// slowLaF is spec/laf.md section 2 written down formula by formula: every product and sum as it stands there, no logarithms
// saved, and tiny steps uphill instead of Newton's.
type slowLaF struct {
	labels  [][]int32 // kept samples x models
	classes int
	prior   point
}

func newSlow(v *votes) slowLaF {
	s := slowLaF{classes: v.data.Classes, prior: v.prior}
	for i := range v.kept {
		s.labels = append(s.labels, v.row(i))
	}
	return s
}

// logSigma is ln sigma(x).
func logSigma(x float64) float64 {
	if x >= 0 {
		return -math.Log1p(math.Exp(-x))
	}
	return x - math.Log1p(math.Exp(x))
}

// posterior is P_ic.
func (s slowLaF) posterior(at point) [][]float64 {
	table := make([][]float64, len(s.labels))
	for i, row := range s.labels {
		logs := make([]float64, s.classes)
		for c := range logs {
			for j, label := range row {
				x := math.Exp(at.easiness[i]) * at.specialty[j]
				if int(label) == c {
					logs[c] += logSigma(x)
				} else {
					logs[c] += logSigma(-x) - math.Log(float64(s.classes-1))
				}
			}
		}
		table[i] = softmaxOfLogs(logs)
	}
	return table
}

func softmaxOfLogs(logs []float64) []float64 {
	largest, total := math.Inf(-1), 0.0
	for _, v := range logs {
		largest = max(largest, v)
	}
	p := make([]float64, len(logs))
	for c, v := range logs {
		p[c] = math.Exp(v - largest)
		total += p[c]
	}
	for c := range p {
		p[c] /= total
	}
	return p
}

func (s slowLaF) q(posterior [][]float64, at point) float64 {
	q := -float64(len(s.labels)) * math.Log(float64(s.classes))
	for i, row := range s.labels {
		for j, label := range row {
			x, c := math.Exp(at.easiness[i])*at.specialty[j], posterior[i][label]
			q += c*logSigma(x) + (1-c)*(logSigma(-x)-math.Log(float64(s.classes-1)))
		}
	}
	for j, a := range at.specialty {
		away := a - s.prior.specialty[j]
		q -= away*away/2 + math.Log(2*math.Pi)/2
	}
	for i, b := range at.easiness {
		away := b - s.prior.easiness[i]
		q -= away*away/2 + math.Log(2*math.Pi)/2
	}
	return q
}

func (s slowLaF) gradient(posterior [][]float64, at point) point {
	g := at.clone()
	for j, a := range at.specialty {
		g.specialty[j] = s.prior.specialty[j] - a
	}
	for i, row := range s.labels {
		easiness := math.Exp(at.easiness[i])
		g.easiness[i] = s.prior.easiness[i] - at.easiness[i]
		for j, label := range row {
			off := posterior[i][label] - sigmoid(easiness*at.specialty[j])
			g.specialty[j] += off * easiness
			g.easiness[i] += easiness * off * at.specialty[j]
		}
	}
	return g
}

func (p point) largest() float64 {
	largest := 0.0
	for _, list := range [][]float64{p.specialty, p.easiness} {
		for _, v := range list {
			largest = max(largest, math.Abs(v))
		}
	}
	return largest
}

// climb goes uphill in tiny steps, none of which moves a number by more than 0.01, until the gradient vanishes.
func (s slowLaF) climb(posterior [][]float64, from point) point {
	at := from.clone()
	for range 400_000 {
		g := s.gradient(posterior, at)
		size := g.largest()
		if size <= 1e-9 {
			break
		}
		rate := min(0.02, 0.01/size)
		for j, slope := range g.specialty {
			at.specialty[j] += rate * slope
		}
		for i, slope := range g.easiness {
			at.easiness[i] += rate * slope
		}
	}
	return at
}

// fit is the whole loop from a point, and the number of M-steps.
func (s slowLaF) fit(at point) (point, int) {
	last := s.q(s.posterior(at), at)
	for rounds := 1; ; rounds++ {
		posterior := s.posterior(at)
		at = s.climb(posterior, at)
		q := s.q(posterior, at)
		if math.Abs((q-last)/last) <= 1e-5 || rounds == maxRounds {
			return at, rounds
		}
		last = q
	}
}

// tinyData are labels of few models and samples, from pure chance to nearly right.
func tinyData(seed uint64) Data {
	rng := rand.New(rand.NewPCG(seed, 7))
	d := Data{Models: make([]Model, 2+rng.IntN(5)), Samples: 1 + rng.IntN(14), Classes: 2 + rng.IntN(4)}
	chance := rng.Float64()
	for j := range d.Models {
		d.Models[j].ID = strconv.Itoa(j)
	}
	for range d.Samples {
		truth := int32(rng.IntN(d.Classes))
		for range d.Models {
			if rng.Float64() < chance {
				d.Labels = append(d.Labels, int32(rng.IntN(d.Classes)))
			} else {
				d.Labels = append(d.Labels, truth)
			}
		}
	}
	return d
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
