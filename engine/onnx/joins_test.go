package onnx

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/testdata"
)

// Parallel convolutions that meet right behind are one position, their joined tensor; those that
// depend on each other, meet later, or pass what mixes places stay positions by themselves.
func TestInspectJoins(t *testing.T) {
	conv := func(from, to string) pb {
		return node("Conv", list(from, "w"), list(to), attrInts("pads", 1, 1, 1, 1))
	}
	relu := func(from, to string) pb { return node("Relu", list(from), list(to)) }
	concat := func(to string, from ...string) pb { return node("Concat", from, list(to), attrInt("axis", 1)) }
	pool := func(from, to string) pb {
		return node("MaxPool", list(from), list(to), attrInts("kernel_shape", 3, 3), attrInts("pads", 1, 1, 1, 1))
	}
	add := func(to string, from ...string) pb { return node("Add", from, list(to)) }
	swish := func(from, to string) []pb {
		return []pb{node("Sigmoid", list(from), list(to+"_s")), node("Mul", list(from, to+"_s"), list(to))}
	}
	for name, test := range map[string]struct {
		nodes []pb
		want  []string
	}{
		"two halves of groups": {
			[]pb{
				node("Split", list("image"), list("p", "q"), attrInt("axis", 1)), conv("p", "a"), conv("q", "b"),
				concat("out", "a", "b"),
			}, list("out"),
		},
		"inception": {
			[]pb{
				conv("image", "s"), conv("s", "a"), relu("a", "ar"), conv("s", "b1"), relu("b1", "b1r"),
				conv("b1r", "b2"), relu("b2", "b2r"), pool("s", "p"), conv("p", "c"), relu("c", "cr"),
				concat("out", "ar", "b2r", "cr"),
			}, list("s", "b1", "out"),
		},
		"reduction with a pool": {[]pb{
			conv("image", "a"), conv("image", "b"), pool("image", "p"), concat("out", "a", "p", "b"),
		}, list("out")},
		"shortcut of its own": {append(append([]pb{
			conv("image", "a"), conv("a", "b"), conv("image", "c"), add("sum", "b", "c"),
		}, swish("sum", "x")...), conv("x", "out")), list("a", "b", "c", "out")},
		"three kernels of one input": {[]pb{
			conv("image", "a"), conv("image", "b"), conv("image", "c"), add("ab", "a", "b"), add("out", "ab", "c"),
		}, list("out")},
		"one of another input": {[]pb{
			conv("image", "s"), conv("s", "a"), conv("image", "b"), conv("s", "c"),
			node("Sum", list("a", "b", "c"), list("out")),
		}, list("s", "a", "b", "c")},
		"residual": {
			[]pb{conv("image", "a"), relu("a", "r"), conv("r", "b"), add("out", "b", "r")},
			list("a", "b"),
		},
		"ghost": {[]pb{
			conv("image", "a"), relu("a", "r"), conv("r", "b"), relu("b", "q"), concat("out", "r", "q"),
		}, list("a", "b")},
		"pooled before": {[]pb{
			conv("image", "a"), pool("a", "p"), conv("image", "b"), concat("out", "p", "b"),
		}, list("a", "b")},
		"product of two": {[]pb{
			conv("image", "a"), conv("image", "b"), node("Mul", list("a", "b"), list("out")),
		}, list("a", "b")},
		"over the batch": {[]pb{
			conv("image", "a"), conv("image", "b"), node("Concat", list("a", "b"), list("out"), attrInt("axis", 0)),
		}, list("a", "b")},
	} {
		g := tiny()
		g.nodes = append(test.nodes, g.nodes[2:]...)
		g.nodes[len(test.nodes)] = node("GlobalAveragePool", list("out"), list("pool"))
		got, err := InspectBytes("m.onnx", g.file())
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if maps := got.ConvMaps(); !slices.Equal(maps, test.want) {
			t.Errorf("%s: %q, want %q", name, maps, test.want)
		}
	}
}

// Gates, whose maps are 1 x 1, are no branches, and a joined map of 1 x 1 is no position.
func TestConvMapsLeavePointsOut(t *testing.T) {
	g := model.Graph{Convs: list("a", "b", "c", "d"), Joined: map[string]string{"b": "j", "c": "j"}, Points: list("d")}
	testdata.Equal(t, "ConvMaps", g.ConvMaps(), list("a", "j"))
	g.Points = append(g.Points, "j")
	testdata.Equal(t, "ConvMaps", g.ConvMaps(), list("a"))
}
