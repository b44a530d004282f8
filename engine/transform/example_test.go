package transform_test

import (
	"fmt"

	"github.com/variscope/variscope/engine/transform"
)

func ExampleParse() {
	f, err := transform.Parse("scaling:-0.3:0.3:0.1;border=edge")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f)
	fmt.Println(f.Short(), f.N(), f.Values())
	// Output:
	// scaling:0.7:1.3:0.1;interpolation=bilinear;border=edge
	// scaling 0.7..1.3× step 0.1 edge 7 [0.7 0.8 0.9 1 1.1 1.2 1.3]
}

func ExamplePlan_Apply() {
	f, err := transform.Parse("rotation:-90:90:90")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := f.Plan(2, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	turned := make([]float32, 4)
	p.Apply(turned, []float32{0.1, 0.2, 0.3, 0.4}, 1, 2) // 90 degrees counter-clockwise
	fmt.Printf("%.1f\n", turned)
	// Output: [0.2 0.4 0.1 0.3]
}
