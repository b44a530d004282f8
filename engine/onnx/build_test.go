package onnx

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"go.uber.org/goleak"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
)

// misbehaviour is an environment variable that makes this test program's workers misbehave before
// they serve.
const misbehaviour = "VARISCOPE_TEST_MISBEHAVE"

func TestMain(m *testing.M) {
	if slices.Equal(os.Args[1:], workerArguments) {
		misbehave(os.Getenv(misbehaviour))
	}
	ServeWorker()
	if _, _, err := FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		withoutLibrary()
	}
	goleak.VerifyTestMain(m)
}

// withoutLibrary leaves only the tests that read model files without running them.
func withoutLibrary() {
	fmt.Println("ONNX Runtime: absent, only the reading of models is tested; make library brings it")
	flag.Parse()
	const reading = "^(TestInspect|TestHead|TestMapsOfGraphs|FuzzMasks|TestTensorKinds|FuzzInspect|" +
		"FuzzExternalData|TestMessages)"
	if err := flag.Set("test.run", reading); err != nil {
		panic(err)
	}
}

func misbehave(how string) {
	switch how {
	case "crash":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "silence":
		os.Exit(0)
	}
}

// pb builds protobuf messages by hand, field by field.
type pb []byte

func (b pb) num(field protowire.Number, v int64) pb {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), uint64(v))
}

func (b pb) str(field protowire.Number, v string) pb {
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), v)
}

func (b pb) msg(field protowire.Number, v pb) pb {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}

// value is a ValueInfoProto of a tensor; dims below 0 are dynamic, nil dims leave the shape out.
func value(name string, kind int64, dims ...int64) pb {
	tensor := pb{}.num(1, kind)
	if dims != nil {
		var shape pb
		for _, d := range dims {
			dim := pb{}.str(2, "N")
			if d >= 0 {
				dim = pb{}.num(1, d)
			}
			shape = shape.msg(1, dim)
		}
		tensor = tensor.msg(2, shape)
	}
	return pb{}.str(1, name).msg(2, pb{}.msg(1, tensor))
}

// floats is a TensorProto of float32 values.
func floats(name string, values []float32, dims ...int64) pb {
	t := tensorHead(name, typeFloat, dims)
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = protowire.AppendFixed32(raw, math.Float32bits(v))
	}
	return t.msg(9, raw)
}

// ints is a TensorProto of int64 values.
func ints(name string, values []int64, dims ...int64) pb {
	t := tensorHead(name, typeInt64, dims)
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = protowire.AppendFixed64(raw, uint64(v))
	}
	return t.msg(9, raw)
}

func tensorHead(name string, kind int64, dims []int64) pb {
	var t pb
	for _, d := range dims {
		t = t.num(1, d)
	}
	return t.num(2, kind).str(8, name)
}

// node is a NodeProto; attributes are AttributeProtos.
func node(op string, inputs, outputs []string, attributes ...pb) pb {
	var n pb
	for _, in := range inputs {
		n = n.str(1, in)
	}
	for _, out := range outputs {
		n = n.str(2, out)
	}
	n = n.str(4, op)
	for _, a := range attributes {
		n = n.msg(5, a)
	}
	return n
}

func attrInt(name string, v int64) pb { return pb{}.str(1, name).num(3, v).num(20, 2) }

func attrInts(name string, list ...int64) pb {
	a := pb{}.str(1, name)
	for _, v := range list {
		a = a.num(8, v)
	}
	return a.num(20, 7)
}

func attrTensor(name string, t pb) pb { return pb{}.str(1, name).msg(5, t).num(20, 4) }

func attrGraph(name string, g pb) pb { return pb{}.str(1, name).msg(6, g).num(20, 5) }

// graphOf is a GraphProto.
type graphOf struct{ nodes, weights, inputs, outputs, values []pb }

func (g graphOf) pb() pb {
	var b pb
	for _, n := range g.nodes {
		b = b.msg(1, n)
	}
	b = b.str(2, "g")
	for _, list := range []struct {
		field protowire.Number
		parts []pb
	}{{5, g.weights}, {11, g.inputs}, {12, g.outputs}, {13, g.values}} {
		for _, part := range list.parts {
			b = b.msg(list.field, part)
		}
	}
	return b
}

// file is a ModelProto of IR 8 and opset 13.
func (g graphOf) file() []byte { return modelOf(8, 13, g.pb()) }

func modelOf(ir, opset int64, graph pb) []byte {
	return pb{}.num(1, ir).str(2, "builder").msg(7, graph).msg(8, pb{}.str(1, "").num(2, opset))
}

func list(names ...string) []string { return names }

// tiny is Conv 1->2 (3x3, padding 1), Relu, GlobalAveragePool, Flatten, Gemm to 3 classes on 1 x 4
// x 4 images; any batch.
func tiny() graphOf {
	weights := make([]float32, 18)
	for i := range weights {
		weights[i] = float32(i%5) - 2
	}
	return graphOf{
		inputs:  []pb{value("image", typeFloat, -1, 1, 4, 4)},
		outputs: []pb{value("scores", typeFloat, -1, 3)},
		weights: []pb{
			floats("w", weights, 2, 1, 3, 3), floats("b", []float32{0.5, -0.5}, 2),
			floats("lw", []float32{1, 2, 3, 4, 5, 6}, 2, 3), floats("lb", []float32{0, 1, 2}, 3),
		},
		nodes: []pb{
			node("Conv", list("image", "w", "b"), list("conv"), attrInts("pads", 1, 1, 1, 1)),
			node("Relu", list("conv"), list("relu")),
			node("GlobalAveragePool", list("relu"), list("pool")),
			node("Flatten", list("pool"), list("flat")),
			node("Gemm", list("flat", "lw", "lb"), list("scores")),
		},
	}
}

// save writes a model into the test's folder.
func save(tb testing.TB, name string, data []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	testdata.OK(tb, os.WriteFile(path, data, 0o600))
	return path
}

// library loads the library for one test.
func library(tb testing.TB) *Runtime {
	tb.Helper()
	r := testdata.Must(Load("", ""))(tb)
	tb.Cleanup(func() {
		testdata.OK(tb, r.Close())
	})
	return r
}

// feedOf is a feed for a file's default output in batches of that size.
func feedOf(tb testing.TB, path string, batch int, tensors ...string) engine.Feed {
	tb.Helper()
	g := testdata.Must(Inspect(path))(tb)
	feed := engine.Feed{Path: path, Input: g.Input, Output: g.Outputs[0].Name, Tensors: tensors}
	if feed.Input.Batch == 0 {
		feed.Input.Batch = batch
	}
	return feed
}

// opened opens a feed and one runner for one test.
func openRunner(tb testing.TB, r *Runtime, feed engine.Feed) engine.Runner {
	tb.Helper()
	s := testdata.Must(r.Open(tb.Context(), feed))(tb)
	run := testdata.Must(s.Runner())(tb)
	tb.Cleanup(func() {
		testdata.OK(tb, run.Close())
		testdata.OK(tb, s.Close())
	})
	return run
}

// zooModels are the files of a zoo; none, with a line that says so, where it is absent.
func zooModels(tb testing.TB, zoo string) []string {
	tb.Helper()
	folder, ok := testdata.Zoo(zoo)
	if !ok {
		fmt.Printf("zoo %s: absent\n", zoo)
		return nil
	}
	return modelsIn(tb, folder)
}

// sceneModels are the models in the repository itself.
func sceneModels(tb testing.TB) []string {
	tb.Helper()
	return modelsIn(tb, filepath.Join(testdata.Root(), "assets", "scenes"))
}

func modelsIn(tb testing.TB, folder string) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "models", "*.onnx"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no models in %s: %v", folder, err)
	}
	return files
}
