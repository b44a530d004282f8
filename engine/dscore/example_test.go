package dscore_test

import (
	"fmt"

	"github.com/variscope/variscope/engine/dscore"
)

// The paper's model MMA with n = 2: accuracies of its Tables III and IV, scores of its Table V.
func ExampleCompute() {
	s, err := dscore.Compute(dscore.Accuracies{
		Original: 0.9856,
		Variants: []float64{0.9316, 0.7755, 0.7509, 0.9165},
		Shifted:  []float64{0.5898, 0.7301, 0.7024, 0.5420},
		Classes:  10,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("features %.3f, attention %.3f\n", s.Features, s.Attention)
	fmt.Printf("v_robust %.4f, v_fitness %.4f, D-Score %.4f, g %.2f, p %.2f\n",
		s.Robust, s.Fitness, s.DScore, s.Bound, s.P)
	// Output:
	// features [0.095 0.370 0.413 0.122], attention [0.230 0.285 0.274 0.211]
	// v_robust 0.2631, v_fitness 0.9281, D-Score 0.6650, g 0.88, p 0.30
}

func ExampleNewRecipe() {
	r, err := dscore.NewRecipe(28, 28, 0.56)
	if err != nil {
		fmt.Println(err)
		return
	}
	left, right := dscore.Split(r.TotalWidth, 0.25)
	fmt.Printf("%d pixels: %d left, %d right\n", r.TotalWidth, left, right)
	// Output: 16 pixels: 4 left, 12 right
}
