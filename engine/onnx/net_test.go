package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/variscope/variscope/engine/transform"
)

// slowNet is a small network that can be written as a file and computed in plain loops, one image
// at a time, in float64.
type slowNet struct {
	channels, height, width int // of the image
	open                    bool
	layers                  []slowLayer
}

// slowLayer is one operator; which fields count depends on op.
type slowLayer struct {
	// Conv, BatchNormalization, Relu, LeakyRelu, MaxPool, Add (to the input of layer from), Gemm
	op                                          string
	out, kernel, stride, pad, dilation, groups  int
	weight, bias, scale, shift, mean, deviation []float64
	from                                        int
}

// volume is a tensor of one image.
type volume struct {
	c, h, w int
	v       []float64
}

func newVolume(c, h, w int) volume { return volume{c, h, w, make([]float64, c*h*w)} }

func (a volume) at(c, y, x int) *float64 { return &a.v[(c*a.h+y)*a.w+x] }

// deletion says which region of which maps the slow network loses.
type deletion struct {
	transform.Masks
	region int
}

// clean sets a region to zero, entry by entry: region row r covers rows floor(r h / n) to
// floor((r+1) h / n) - 1.
func (d deletion) clean(a volume) {
	if d.region == 0 {
		return
	}
	r, c := (d.region-1)/d.N, (d.region-1)%d.N
	for k := range a.c {
		for y := range a.h {
			for x := range a.w {
				if y >= r*a.h/d.N && y < (r+1)*a.h/d.N && x >= c*a.w/d.N && x < (c+1)*a.w/d.N {
					*a.at(k, y, x) = 0
				}
			}
		}
	}
}

// compute returns the scores and the maps of all convolutions as what follows sees them.
func (net slowNet) compute(image []float64, d deletion) (scores []float64, maps []volume) {
	x := volume{net.channels, net.height, net.width, image}
	inputs := make([]volume, len(net.layers))
	number := 0
	for k, l := range net.layers {
		inputs[k] = x
		x = l.compute(x, inputs)
		behindNorm := d.AfterBatchNorm && net.normFollows(k)
		if l.op == "Conv" {
			number++
		}
		chosen := number > 0 && (len(d.Layers) == 0 || slices.Contains(d.Layers, number))
		lies := l.op == "Conv" && !behindNorm || l.op == "BatchNormalization" && d.AfterBatchNorm &&
			net.normFollows(k-1)
		if chosen && lies {
			d.clean(x)
		}
		if l.op == "Conv" {
			maps = append(maps, volume{x.c, x.h, x.w, slices.Clone(x.v)})
		}
	}
	return x.v, maps
}

// normFollows tells whether layer k is a Conv that a batch-norm alone reads.
func (net slowNet) normFollows(k int) bool {
	if k < 0 || k+1 >= len(net.layers) || net.layers[k].op != "Conv" || net.layers[k+1].op != "BatchNormalization" {
		return false
	}
	return !slices.ContainsFunc(net.layers, func(l slowLayer) bool { return l.op == "Add" && l.from == k+1 })
}

func (l slowLayer) compute(x volume, inputs []volume) volume {
	switch l.op {
	case "Conv":
		return l.conv(x)
	case "MaxPool":
		return l.pool(x)
	case "Gemm":
		return l.gemm(x)
	}
	y := volume{x.c, x.h, x.w, slices.Clone(x.v)}
	for k := range y.v {
		c := k / (x.h * x.w)
		switch l.op {
		case "Relu":
			y.v[k] = max(0, x.v[k])
		case "LeakyRelu":
			if x.v[k] < 0 {
				y.v[k] = x.v[k] * 0.01
			}
		case "Add":
			y.v[k] += inputs[l.from].v[k]
		case "BatchNormalization":
			y.v[k] = (x.v[k]-l.mean[c])/math.Sqrt(l.deviation[c]+1e-5)*l.scale[c] + l.shift[c]
		}
	}
	return y
}

func (l slowLayer) places(size int) int {
	return (size+2*l.pad-((l.kernel-1)*l.dilation+1))/l.stride + 1
}

func (l slowLayer) conv(x volume) volume {
	y := newVolume(l.out, l.places(x.h), l.places(x.w))
	in, per := x.c/l.groups, l.out/l.groups
	for o := range l.out {
		for r := range y.h {
			for q := range y.w {
				sum := l.bias[o]
				for c := range in {
					for j := range l.kernel {
						for i := range l.kernel {
							v, u := r*l.stride-l.pad+j*l.dilation, q*l.stride-l.pad+i*l.dilation
							if v >= 0 && v < x.h && u >= 0 && u < x.w {
								sum += l.weight[((o*in+c)*l.kernel+j)*l.kernel+i] * *x.at(o/per*in+c, v, u)
							}
						}
					}
				}
				*y.at(o, r, q) = sum
			}
		}
	}
	return y
}

func (l slowLayer) pool(x volume) volume {
	y := newVolume(x.c, l.places(x.h), l.places(x.w))
	for c := range x.c {
		for r := range y.h {
			for q := range y.w {
				best := math.Inf(-1)
				for j := range l.kernel {
					for i := range l.kernel {
						best = max(best, *x.at(c, r*l.stride+j, q*l.stride+i))
					}
				}
				*y.at(c, r, q) = best
			}
		}
	}
	return y
}

func (l slowLayer) gemm(x volume) volume {
	y := newVolume(l.out, 1, 1)
	for o := range l.out {
		y.v[o] = l.bias[o]
		for k, v := range x.v {
			y.v[o] += v * l.weight[k*l.out+o]
		}
	}
	return y
}

// file writes the network as a model; convolution k writes conv<k>.
func (net slowNet) file() []byte {
	g := graphOf{outputs: []pb{value("scores", typeFloat, -1, 3)}}
	h, w := int64(net.height), int64(net.width)
	if net.open {
		h, w = -1, -1
	}
	g.inputs = []pb{value("image", typeFloat, -1, int64(net.channels), h, w)}
	tensors := []string{"image"} // what enters each layer
	x := volume{c: net.channels, h: net.height, w: net.width}
	x.v = make([]float64, x.c*x.h*x.w)
	number := 0
	for k, l := range net.layers {
		out := fmt.Sprintf("t%d", k)
		if l.op == "Conv" {
			number++
			out = fmt.Sprintf("conv%d", number)
		}
		g.add(l, k, x, tensors, out)
		tensors = append(tensors, out)
		inputs := make([]volume, k+1)
		if l.op == "Add" {
			inputs[l.from] = x
		}
		x = l.compute(x, inputs)
	}
	return g.file()
}

func (g *graphOf) add(l slowLayer, k int, x volume, tensors []string, out string) {
	weight := func(name string, v []float64, dims ...int64) string {
		name = fmt.Sprintf("%s%d", name, k)
		numbers := make([]float32, len(v))
		for i := range v {
			numbers[i] = float32(v[i])
		}
		g.weights = append(g.weights, floats(name, numbers, dims...))
		return name
	}
	in, c := tensors[k], int64(x.c)
	ints := func(name string, v ...int) pb {
		list := make([]int64, len(v))
		for i := range v {
			list[i] = int64(v[i])
		}
		return attrInts(name, list...)
	}
	switch l.op {
	case "Conv":
		kernel := int64(l.kernel)
		w := weight("w", l.weight, int64(l.out), c/int64(l.groups), kernel, kernel)
		g.nodes = append(g.nodes, node("Conv", list(in, w, weight("b", l.bias, int64(l.out))), list(out),
			ints("kernel_shape", l.kernel, l.kernel),
			ints("strides", l.stride, l.stride), ints("pads", l.pad, l.pad, l.pad, l.pad),
			ints("dilations", l.dilation, l.dilation), attrInt("group", int64(l.groups))))
	case "MaxPool":
		g.nodes = append(g.nodes, node("MaxPool", list(in), list(out), ints("kernel_shape", l.kernel, l.kernel),
			ints("strides", l.stride, l.stride)))
	case "BatchNormalization":
		g.nodes = append(g.nodes, node("BatchNormalization",
			list(in, weight("s", l.scale, c), weight("o", l.shift, c), weight("m", l.mean, c),
				weight("d", l.deviation, c)), list(out)))
	case "Add":
		g.nodes = append(g.nodes, node("Add", list(in, tensors[l.from]), list(out)))
	case "Gemm":
		w := weight("w", l.weight, int64(len(x.v)), int64(l.out))
		g.nodes = append(g.nodes, node("Flatten", list(in), list("flat")),
			node("Gemm", list("flat", w, weight("b", l.bias, int64(l.out))), list("scores")))
	default:
		g.nodes = append(g.nodes, node(l.op, list(in), list(out)))
	}
}

// randomNet is a network of one to four convolutions of any kind on images of 5 to 15 pixels a
// side.
func randomNet(random *rand.Rand) slowNet {
	net := slowNet{
		channels: 1 + 2*random.IntN(2), height: 5 + random.IntN(11), width: 5 + random.IntN(11),
		open: random.IntN(3) == 0,
	}
	x := newVolume(net.channels, net.height, net.width)
	add := func(l slowLayer) {
		net.layers = append(net.layers, l)
		inputs := make([]volume, len(net.layers))
		if l.op == "Add" {
			inputs[l.from] = x
		}
		x = l.compute(x, inputs)
	}
	some := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(float32(random.Float64()*2 - 1))
		}
		return v
	}
	for range 1 + random.IntN(4) {
		l := slowLayer{
			op: "Conv", out: 1 + random.IntN(9), kernel: 1 + random.IntN(3), stride: 1 + random.IntN(2),
			pad: random.IntN(2), dilation: 1, groups: 1,
		}
		if random.IntN(4) == 0 {
			l.groups, l.out = x.c, x.c*(1+random.IntN(2)) // depthwise
		}
		if random.IntN(4) == 0 { // fits a residual connection
			l.out, l.kernel, l.stride, l.pad, l.groups = x.c, 3, 1, 1, 1
		}
		if random.IntN(5) == 0 && min(x.h, x.w) > 5 {
			l.dilation = 2
		}
		if min(x.h, x.w)+2*l.pad < (l.kernel-1)*l.dilation+1 {
			break
		}
		l.weight, l.bias = some(l.out*(x.c/l.groups)*l.kernel*l.kernel), some(l.out)
		from, before := len(net.layers), x
		add(l)
		if random.IntN(2) == 0 {
			n := slowLayer{
				op: "BatchNormalization", scale: some(x.c), shift: some(x.c), mean: some(x.c), deviation: some(x.c),
			}
			for i := range n.deviation {
				n.deviation[i] = math.Abs(n.deviation[i]) + 0.5
			}
			add(n)
		}
		if x.c == before.c && x.h == before.h && x.w == before.w && random.IntN(2) == 0 {
			add(slowLayer{op: "Add", from: from})
		}
		if random.IntN(4) > 0 {
			add(slowLayer{op: []string{"Relu", "Relu", "LeakyRelu"}[random.IntN(3)]})
		}
		if random.IntN(3) == 0 && min(x.h, x.w) >= 2 {
			add(slowLayer{op: "MaxPool", kernel: 2, stride: 2, dilation: 1})
		}
	}
	if len(net.layers) == 0 {
		return randomNet(random)
	}
	add(slowLayer{op: "Gemm", out: 3, weight: some(3 * len(x.v)), bias: some(3)})
	return net
}
