//go:build cgo

package background

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// Networks are probed in a child process, which is this test program again.
func init() { onnx.ServeWorker() }

// message builds a protobuf message field by field.
type message []byte

func (m message) num(field protowire.Number, v int64) message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), uint64(v))
}

func (m message) text(field protowire.Number, v string) message {
	return protowire.AppendString(protowire.AppendTag(m, field, protowire.BytesType), v)
}

func (m message) put(field protowire.Number, v message) message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), v)
}

// tensorOf is a TensorProto of float32.
func tensorOf(name string, values []float32, dims ...int64) message {
	var t message
	for _, d := range dims {
		t = t.num(1, d)
	}
	var raw message
	for _, v := range values {
		raw = protowire.AppendFixed32(raw, math.Float32bits(v))
	}
	return t.num(2, 1).text(8, name).put(9, raw)
}

// infoOf is a ValueInfoProto; a size below 0 is open.
func infoOf(name string, dims ...int64) message {
	var shape message
	for _, d := range dims {
		dim := message{}.text(2, "N")
		if d >= 0 {
			dim = message{}.num(1, d)
		}
		shape = shape.put(1, dim)
	}
	return message{}.text(1, name).put(2, message{}.put(1, message{}.num(1, 1).put(2, shape)))
}

// node is a NodeProto; attributes are lists of whole numbers.
func nodeOf(op, output string, attributes map[string][]int64, inputs ...string) message {
	var n message
	for _, in := range inputs {
		n = n.text(1, in)
	}
	n = n.text(2, output).text(4, op)
	for name, list := range attributes {
		a := message{}.text(1, name)
		for _, v := range list {
			a = a.num(8, v)
		}
		n = n.put(5, a.num(20, 7))
	}
	return n
}

// netOf is a ModelProto with one input "x" and one output.
func netOf(input, output message, weights, nodes []message, metadata map[string]string) message {
	var g message
	for _, n := range nodes {
		g = g.put(1, n)
	}
	g = g.text(2, "g")
	for _, w := range weights {
		g = g.put(5, w)
	}
	m := message{}.num(1, 8).put(7, g.put(11, input).put(12, output)).put(8, message{}.text(1, "").num(2, 13))
	for key, value := range metadata {
		m = m.put(14, message{}.text(1, key).text(2, value))
	}
	return m
}

// The networks of these tests look at 8 x 8 RGB images, or at any size with open. Elements are the
// channels: the brightest one wins; its scores are half as large as the image, the largest value of
// 2 x 2 pixels.
func tinySegmentation(size int64, names []string) message {
	return netOf(infoOf("x", -1, 3, size, size), infoOf("maps", -1, 3, -1, -1),
		[]message{tensorOf("w", []float32{1, 0, 0, 0, 1, 0, 0, 0, 1}, 3, 3, 1, 1)},
		[]message{
			nodeOf("Conv", "c", nil, "x", "w"),
			nodeOf("MaxPool", "maps", map[string][]int64{"kernel_shape": {2, 2}, "strides": {2, 2}}, "c"),
		},
		tinyMetadata(names))
}

// tinyScene scores the mean of every channel, times 8; scores that are not logits are passed
// through a final operator.
func tinyScene(size int64, names []string, last string) message {
	nodes := []message{
		nodeOf("Conv", "c", nil, "x", "w"), nodeOf("GlobalAveragePool", "p", nil, "c"),
		nodeOf("Flatten", "f", nil, "p"), nodeOf(last, "scores", nil, "f"),
	}
	return netOf(infoOf("x", -1, 3, size, size), infoOf("scores", -1, 3),
		[]message{tensorOf("w", []float32{8, 0, 0, 0, 8, 0, 0, 0, 8}, 3, 3, 1, 1)}, nodes, tinyMetadata(names))
}

// tinyMetadata is a mean and std, and names.
func tinyMetadata(names []string) map[string]string {
	m := map[string]string{"mean": "[0.5, 0.5, 0.5]", "std": "[0.25, 0.2, 0.25]"}
	if names != nil {
		text, err := json.Marshal(names)
		if err != nil {
			panic(err)
		}
		m["class_names"] = string(text)
	}
	return m
}

var (
	tinyElements = []string{"sky", "grass", "sea"}
	tinyScenes   = []string{"field", "forest", "beach"}
)

// counting is the real runtime; it counts what it is asked to do. after may be nil, it gets the
// number of batches so far.
type counting struct {
	*onnx.Runtime
	probes, opens, batches atomic.Int64
	after                  func(batches int64)
}

// Work implements engine.Runtime.
func (c *counting) Work(ctx context.Context, n int, next engine.Next) { engine.Work(ctx, c, n, next) }

// Rows implements engine.Runtime.
func (c *counting) Rows(ctx context.Context, o engine.Rows, s engine.Source, each func(int, []float64) error) error {
	return engine.InProcess{Library: c}.Rows(ctx, o, s, each)
}

// Rate implements engine.Runtime.
func (c *counting) Rate(ctx context.Context, feed engine.Feed, seconds float64) (float64, error) {
	return engine.InProcess{Library: c}.Rate(ctx, feed, seconds)
}

// Network implements engine.NetworkReader.
func (c *counting) Network(path string) (model.Graph, error) { return onnx.Network(path) }

func (c *counting) Probe(ctx context.Context, feed engine.Feed) (engine.Probe, error) {
	c.probes.Add(1)
	return c.Runtime.Probe(ctx, feed)
}

func (c *counting) Open(ctx context.Context, feed engine.Feed) (engine.Session, error) {
	c.opens.Add(1)
	s, err := c.Runtime.Open(ctx, feed)
	return countingSession{s, c}, err
}

type countingSession struct {
	engine.Session
	counting *counting
}

func (s countingSession) Runner() (engine.Runner, error) {
	r, err := s.Session.Runner()
	return countingRunner{r, s.counting}, err
}

type countingRunner struct {
	engine.Runner
	counting *counting
}

func (r countingRunner) Run(ctx context.Context) error {
	n := r.counting.batches.Add(1)
	if r.counting.after != nil {
		r.counting.after(n)
	}
	return r.Runner.Run(ctx)
}

// stand is a workspace with two suites and two networks in files.
type stand struct {
	*testing.T
	ws                   *store.Workspace
	rt                   *counting
	nets                 Networks
	targets, backgrounds suite.Manifest
	folder               string
}

// newStand makes a stand with that many images; ok is false where there is no library.
func newStand(t *testing.T, targets, backgrounds int) (s *stand, ok bool) {
	t.Helper()
	rt, ok := contextRuntime(t)
	if !ok {
		return nil, false
	}
	s = &stand{T: t, ws: sums.Empty(t), rt: rt, folder: t.TempDir()}
	for i := range targets {
		s.picture(filepath.Join("targets", []string{"cat", "dog"}[i%2], fmt.Sprintf("%03d.png", i)), uint64(i))
	}
	for i := range backgrounds {
		s.picture(filepath.Join("scenes", fmt.Sprintf("%03d.png", i)), uint64(1000+i))
	}
	s.targets, s.backgrounds = s.suite("targets"), s.suite("scenes")
	s.nets = Networks{
		Segmentation: s.file("seg.onnx", tinySegmentation(8, tinyElements)),
		Scene:        s.file("scene.onnx", tinyScene(8, tinyScenes, "Identity")),
	}
	return s, true
}

// contextRuntime loads the library; ok is false where there is none.
func contextRuntime(t *testing.T) (rt *counting, ok bool) {
	t.Helper()
	if _, _, err := onnx.FindLibrary(""); err != nil && !testdata.LibraryRequired() {
		fmt.Println("context networks: not run, ONNX Runtime is absent; make library brings it")
		return nil, false
	}
	loaded := testdata.Must(onnx.Load("", ""))(t)
	t.Cleanup(func() {
		if err := loaded.Close(); err != nil {
			t.Error(err)
		}
	})
	return &counting{Runtime: loaded}, true
}

func (s *stand) file(name string, data []byte) string {
	s.Helper()
	path := filepath.Join(s.folder, name)
	must(s, os.WriteFile(path, data, 0o600))
	return path
}

// pixelsOf are the random 8-bit values of a picture: rows of 8 x RGB.
func pixelsOf(seed uint64) [8][8][3]uint8 {
	random := rand.New(rand.NewPCG(seed, 9))
	var p [8][8][3]uint8
	for y := range p {
		for x := range p[y] {
			for c := range p[y][x] {
				p[y][x][c] = uint8(random.IntN(256))
			}
		}
	}
	return p
}

func (s *stand) picture(name string, seed uint64) {
	s.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for y, row := range pixelsOf(seed) {
		for x, p := range row {
			img.SetRGBA(x, y, color.RGBA{p[0], p[1], p[2], 255})
		}
	}
	path := filepath.Join(s.folder, name)
	must(s, os.MkdirAll(filepath.Dir(path), 0o755))
	out := testdata.Must(os.Create(path))(s)
	must(s, png.Encode(out, img))
	must(s, out.Close())
}

func (s *stand) suite(name string) suite.Manifest {
	s.Helper()
	m, err := suite.Scan(s.Context(), filepath.Join(s.folder, name), suite.Options{}, engine.NoProgress{})
	must(s, err)
	return testdata.Must(s.ws.AddSuite(m))(s)
}

// refused holds an error against the sentence that it needs to be.
func (s *stand) refused(err error, want string) {
	s.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		s.Errorf("got %v\nwant %q", err, want)
	}
}
