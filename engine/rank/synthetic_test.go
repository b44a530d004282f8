package rank

import (
	"math"
	"math/rand/v2"
	"strconv"
)

// zoo describes made-up predictions that look like those of trained models: accuracies spread from low to high, images of very
// different difficulty, and wrong answers that several models share.
type zoo struct {
	models, samples, classes int
	low, high                float64 // accuracies
	seed                     uint64
}

func (z zoo) data() Data {
	rng := rand.New(rand.NewPCG(z.seed, 1))
	d := Data{Models: make([]Model, z.models), Samples: z.samples, Classes: z.classes, Labels: make([]int32, 0, z.models*z.samples)}
	skill := make([]float64, z.models)
	for j := range skill {
		d.Models[j].ID = "model-" + strconv.Itoa(j)
		accuracy := z.low + (z.high-z.low)*float64(j)/float64(max(z.models-1, 1))
		skill[j] = math.Log(accuracy / (1 - accuracy))
	}
	for range z.samples {
		truth, trap := int32(rng.IntN(z.classes)), int32(rng.IntN(z.classes))
		d.Truth = append(d.Truth, truth)
		hardness := 1.5 * rng.NormFloat64()
		for _, s := range skill {
			switch {
			case rng.Float64() < sigmoid(1.3*s-hardness):
				d.Labels = append(d.Labels, truth)
			case rng.Float64() < 0.6:
				d.Labels = append(d.Labels, trap)
			default:
				d.Labels = append(d.Labels, int32(rng.IntN(z.classes)))
			}
		}
	}
	return d
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
