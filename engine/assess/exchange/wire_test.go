package exchange

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// A tensor holds its name, type, sizes and the bytes of its numbers, little-endian.
func TestTensors(t *testing.T) {
	for name, test := range map[string]struct {
		m    message
		kind int64
		raw  []byte
		dims []int64
	}{
		"doubles": {
			doubles("doubles", []float64{math.Pi, math.Inf(1)}, 1, 2), float64Type,
			bits(math.Float64bits(math.Pi), math.Float64bits(math.Inf(1))),
			[]int64{1, 2},
		},
		"floats": {
			floats("floats", []float64{0.1}, 1), float32Type,
			binary.LittleEndian.AppendUint32(nil, math.Float32bits(0.1)),
			[]int64{1},
		},
		"integers": {integers("integers", []int64{-1, 7}, 2), int64Type, bits(math.MaxUint64, 7), []int64{2}},
	} {
		f := fields(t, test.m)
		if text(f[8]) != name || number(t, f[2][0]) != test.kind || string(f[9][0]) != string(test.raw) {
			t.Errorf("%s: name %s, type %d, bytes %x", name, text(f[8]), number(t, f[2][0]), f[9][0])
		}
		for k, d := range test.dims {
			if len(f[1]) != len(test.dims) || number(t, f[1][k]) != d {
				t.Errorf("%s: sizes %x", name, f[1])
			}
		}
	}
}

func bits(list ...uint64) (raw []byte) {
	for _, v := range list {
		raw = binary.LittleEndian.AppendUint64(raw, v)
	}
	return raw
}

// The number of models is open, that of columns is not.
func TestValue(t *testing.T) {
	f := fields(t, value("x", float64Type, -1, 80))
	tensor := fields(t, fields(t, f[2][0])[1][0])
	if text(f[1]) != "x" || number(t, tensor[1][0]) != float64Type {
		t.Errorf("%s of type %d", text(f[1]), number(t, tensor[1][0]))
	}
	dims := fields(t, tensor[2][0])[1]
	open, fixed := fields(t, dims[0]), fields(t, dims[1])
	if text(open[2]) != "N" || len(open[1]) != 0 || number(t, fixed[1][0]) != 80 {
		t.Errorf("sizes %v, %v", open, fixed)
	}
}

// Attributes carry their type, by which a reader chooses the field.
func TestAttributes(t *testing.T) {
	for kind, a := range map[int64]message{
		2: attrInt("a", -3), 3: attrText("a", "NONE"), 4: attrTensor("a", doubles("d", nil)),
		6: attrFloats("a", []float64{1}), 7: attrInts("a", []int64{1, 2}), 8: attrTexts("a", []string{"x"}),
	} {
		f := fields(t, a)
		if text(f[1]) != "a" || number(t, f[20][0]) != kind {
			t.Errorf("type %d, not %d", number(t, f[20][0]), kind)
		}
	}
	testdata.Is(t, "number", number(t, fields(t, attrInt("a", -3))[3][0]), -3)
}

// Names of nodes, inputs and outputs of a graph fit together: every input is the graph's, a
// constant or an earlier output.
func TestGraphIsConnected(t *testing.T) {
	for _, s := range everySetting() {
		for _, classes := range []int{2, 3} {
			model := testdata.Must(Export(fileOf(train(t, madeUp(30, classes), s))))(t)
			g := fields(t, fields(t, model)[7][0])
			known, names := map[string]bool{}, map[string]bool{}
			for _, in := range g[11] {
				known[text(fields(t, in)[1])] = true
			}
			for _, w := range g[5] {
				known[text(fields(t, w)[8])] = true
			}
			for _, n := range g[1] {
				f := fields(t, n)
				if name := text(f[3]); names[name] {
					t.Errorf("%+v: two nodes are called %s", s, name)
				}
				names[text(f[3])] = true
				for _, in := range f[1] {
					if !known[string(in)] {
						t.Errorf("%+v: node %s reads %s, which nothing gives", s, text(f[3]), in)
					}
				}
				for _, out := range f[2] {
					known[string(out)] = true
				}
			}
			for _, out := range g[12] {
				if name := text(fields(t, out)[1]); !known[name] {
					t.Errorf("%+v: nothing gives the output %s", s, name)
				}
			}
		}
	}
}
