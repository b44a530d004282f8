package storetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/database"
)

// Workspace is what these helpers need of a store.Workspace, whose own tests use them, too.
type Workspace interface {
	AddSuite(m suite.Manifest) (suite.Manifest, error)
	Record(ctx context.Context, spec signal.Spec, unit *signal.Unit) error
	Finish(ctx context.Context, task engine.Task) error
	CreateRound(ctx context.Context, r label.Round) (label.Round, error)
	AppendModels(id string, hashes []string) (added []string, err error)
	CloseRound(id string, closed bool) error
	DeleteRound(id string) (label.Round, error)
	Append(ev label.Event) (label.Event, error)
	Path() string
	Close() error
}

// modelAdder is the method of a store.Workspace that returns what only package store knows.
type modelAdder[A any] interface {
	AddModel(m model.Model, data io.Reader) (model.Model, A, error)
}

// AddPictures stores a folder suite of six gray 8 x 8 images in the classes a and b.
func AddPictures(tb testing.TB, w Workspace) suite.Manifest {
	tb.Helper()
	root := filepath.Join(tb.TempDir(), "pictures")
	for i := range 6 {
		img := image.NewGray(image.Rect(0, 0, 8, 8))
		for x := range img.Pix {
			img.SetGray(x%8, x/8, color.Gray{Y: uint8(40*i + 2*x)})
		}
		var out bytes.Buffer
		testdata.OK(tb, png.Encode(&out, img))
		place := filepath.Join(root, []string{"a", "b"}[i%2], fmt.Sprintf("%d.png", i))
		WriteFile(tb, place, out.Bytes())
	}
	m := testdata.Must(suite.Scan(tb.Context(), root, suite.Options{}, engine.NoProgress{}))(tb)
	return testdata.Must(w.AddSuite(m))(tb)
}

// Labelled is a small workspace without a backup: a round of one label, one of none, one of
// several, a removed one. It closes w, which is new.
func Labelled[A any](t *testing.T, w interface {
	Workspace
	modelAdder[A]
},
) (x Folder, want map[string]string) {
	t.Helper()
	m, n, s := AddModel(t, w, "m"), AddModel(t, w, "n"), AddSuite(t, w, "s", 3)
	AddRound(t, w, s, m)
	Append(t, w, LabelEvent(AddRound(t, w, s, m), m.Hash, "A", label.Variant))
	several := AddRound(t, w, s, m)
	for k := range 30 {
		Append(t, w, LabelEvent(several, m.Hash, []string{"A", "B"}[k%2], label.Invariant))
	}
	testdata.Must(w.AppendModels(several.ID, []string{n.Hash}))(t)
	Append(t, w, LabelEvent(several, n.Hash, "B", label.Variant))
	testdata.Must(w.DeleteRound(AddRound(t, w, s, n).ID))(t)
	testdata.OK(t, w.CloseRound(several.ID, true))
	testdata.OK(t, w.Close())
	x = Folder{w.Path()}
	return x, x.Labels(t)
}

// MaskPNG is a mask of height x width pixels whose first rows are foreground.
func MaskPNG(tb testing.TB, height, width, rows int) []byte {
	tb.Helper()
	img := image.NewGray(image.Rect(0, 0, width, height))
	for i := range rows * width {
		img.SetGray(i%width, i/width, color.Gray{Y: 255})
	}
	var out bytes.Buffer
	testdata.OK(tb, png.Encode(&out, img))
	return out.Bytes()
}

// WriteMasks writes a mask for every image of a suite of 8 x 8 pixels to a folder; all differ.
func WriteMasks(tb testing.TB, m suite.Manifest) string {
	tb.Helper()
	root := filepath.Join(tb.TempDir(), "masks")
	for i, f := range m.Files {
		at := filepath.Join(root, filepath.FromSlash(database.MaskName(f.Path)))
		WriteFile(tb, at, MaskPNG(tb, 8, 8, 1+i%7))
	}
	return root
}

// Keywords has one target and else backgrounds, two elements and one scene; no number of it is a
// short decimal.
func Keywords(rows int) background.Table {
	t := background.Table{Elements: []string{"sky", "sand"}, Scenes: []string{"beach"}}
	for i := range rows {
		row := background.Row{
			File: fmt.Sprintf("bg_%d.png", i), Kind: background.BackgroundKind, Scene: "beach",
			Visible: 64,
		}
		if i == 0 {
			row.Kind, row.Label, row.File = background.TargetKind, "cat", "cat/0.png"
		}
		row.Vector = []float64{float64(i) / 7, math.Nextafter(0.1, 1), 1 / float64(i+3)}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Selection has two scenes for each of four targets; shift makes others.
func Selection(targets, masks, backgrounds, table string, shift int) background.Selection {
	s := background.Selection{
		Targets: targets, Masks: masks, Backgrounds: backgrounds, Table: table,
		Rule: background.PaperRule(), Expansion: background.DefaultExpansion(),
		Choice: background.Choice{Method: background.Nearest, N: 2, Seed: 1}, Vetoed: []int{6},
	}
	for t := range 4 {
		s.Chosen = append(s.Chosen, []background.Scene{
			{Background: (t + shift) % 6, Distance: 0.25 + float64(t)/3, Keyword: -1, Level: -1},
			{Background: (t + shift + 1) % 6, Distance: 1 / 3.0, Keyword: 2, Level: 1},
		})
	}
	return s
}

// AddModel stores a model whose file is the text of its id.
func AddModel[A any](tb testing.TB, w modelAdder[A], id string) model.Model {
	tb.Helper()
	m, _, err := w.AddModel(model.Model{ID: id, File: id + ".onnx", Graph: Graph()}, strings.NewReader("model "+id))
	testdata.OK(tb, err)
	return m
}

// Graph is that of a model of two convolutions and three classes.
func Graph() model.Graph {
	return model.Graph{
		Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
		Outputs: []model.Output{{Name: "y", Classes: 3}}, Convs: []string{"c1", "c2"},
		Tensors: []string{"c1", "r1", "c2", "y"},
	}
}

// AddSuite stores a suite of images 0.png, 1.png, ... whose labels are 0, 1, 2, 0, ... The files
// hold their names only.
func AddSuite(tb testing.TB, w Workspace, name string, images int) suite.Manifest {
	tb.Helper()
	return testdata.Must(w.AddSuite(WriteSuite(tb, name, images)))(tb)
}

// WriteSuite writes the images of such a suite.
func WriteSuite(tb testing.TB, name string, images int) suite.Manifest {
	tb.Helper()
	root := filepath.Join(tb.TempDir(), name)
	m := suite.Manifest{
		Hash: HashOf(name), Name: name, Format: suite.Folder, Root: root, Classes: []string{"cat", "dog", "eel"},
		Named: true, Images: images, Shape: [3]int{1, 8, 8}, Counts: make([]int, 3),
	}
	for i := range images {
		class := i % 3
		m.Labels = append(m.Labels, class)
		m.Counts[class]++
		file := filepath.Join(root, m.Classes[class], fmt.Sprintf("%d.png", i))
		WriteFile(tb, file, []byte(file))
		info := testdata.Must(os.Stat(file))(tb)
		m.Files = append(m.Files, suite.File{
			Path: m.Classes[class] + fmt.Sprintf("/%d.png", i), Size: info.Size(), Modified: info.ModTime(),
		})
	}
	return m
}

// HashOf is a hash that a text stands for.
func HashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Family has three transformations.
func Family(tb testing.TB) string {
	tb.Helper()
	return testdata.Must(transform.Parse("rotation:-15:15:15"))(tb).String()
}

// Spec is the spec of signals of a model on a suite under Family.
func Spec(tb testing.TB, m model.Model, s suite.Manifest) signal.Spec {
	tb.Helper()
	return testdata.Must(SpecOf(m, s, Family(tb)))(tb)
}

// SpecOf is Spec under any family.
func SpecOf(m model.Model, s suite.Manifest, family string) (signal.Spec, error) {
	settings, err := m.Settings()
	return signal.Spec{
		Model: m.Hash, Source: s.Hash, Images: s.Images, Family: family, Preprocessing: settings.Preprocessing,
		OutputKind: settings.OutputKind, Output: settings.Output, Channels: 1, Height: 8, Width: 8,
		Positions: []signal.Position{
			{Name: model.CONF, Tensor: "y"}, {Name: model.Conv1, Tensor: "c2"}, {Name: model.Conv2, Tensor: "c1"},
		},
		Vectors: []string{"L2@CONV-1"}, Batch: 32, Runtime: "1", Arch: "a", Level: "l",
	}, err
}

// Unit makes the unit of a chunk from a formula, so that every number tells where it belongs.
func Unit(spec signal.Spec, chunk, transformations, classes int) *signal.Unit {
	first, n := spec.ChunkImages(chunk)
	u := &signal.Unit{Chunk: chunk, Transformations: transformations, Images: n, Classes: classes}
	for t := range transformations {
		for k := range n {
			image := first + k
			u.Prediction = append(u.Prediction, int32((image+t/2)%classes))
			u.Confidence = append(u.Confidence, testSignal(9, 9, t, image))
			if classes > signal.FullSoftmaxClasses {
				u.TrueScore = append(u.TrueScore, testSignal(8, 8, t, image))
			}
			for c := range classes {
				if classes <= signal.FullSoftmaxClasses {
					u.Softmax = append(u.Softmax, testSignal(c, 7, t, image))
				}
			}
		}
	}
	for p := range spec.Positions {
		var reduced []float32
		for r := range signal.Reducers {
			for t := range transformations {
				for k := range n {
					reduced = append(reduced, testSignal(p, r, t, first+k))
				}
			}
		}
		u.Reduced = append(u.Reduced, reduced)
	}
	for range spec.Vectors {
		var distances []float32
		for p := range signal.Pairs(transformations) {
			for k := range n {
				distances = append(distances, testSignal(6, 6, p, first+k))
			}
		}
		u.Distances = append(u.Distances, distances)
	}
	return u
}

func testSignal(a, b, t, image int) float32 {
	return float32(math.Sin(float64(a*1000+b*100+t*10)) + math.Cos(float64(image+a*t)))
}

// RunModel records all units of a spec and finishes it.
func RunModel(tb testing.TB, w Workspace, m model.Model, spec signal.Spec) engine.Task {
	tb.Helper()
	for chunk := range spec.Chunks() {
		testdata.OK(tb, w.Record(tb.Context(), spec, Unit(spec, chunk, 3, 3)))
	}
	task := engine.Task{ID: m.ID, Spec: spec, Classes: []int{0, 1, 2}, MappedBy: "by index", Skipped: 2}
	testdata.OK(tb, w.Finish(tb.Context(), task))
	return task
}

// AddRound makes a round of two annotators over models.
func AddRound(tb testing.TB, w Workspace, s suite.Manifest, models ...model.Model) label.Round {
	tb.Helper()
	r := label.Round{
		Name: "first", Suite: s.Hash, Family: Family(tb), Guideline: "look",
		Annotators: []string{"A", "B"},
	}
	for _, m := range models {
		r.Models = append(r.Models, m.Hash)
	}
	return testdata.Must(w.CreateRound(tb.Context(), r))(tb)
}

// LabelEvent is a label that an annotator gives a model.
func LabelEvent(r label.Round, m, annotator string, v label.Value) label.Event {
	return label.Event{
		Round: r.ID, Model: m, Annotator: annotator, Kind: label.Label, Value: v, Sure: true,
		Seconds: 1.5,
	}
}

// Append appends an event.
func Append(tb testing.TB, w Workspace, ev label.Event) label.Event {
	tb.Helper()
	return testdata.Must(w.Append(ev))(tb)
}

// Thumb is a picture with a line of this shade.
func Thumb(shade uint8) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 9, 5))
	for x := range 9 {
		img.SetRGBA(x, 2, color.RGBA{shade, uint8(x), 7, 0xff})
	}
	return img
}
