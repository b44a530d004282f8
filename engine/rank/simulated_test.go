package rank

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
)

// simulated are models of different accuracy on samples of different difficulty, with probabilities
// that fit the labels. Models that err on a hard sample often make the same mistake.
func simulated(seed uint64, models, samples, classes int) Data {
	random := rand.New(rand.NewPCG(seed, 99))
	d := Data{
		Models: make([]Model, models), Samples: samples, Classes: classes,
		Labels: make([]int32, models*samples), Truth: make([]int32, samples),
	}
	skill := make([]float64, models)
	for j := range d.Models {
		d.Models[j].ID = fmt.Sprintf("m%d", j)
		skill[j] = 0.5 + 0.47*random.Float64()
	}
	for i := range samples {
		d.Truth[i] = int32(random.IntN(classes))
		mistake := int32(random.IntN(classes))
		ease := 2 * random.Float64()
		for j := range models {
			label := d.Truth[i]
			if random.Float64() > min(1, skill[j]*(0.4+0.6*ease)) {
				label = mistake
				if random.IntN(3) == 0 {
					label = int32(random.IntN(classes))
				}
			}
			d.Labels[i*models+j] = label
		}
	}
	d.Softmax = func(_ context.Context, model int) ([]float32, error) { return d.soft(seed, model), nil }
	return d
}

// soft makes a model's probabilities anew at each call, as a store reads them.
func (d Data) soft(seed uint64, model int) []float32 {
	random := rand.New(rand.NewPCG(seed, 1000+uint64(model)))
	table := make([]float32, d.Samples*d.Classes)
	for i := range d.Samples {
		soften(random, table[i*d.Classes:(i+1)*d.Classes], d.row(i)[model])
	}
	return table
}

// soften fills a row with probabilities that sum to 1, the label's being the largest.
func soften(random *rand.Rand, row []float32, label int32) {
	sum := float32(0)
	for c := range row {
		row[c] = random.Float32() * random.Float32()
		if int32(c) == label {
			row[c] = 1 + 4*random.Float32()
		}
		sum += row[c]
	}
	for c := range row {
		row[c] /= sum
	}
}

// logSigma is ln sigma(x).
func logSigma(x float64) float64 {
	if x >= 0 {
		return -math.Log1p(math.Exp(-x))
	}
	return x - math.Log1p(math.Exp(x))
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
