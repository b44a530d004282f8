package predictions

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

var must = testdata.OK

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const images = sums.Images

// rotation has three transformations.
const rotation = "rotation:-15:15:15;interpolation=bilinear;border=zero"

// fixture is a workspace with a suite of three classes and models with made-up signals.
type fixture struct {
	*store.Workspace
	tb   testing.TB
	pets suite.Manifest
	sets map[string]*signal.Set // by model hash and family, put together number by number
}

func newFixture(tb testing.TB) *fixture {
	tb.Helper()
	b := &fixture{Workspace: sums.Empty(tb), tb: tb, sets: map[string]*signal.Set{}}
	b.pets = b.suite("pets", "cat", "dog", "eel")
	return b
}

// suite adds a suite, which has no labels without classes.
func (b *fixture) suite(name string, classes ...string) suite.Manifest {
	b.tb.Helper()
	return sums.MadeUpSuite(b.tb, b.Workspace, name, 1, len(classes) > 0, classes...)
}

// model adds a model of so many classes, with names if some are given.
func (b *fixture) model(id string, classes int, names ...string) model.Model {
	b.tb.Helper()
	m := model.Model{
		ID: id, File: id + ".onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: classes}}, Convs: []string{"c1"}, Tensors: []string{"y", "c1"},
		},
		Correction: model.Correction{ClassNames: names},
	}
	m, _, err := b.AddModel(m, strings.NewReader("model "+id))
	must(b.tb, err)
	return m
}

// run records signals of a model and finishes them; mapped is the model's class for each of the
// suite's.
func (b *fixture) run(m model.Model, s suite.Manifest, family string, mapped []int) *signal.Set {
	b.tb.Helper()
	return b.runOn("", m, s, family, mapped)
}

// runOn is run on a kind of device, empty for the processor.
func (b *fixture) runOn(device string, m model.Model, s suite.Manifest, family string, mapped []int) *signal.Set {
	b.tb.Helper()
	f := testdata.Must(transform.ParseAny(family))(b.tb)
	spec := sums.MadeUpSpec(b.tb, m, s, f.String())
	spec.Device, spec.Positions = device, []signal.Position{{Name: model.CONF, Tensor: "y"}}
	task := engine.Task{ID: m.ID, Spec: spec, Classes: mapped, MappedBy: "by name"}
	set := sums.Record(b.tb, b.Workspace, task, func(chunk int) *signal.Unit {
		return madeUp(spec, chunk, f.N(), m.Graph.Outputs[0].Classes)
	})
	b.sets[m.Hash+family] = set
	return set
}

// madeUp is a unit of random softmax vectors with what follows from them.
func madeUp(spec signal.Spec, chunk, transformations, classes int) *signal.Unit {
	_, n := spec.ChunkImages(chunk)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", spec.Model, spec.Family, chunk))
	rng := rand.New(rand.NewPCG(uint64(sum[0])<<8|uint64(sum[1]), uint64(sum[2])))
	u := &signal.Unit{Chunk: chunk, Transformations: transformations, Images: n, Classes: classes}
	for range transformations * n {
		row := make([]float32, classes)
		total := float32(0)
		for c := range row {
			row[c] = rng.Float32() + 0.01
			total += row[c]
		}
		for c := range row {
			row[c] /= total
		}
		best := largest(row)
		u.Prediction, u.Confidence = append(u.Prediction, int32(best)), append(u.Confidence, row[best])
		if classes <= signal.FullSoftmaxClasses {
			u.Softmax = append(u.Softmax, row...)
		} else {
			u.TrueScore = append(u.TrueScore, row[0])
		}
	}
	reduced := make([]float32, signal.Reducers*transformations*n)
	for k := range reduced {
		reduced[k] = rng.Float32()
	}
	u.Reduced = [][]float32{reduced}
	return u
}

// table keeps predictions of the classes (i + j) modulo 3 for image i and model j, with
// probabilities for the first model.
func (b *fixture) table(name, suite string, samples int, models ...string) store.PredictionTable {
	b.tb.Helper()
	t := Table{
		Name: name, Suite: suite, Models: models, Samples: samples, Classes: 3,
		ClassNames: []string{"dog", "eel", "cat"},
	}
	soft := make([]float32, 0, 3*samples)
	for i := range samples {
		for j := range models {
			t.Labels = append(t.Labels, int32((i+j)%3))
		}
		row := []float32{.125, .125, .125}
		row[i%3] = .75
		soft = append(soft, row...)
		t.Truth = append(t.Truth, int32(i%2))
	}
	t.Probabilities = append(make([][]float32, 0, len(models)), soft)
	t.Probabilities = t.Probabilities[:len(models)]
	return testdata.Must(Keep(b.Workspace, t))(b.tb)
}

// npy encodes numbers as NumPy's format 1.0; descr must fit the type of values.
func npy(tb testing.TB, descr string, columns bool, shape []int, values any) []byte {
	tb.Helper()
	dims := make([]string, len(shape))
	for i, d := range shape {
		dims[i] = fmt.Sprint(d)
	}
	order := map[bool]string{false: "False", true: "True"}[columns]
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s,), }", descr, order,
		strings.Join(dims, ", "))
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	data := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(header)))...)
	data = append(data, header...)
	var endian binary.AppendByteOrder = binary.LittleEndian
	if strings.HasPrefix(descr, ">") {
		endian = binary.BigEndian
	}
	out := bytes.NewBuffer(data)
	must(tb, binary.Write(out, endian.(binary.ByteOrder), values))
	return out.Bytes()
}

type member struct {
	name    string
	content []byte
}

func npz(tb testing.TB, members ...member) []byte {
	tb.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, m := range members {
		entry, err := archive.Create(m.name + ".npy")
		if err == nil {
			_, err = entry.Write(m.content)
		}
		must(tb, err)
	}
	must(tb, archive.Close())
	return out.Bytes()
}

// put writes a file into a new folder and returns its path.
func put(tb testing.TB, name, content string) string {
	tb.Helper()
	return putIn(tb, tb.TempDir(), name, content)
}

func putIn(tb testing.TB, folder, name, content string) string {
	tb.Helper()
	path := filepath.Join(folder, name)
	must(tb, os.WriteFile(path, []byte(content), 0o644))
	return path
}
