package region_test

import (
	"fmt"

	"github.com/variscope/variscope/engine/region"
)

func ExampleShifter() {
	s, err := region.NewShifter(4, 4, 2, 2) // 2 x 2 regions of images of 4 x 4 pixels, t = 2: padded to 6 x 6
	if err != nil {
		fmt.Println(err)
		return
	}
	src, dst := make([]float32, 16), make([]float32, 16)
	for k := range src {
		src[k] = 1
	}
	s.Apply(dst, src, 1, 4) // to the lower right
	for y := range 4 {
		fmt.Printf("%.2f\n", dst[4*y:4*y+4])
	}
	// Output:
	// [0.00 0.00 0.00 0.00]
	// [0.00 0.44 0.67 0.67]
	// [0.00 0.67 1.00 1.00]
	// [0.00 0.67 1.00 1.00]
}

func ExampleEdges() {
	fmt.Println(region.Edges(28, 3)) // a feature map's rows
	fmt.Println(region.Empty(2, 2, 3))
	// Output:
	// [0 9 18 28]
	// [1 2 3 4 7]
}

func ExamplePad() {
	fmt.Println(region.Pad(28, 28, 4, 5, 7)) // the paper's example: region 7 of 4 x 4
	// Output: {5 10 10 5}
}
