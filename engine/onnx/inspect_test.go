package onnx

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/internal/testdata"
)

func TestInspectTiny(t *testing.T) {
	data := append(tiny().file(), pb{}.str(3, "2.1").
		msg(14, pb{}.str(1, "mean").str(2, "[0.5]"))...)
	got := testdata.Must(InspectBytes("tiny.onnx", data))(t)
	want := model.Graph{
		Opset: 13, IR: 8, Producer: "builder 2.1",
		Input:      model.Input{Name: "image", Layout: model.NCHW, Channels: 1, Height: 4, Width: 4},
		Outputs:    []model.Output{{Name: "scores", Classes: 3}},
		Parameters: 18 + 2 + 6 + 3,
		Convs:      []string{"conv"},
		Head:       "relu",
		Tensors:    []string{"conv", "relu", "pool", "flat", "scores"},
		Metadata:   map[string]string{"mean": "[0.5]"},
	}
	testdata.NoDiff(t, "difference", cmp.Diff(want, got))
}

// withInput is tiny with another declared input and nodes in front.
func withInput(in pb, first ...pb) []byte {
	g := tiny()
	g.inputs = []pb{in}
	g.nodes = append(first, g.nodes...)
	return g.file()
}

func TestInspectInput(t *testing.T) {
	conv := node("Conv", list("image", "w", "b"), list("c0"))
	tests := map[string]struct {
		data []byte
		want model.Input
	}{
		"fixed batch": {
			withInput(value("image", typeFloat, 8, 1, 4, 4)),
			model.Input{Layout: "NCHW", Batch: 8, Channels: 1, Height: 4, Width: 4},
		},
		"open sizes": {withInput(value("image", typeFloat, -1, 3, -1, -1)), model.Input{Layout: "NCHW", Channels: 3}},
		"nhwc": {
			withInput(value("image", typeFloat, -1, 28, 20, 3)),
			model.Input{Layout: "NHWC", Channels: 3, Height: 28, Width: 20},
		},
		"open nhwc": {withInput(value("image", typeFloat, -1, -1, -1, 1)), model.Input{Layout: "NHWC", Channels: 1}},
		"all open, channels from the first Conv": {
			withInput(value("image", typeFloat, -1, -1, -1, -1)),
			model.Input{Layout: "NCHW", Channels: 1},
		},
		"both axes could be channels, a Conv decides": {
			withInput(value("image", typeFloat, 1, 3, 9, 3), conv),
			model.Input{Layout: "NCHW", Batch: 1, Channels: 3, Height: 9, Width: 3},
		},
		"both axes could be channels, a Transpose decides": {
			withInput(value("image", typeFloat, 1, 3, 9, 3), node("Sub", list("image", "b"), list("s")),
				node("Transpose", list("s"), list("t"), attrInts("perm", 0, 3, 1, 2))),
			model.Input{Layout: "NHWC", Batch: 1, Channels: 3, Height: 3, Width: 9, Scaling: "Sub"},
		},
		"a Transpose away from NCHW": {
			withInput(value("image", typeFloat, 1, 3, 9, 3),
				node("Transpose", list("image"), list("t"), attrInts("perm", 0, 2, 3, 1))),
			model.Input{Layout: "NCHW", Batch: 1, Channels: 3, Height: 9, Width: 3},
		},
		"both, and nothing decides": {
			withInput(value("image", typeFloat, 1, 3, 9, 1), node("Flatten", list("image"), list("t"))),
			model.Input{Layout: "NCHW", Batch: 1, Channels: 3, Height: 9, Width: 1},
		},
	}
	for name, test := range tests {
		g := testdata.Must(InspectBytes("m.onnx", test.data))(t)
		test.want.Name = "image"
		testdata.Is(t, name, g.Input, test.want)
	}
}

// Files of IR 3 list every weight among the graph's inputs, and a graph may be split into several
// occurrences of its field, which protobuf merges.
func TestInspectOddGraphs(t *testing.T) {
	g := tiny()
	g.inputs = append([]pb{value("w", typeFloat, 2, 1, 3, 3), value("lw", typeFloat, 2, 3)}, g.inputs...)
	got, err := InspectBytes("old.onnx", modelOf(3, 9, g.pb()))
	if err != nil || got.Input.Name != "image" || got.IR != 3 || got.Opset != 9 {
		t.Errorf("weights among the inputs: %+v, %v", got, err)
	}
	g = tiny()
	rest := graphOf{outputs: g.outputs, nodes: g.nodes[3:]}
	g.outputs, g.nodes = nil, g.nodes[:3]
	got, err = InspectBytes("split.onnx", append(g.file(), pb{}.msg(7, rest.pb())...))
	if err != nil || len(got.Tensors) != 5 || got.Head != "relu" {
		t.Errorf("two graphs: %+v, %v", got, err)
	}
}

// withTail is tiny with nodes after the scores, and other outputs.
func withTail(opset int64, outputs []pb, last ...pb) []byte {
	g := tiny()
	g.outputs = outputs
	g.nodes = append(g.nodes, last...)
	return modelOf(8, opset, g.pb())
}

func TestInspectOutputs(t *testing.T) {
	out := func(name string) []pb { return []pb{value(name, typeFloat, -1, 3)} }
	transposed := tiny()
	transposed.outputs = []pb{value("scores", typeFloat)}
	transposed.weights = append(transposed.weights, floats("tw", make([]float32, 10), 5, 2))
	transposed.nodes[4] = node("Gemm", list("flat", "tw"), list("scores"), attrInt("transB", 1))
	tests := map[string]struct {
		data []byte
		want []model.Output
	}{
		"softmax": {
			withTail(13, out("p"), node("Softmax", list("scores"), list("p"), attrInt("axis", 1))),
			[]model.Output{{Name: "p", Classes: 3, Kind: model.Probabilities}},
		},
		"softmax and reshape": {
			withTail(11, out("q"), node("Softmax", list("scores"), list("p")), node("Identity", list("p"), list("q"))),
			[]model.Output{{Name: "q", Classes: 3, Kind: model.Probabilities}},
		},
		"log softmax": {
			withTail(13, out("p"), node("LogSoftmax", list("scores"), list("p"))),
			[]model.Output{{Name: "p", Classes: 3, Kind: model.LogProbabilities}},
		},
		"softmax over batch": {
			withTail(13, out("p"), node("Softmax", list("scores"), list("p"), attrInt("axis", 0))),
			[]model.Output{{Name: "p", Classes: 3}},
		},
		"softmax elsewhere": {
			withTail(13, out("q"), node("Softmax", list("scores"), list("p")), node("Relu", list("p"), list("q"))),
			[]model.Output{{Name: "q", Classes: 3}},
		},
		"another domain's softmax": {withTail(13, out("p"),
			node("Softmax", list("scores"), list("p")).str(7, "my.own")), []model.Output{{Name: "p", Classes: 3}}},
		"several outputs": {
			withTail(13, []pb{
				value("pool", typeFloat, -1, 2, 1, 1), value("flat", typeFloat, -1, 2),
				value("scores", typeFloat, -1, 3),
			}),
			[]model.Output{
				{Name: "flat", Classes: 2},
				{Name: "scores", Classes: 3},
				{Name: "pool", Classes: 2, Form: "(N, 2, 1, 1)"},
			},
		},
		"open classes": {
			withTail(13, []pb{value("scores", typeFloat, -1, -1)}), []model.Output{{Name: "scores", Classes: 3}},
		},
		"no shape": {
			withTail(13, []pb{value("scores", typeFloat)}),
			[]model.Output{{Name: "scores", Classes: 3}},
		},
		"transposed weights": {transposed.file(), []model.Output{{Name: "scores", Classes: 5}}},
		"no type":            {withTail(13, []pb{pb{}.str(1, "scores")}), []model.Output{{Name: "scores", Classes: 3}}},
		"classes unknown":    {withTail(13, []pb{value("flat", typeFloat, -1, -1)}), []model.Output{{Name: "flat"}}},
		"classes beside": {withTail(13, []pb{value("best", typeInt64, -1), value("scores", typeFloat, -1, 3)},
			node("ArgMax", list("scores"), list("best"))), []model.Output{{Name: "scores", Classes: 3}}},
		"shaped before open": {
			withTail(13, []pb{value("conv", typeFloat), value("scores", typeFloat, 1, 3)}),
			[]model.Output{{Name: "scores", Classes: 3}},
		},
	}
	for name, test := range tests {
		g := testdata.Must(InspectBytes("m.onnx", test.data))(t)
		testdata.NoDiff(t, name, cmp.Diff(test.want, g.Outputs))
	}
}

func refusals() map[string]struct {
	data []byte
	want string
} {
	external := pb(tensorHead("w", typeFloat, []int64{2, 1, 3, 3})).msg(13,
		pb{}.str(1, "location").str(2, "w.bin")).num(14, 1)
	weights := tiny()
	weights.weights[0] = external
	constant := tiny()
	constant.nodes = append(constant.nodes, node("Constant", nil, list("c"), attrTensor("value", external)))
	inner := tiny()
	body := graphOf{nodes: []pb{node("Constant", nil, list("c"), attrTensor("value", external))}}.pb()
	inner.nodes = append(inner.nodes, node("If", list("scores"), list("c"), attrGraph("then_branch", body)))
	sparse := append(tiny().pb(), pb{}.msg(15, pb{}.msg(1, external))...)
	deep := graphOf{}.pb()
	for range 100 {
		deep = graphOf{nodes: []pb{node("If", list("c"), list("d"), attrGraph("then_branch", deep))}}.pb()
	}
	file := tiny().file()
	huge := tiny()
	huge.weights = append(huge.weights, tensorHead("h", typeFloat, []int64{1 << 20, 1 << 20}))
	negative := tiny()
	negative.weights = append(negative.weights, tensorHead("h", typeFloat, []int64{-5}))
	noInputs, noNodes := tiny(), tiny()
	noInputs.inputs, noNodes.nodes = nil, nil
	two, extra, unknown := tiny(), tiny(), tiny()
	unknown.inputs, unknown.nodes = []pb{value("image", typeFloat, -1, -1, 32, 32)}, []pb{
		node("Flatten", list("image"), list("scores")),
	}
	two.inputs = append(two.inputs, value("second", typeFloat, -1, 3, 8, 8))
	extra.inputs = append(extra.inputs, value("flag", typeBool, 1))
	separate := func(way string) string {
		return "m.onnx keeps its weights in separate files (" + way + "); save it as one file"
	}
	return map[string]struct {
		data []byte
		want string
	}{
		"empty": {nil, "m.onnx is empty; choose an ONNX model"},
		"truncated": {
			file[:len(file)/2], "m.onnx is truncated: it ends in the middle of a field; copy or export it again",
		},
		"picture": {
			[]byte("\x89PNG\r\n\x1a\n and so on"),
			"m.onnx is not an ONNX file; choose a file that was exported as ONNX",
		},
		"text": {[]byte("hello, I am text"), "m.onnx is not an ONNX file; choose a file that was exported as ONNX"},
		"damaged": {
			append(slices.Clone(file), 0x0f),
			"m.onnx is damaged: its content is not a valid ONNX model; copy or export it again",
		},
		"other protobuf": {
			pb{}.str(1, "key").str(2, "value"), "m.onnx is not an ONNX file; choose a file that was exported as ONNX",
		},
		"no graph": {
			pb{}.num(1, 8).msg(8, pb{}.num(2, 13)),
			"m.onnx is not an ONNX model; choose a file that was exported as ONNX",
		},
		"no operator set": {
			pb{}.num(1, 8).msg(7, tiny().pb()), "m.onnx is not an ONNX model; choose a file that was exported as ONNX",
		},
		"external weights":  {weights.file(), separate(`graph "g" > initializer "w"`)},
		"external constant": {constant.file(), separate(`graph "g" > node > attribute "value" > t "w"`)},
		"external inside If": {
			inner.file(),
			separate(`graph "g" > node > attribute "then_branch" > g "g" > node > attribute "value" > t "w"`),
		},
		"external sparse": {modelOf(8, 13, sparse), separate(`graph "g" > sparse_initializer > values "w"`)},
		"external in training": {
			append(slices.Clone(file), pb{}.msg(20, pb{}.msg(1, weights.pb()))...),
			separate(`training_info > initialization "g" > initializer "w"`),
		},
		"external in functions": {
			append(slices.Clone(file),
				pb{}.msg(25, pb{}.msg(7, node("Constant", nil, list("c"), attrTensor("value", external))))...),
			separate(`functions > node > attribute "value" > t "w"`),
		},
		"too deep": {modelOf(8, 13, deep), "m.onnx cannot be used: its graphs are nested too deeply"},
		"name that is not text": {
			withInput(value("im\x00age", typeFloat, -1, 1, 4, 4)),
			"m.onnx cannot be used: it holds a name that is too long or not text",
		},
		"weight beyond the file": {
			huge.file(),
			`m.onnx declares a weight "h" of [1048576 1048576] numbers, more than the file holds; export it again`,
		},
		"negative weight": {
			negative.file(),
			`m.onnx declares a weight "h" of [-5] numbers, more than the file holds; export it again`,
		},
		"no inputs":        {noInputs.file(), "m.onnx has no inputs; a classifier needs one image input"},
		"two image inputs": {two.file(), "m.onnx has 2 image inputs (image, second); only models with one can be used"},
		"another input": {
			extra.file(), "m.onnx has 2 inputs (image, flag); only models with a single image input can be used",
		},
		"bytes as input": {
			withInput(value("image", typeInt32, -1, 1, 4, 4)),
			`m.onnx takes int32 at its input "image", not images of float32, float16, float64, uint8 or int8; export it with a float input`,
		},
		"sequence as input": {
			withInput(pb{}.str(1, "image").msg(2, pb{}.msg(4, nil))),
			`m.onnx takes no plain tensor at its input "image", not images of float32, float16, float64, uint8 or int8; export it with a float input`,
		},
		"signal input": {
			withInput(value("image", typeFloat, -1, 1, 784)),
			`m.onnx has an input "image" of 3 axes and 1 x 784 numbers, which is no image; export it with four axes such as N x 3 x 32 x 32`,
		},
		"flat input": {
			withInput(value("image", typeFloat, -1, 784)),
			`m.onnx has an input "image" of 2 axes; an image input has four, such as N x 3 x 32 x 32`,
		},
		"unshaped input": {
			withInput(value("image", typeFloat)),
			`m.onnx does not say the shape of its input "image"; export it with four axes such as N x 3 x 32 x 32`,
		},
		"nameless input": {
			withInput(value("", typeFloat, -1, 3, 4, 4)), "m.onnx has an input without a name; export it again",
		},
		"size 0": {
			withInput(value("image", typeFloat, -1, 3, 0, 4)),
			`m.onnx declares size 0 on axis 2 of its input "image"; export it again`,
		},
		"four channels": {
			withInput(value("image", typeFloat, -1, 4, 32, 32)),
			`m.onnx has an input "image" of 4 channels; images have 1 or 3`,
		},
		"unknown channels": {
			unknown.file(), `m.onnx does not say how many channels its input "image" has; export it with 1 or 3`,
		},
		"vast images": {
			withInput(value("image", typeFloat, -1, 3, 100000, 10)),
			"m.onnx declares images of 100000 x 10 pixels; at most 4096 x 4096 can be used",
		},
		"wide images": {
			withInput(value("image", typeFloat, -1, 3, 10, 4097)),
			"m.onnx declares images of 10 x 4097 pixels; at most 4096 x 4096 can be used",
		},
		"vast batch": {
			withInput(value("image", typeFloat, 1<<40, 3, 10, 10)),
			"m.onnx declares batches of 1099511627776 images; at most 4096 can be used",
		},
		"vast in all": {
			withInput(value("image", typeFloat, 4000, 3, 4000, 4000)),
			"m.onnx declares a batch of 4000 images of 3 x 4000 x 4000, too large to be used",
		},
		"no output": {withTail(13, nil), "m.onnx has no output; it is no image classifier"},
		"feature maps": {
			withTail(13, []pb{value("conv", typeFloat, -1, 2, 4, 4)}),
			`m.onnx has no output of form (N, C), one number per image and class, but "conv" (N, 2, 4, 4); export the class scores as such an output`,
		},
		"output of nobody": {noNodes.file(), "m.onnx has no output that a node computes; it is no image classifier"},
		"only numbers of classes": {
			withTail(13, []pb{value("best", typeInt64, -1, 1)}, node("ArgMax", list("scores"), list("best"))),
			`m.onnx has no output of form (N, C), one number per image and class, but "best" (N, 1) of int64; export the class scores as such an output`,
		},
		"vast classes": {
			withTail(13, []pb{value("scores", typeFloat, -1, 1<<40)}),
			`m.onnx declares 1099511627776 classes at its output "scores"; 1 to 1048576 can be used`,
		},
	}
}

func TestInspectRefuses(t *testing.T) {
	for name, test := range refusals() {
		if _, err := InspectBytes("m.onnx", test.data); err == nil || err.Error() != test.want {
			t.Errorf("%s: got  %v\nwant %s", name, err, test.want)
		}
	}
	folder := t.TempDir()
	for path, want := range map[string]string{
		folder: filepath.Base(folder) +
			" cannot be opened: it is a folder, not a file; choose an ONNX model",
		filepath.Join(folder, "away.onnx"):    "away.onnx cannot be opened: ",
		save(t, "zip.onnx", []byte("\x00PK")): "zip.onnx is not an ONNX file",
		save(t, "own.onnx",
			[]byte("\x08\x08\x12\x04ORTM\x3a\x00")): "own.onnx has the mark of ONNX Runtime's own format (ORTM)",
	} {
		if _, err := Inspect(path); err == nil || !strings.HasPrefix(outside.Sentence(err), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Every beginning of a model is refused with a sentence that names the file.
func TestInspectEveryTruncation(t *testing.T) {
	file := tiny().file()
	for n := range file {
		if _, err := InspectBytes("cut.onnx", file[:n]); err == nil || !strings.HasPrefix(err.Error(), "cut.onnx ") {
			t.Fatalf("%d of %d bytes: %v", n, len(file), err)
		}
	}
}

// Models with random bytes changed, dropped or doubled never panic.
func TestInspectMutants(t *testing.T) {
	seeds := [][]byte{tiny().file(), endless().file()}
	for _, path := range sceneModels(t)[:2] {
		data := testdata.Must(os.ReadFile(path))(t)
		seeds = append(seeds, data)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		data := slices.Clone(seeds[random.IntN(len(seeds))])
		for range 1 + random.IntN(8) {
			at := random.IntN(min(len(data), 4000))
			switch random.IntN(3) {
			case 0:
				data[at] = byte(random.Uint32())
			case 1:
				data = slices.Delete(data, at, at+1)
			case 2:
				data = slices.Insert(data, at, data[at:min(at+9, len(data))]...)
			}
		}
		_, _ = InspectBytes("mutant.onnx", data)
	}
}

// A file of millions of tiny parts is refused before it fills the memory.
func TestInspectRefusesCrowds(t *testing.T) {
	var crowd pb
	for range maxParts + 10 {
		crowd = crowd.msg(1, nil) // nodes without anything
	}
	_, err := InspectBytes("crowd.onnx", modelOf(8, 13, crowd))
	if want := "crowd.onnx cannot be used: it has more parts than an image classifier has"; err == nil ||
		err.Error() != want {
		t.Errorf("got %v", err)
	}
}
