package onnx

import (
	"fmt"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

func TestLayoutOf(t *testing.T) {
	for _, test := range []struct {
		a, b, c int64
		hint    model.Layout
		want    model.Layout
	}{
		{3, 32, 32, "", model.NCHW},
		{3, 32, 32, model.NHWC, model.NCHW}, // the sizes are stronger
		{32, 32, 3, "", model.NHWC},
		{32, 32, 1, model.NCHW, model.NHWC},
		{3, 32, 3, model.NHWC, model.NHWC},
		{1, 32, 3, "", model.NCHW},
		{-1, -1, -1, model.NHWC, model.NHWC},
		{-1, -1, -1, "", model.NCHW},
		{-1, -1, 3, "", model.NHWC},
		{5, 6, 7, "", model.NCHW},
	} {
		testdata.Is(t, fmt.Sprintf("%+v", test), layoutOf([]int64{-1, test.a, test.b, test.c}, test.hint), test.want)
	}
}

// Inputs with open channels take what the first Conv expects, through whatever leaves the axes
// alone, in groups too.
func TestChannelsFromConv(t *testing.T) {
	for group, want := range map[int64]string{
		1: "1", 3: "3",
		5: `m.onnx has an input "image" of 5 channels; images have 1 or 3`,
	} {
		g := tiny()
		g.inputs = []pb{value("image", typeFloat, -1, -1, 4, 4)}
		g.nodes[0] = node("Conv", list("scaled", "w", "b"), list("conv"), attrInt("group", group))
		g.nodes = append([]pb{
			node("Sub", list("image", "b"), list("centred")), node("Div", list("centred", "b"), list("scaled")),
			node("Shape", list("image"), list("elsewhere")),
		}, g.nodes...)
		in, err := InspectBytes("m.onnx", g.file())
		if got := fmt.Sprint(in.Input.Channels); err == nil && got != want || err != nil && err.Error() != want {
			t.Errorf("group %d: %s channels, %v", group, got, err)
		}
	}
}
