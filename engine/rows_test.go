package engine

import (
	"fmt"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestChannelMeans(t *testing.T) {
	values := []float32{1, 2, 3, 4, 5, 6, 7, 9}
	for _, test := range []struct {
		shape []int64
		want  []float64
	}{
		{[]int64{8}, []float64{1, 2, 3, 4, 5, 6, 7, 9}},
		{[]int64{4, 2}, []float64{4, 5.25}},      // tokens x channels
		{[]int64{2, 2, 2}, []float64{2.5, 6.75}}, // channels x height x width
	} {
		testdata.Equal(t, fmt.Sprint(test.shape), testdata.Must(channelMeans(test.shape, values))(t), test.want)
	}
	for _, shape := range [][]int64{{}, {0}, {2, 2, 2, 1}, {3, 3}} {
		testdata.Refused(t, fmt.Sprintf("%v", shape), testdata.Err(channelMeans(shape, values)), "per image")
	}
}
