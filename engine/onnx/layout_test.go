package onnx

import (
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// Whatever an input declares, it is refused or described within the caps, and the description says
// what the file says.
func TestDescribeInputProperty(t *testing.T) {
	size := rapid.OneOf(rapid.SampledFrom([]int64{-1, 1, 3}), rapid.Int64Range(-2, 64), rapid.Int64())
	rapid.Check(t, func(t *rapid.T) {
		dims := rapid.SliceOfN(size, 4, 4).Draw(t, "dims")
		in, err := InspectBytes("m.onnx", withInput(valueRaw("image", dims)))
		if err != nil {
			return
		}
		got := in.Input
		back := []int64{int64(got.Batch), int64(got.Channels), int64(got.Height), int64(got.Width)}
		if got.Layout == model.NHWC {
			back = []int64{int64(got.Batch), int64(got.Height), int64(got.Width), int64(got.Channels)}
		}
		channels := map[model.Layout]int{model.NCHW: 1, model.NHWC: 3}[got.Layout]
		for axis, d := range dims {
			if d == -1 && (back[axis] == 0 || axis == channels) {
				continue
			}
			if d < 1 || back[axis] != d {
				t.Fatalf("%v became %+v", dims, got)
			}
		}
		testdata.OK(t, checkInput(got))
	})
}

// valueRaw is a float value whose dimensions of -1 are open and all others are written as they are.
func valueRaw(name string, dims []int64) pb {
	var shape pb
	for _, d := range dims {
		var dim pb
		if d != -1 {
			dim = dim.num(1, d)
		}
		shape = shape.msg(1, dim)
	}
	return pb{}.str(1, name).msg(2, pb{}.msg(1, pb{}.num(1, typeFloat).msg(2, shape)))
}

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

func TestCheckSizes(t *testing.T) {
	good := model.Input{Batch: 128, Channels: 3, Height: 224, Width: 224}
	testdata.OK(t, checkSizes(good))
	testdata.OK(t, checkSizes(model.Input{}))
	for _, change := range []func(*model.Input){
		func(in *model.Input) { in.Batch = maxBatch + 1 },
		func(in *model.Input) { in.Height = maxSide + 1 },
		func(in *model.Input) { in.Width = maxSide + 1 },
		func(in *model.Input) { in.Batch, in.Height, in.Width = maxBatch, maxSide, maxSide },
	} {
		in := good
		change(&in)
		if checkSizes(in) == nil {
			t.Errorf("%+v was accepted", in)
		}
	}
}

func TestClassesOf(t *testing.T) {
	for _, test := range []struct {
		dims       []int64
		transposed bool
		want       int
	}{
		{[]int64{64, 10}, false, 10},
		{[]int64{64, 10}, true, 64},
		{[]int64{64}, false, 0},
		{nil, false, 0},
		{[]int64{2, 0}, false, 0},
		{[]int64{2, -7}, false, 0},
		{[]int64{2, 1 << 50}, false, 0},
	} {
		testdata.Is(t, fmt.Sprintf("%+v", test), classesOf(test.dims, test.transposed), test.want)
	}
}

// The words of every refusal by the reader.
func TestRefusalWords(t *testing.T) {
	whole := tiny().file()
	for _, test := range []struct {
		err  error
		data []byte
		want string
	}{
		{errDepth, whole, "cannot be used: its graphs are nested too deeply"},
		{errWire, []byte("GIF89a"), "is not an ONNX file; choose a file that was exported as ONNX"},
		{errWire, pb{}.num(1, 4000), "is not an ONNX file; choose a file that was exported as ONNX"},
		{errWire, []byte{8}, "is not an ONNX file; choose a file that was exported as ONNX"},
		{errWire, whole[:len(whole)-1], "is truncated: it ends in the middle of a field; copy or export it again"},
		{errWire, whole, "is damaged: its content is not a valid ONNX model; copy or export it again"},
	} {
		testdata.Is(t, "refusal", refusal(test.err, test.data).Error(), test.want)
	}
	if !errors.Is(refusal(errParts, nil), errParts) {
		t.Error("the cause is lost")
	}
}
