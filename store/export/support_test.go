package export

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// ulidOf is the ULID number k of a test.
func ulidOf(k int) string { return fmt.Sprintf("01HZZZZZZZ%016d", k) }

var roundID = ulidOf(9000)

// unixEnds are line ends as CSV readers give them back.
var unixEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// lacks fails the test for each of the parts that a text does not hold.
func lacks(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
}

// sample is event k of a round: annotator labels model with v.
func sample(k int, annotator, id string, v label.Value) label.Row {
	return label.Row{
		Event: label.Event{
			ID: ulidOf(k), Desk: ulidOf(8000), Round: roundID, Model: sums.Hash(id), Annotator: annotator,
			Kind: label.Label, Pass: 1, Value: v, Sure: true, Saved: time.Date(2026, 3, 1, 12, 0, k, 250e6, time.UTC),
			Seconds: 1.5, Guideline: sums.Hash("look"),
		},
		RoundName: "first", ModelID: id,
	}
}

// desk is a workspace with three models (one of them without a second convolution, one without
// signals), a suite, signals under rotation and a round of three annotators.
type desk struct {
	*store.Workspace
	tb     testing.TB
	suite  suite.Manifest
	models []model.Model
	round  label.Round
	empty  bool // what is run gives no numbers
}

func newDesk(tb testing.TB) *desk {
	tb.Helper()
	d := &desk{Workspace: sums.Empty(tb), tb: tb}
	d.addSuite()
	for _, id := range []string{"s1", "s10", "=s2"} {
		d.addModel(id)
	}
	d.run(d.models[0], "rotation:-15:15:15")
	d.run(d.models[1], "rotation:-15:15:15")
	return d
}

func (d *desk) addSuite() {
	d.tb.Helper()
	root := filepath.Join(d.tb.TempDir(), "pets")
	m := suite.Manifest{
		Hash: sums.Hash("pets"), Name: "pets", Format: suite.Folder, Root: root, Classes: []string{"cat", "dog"},
		Named: true, Images: 6, Shape: [3]int{1, 8, 8}, Counts: []int{3, 3},
	}
	picture := image.NewGray(image.Rect(0, 0, 8, 8))
	copy(picture.Pix, bytes.Repeat([]byte{255}, 32)) // half of it, as a mask of its own
	var file bytes.Buffer
	testdata.OK(d.tb, png.Encode(&file, picture))
	for i := range m.Images {
		name := fmt.Sprintf("%d.png", i)
		images.Put(d.tb, filepath.Join(root, name), file.Bytes())
		m.Labels = append(m.Labels, i%2)
		m.Files = append(m.Files, suite.File{Path: name, Size: int64(file.Len())})
	}
	d.suite = testdata.Must(d.AddSuite(m))(d.tb)
}

func (d *desk) addModel(id string) {
	d.tb.Helper()
	convs := []string{"c1", "c2"}
	if id == "s10" {
		convs = convs[:1]
	}
	m := model.Model{
		ID: id, File: "m.onnx",
		Graph: model.Graph{
			Opset: 13, Input: model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
			Parameters: 321, Outputs: []model.Output{{Name: "y", Classes: 2}}, Convs: convs,
			Tensors: append([]string{"y"}, convs...),
		},
		Record: []model.Field{
			{Name: "optimizer", Value: "SGD"},
			{Name: "augmentation_range", Value: "-20..20"},
			{Name: "=odd", Value: "-3"},
		},
	}
	added, _, err := d.AddModel(m, strings.NewReader("model "+id))
	testdata.OK(d.tb, err)
	d.models = append(d.models, added)
}

func parsed(tb testing.TB, family string) transform.Family {
	tb.Helper()
	return testdata.Must(transform.ParseAny(family))(tb)
}

func canonical(tb testing.TB, family string) string {
	tb.Helper()
	return parsed(tb, family).String()
}

// run records made-up signals of a model under a family or transformation set.
func (d *desk) run(m model.Model, family string) {
	d.tb.Helper()
	positions := []signal.Position{
		{Name: model.CONF, Tensor: "y"}, {Name: model.Conv1, Tensor: m.Graph.Convs[len(m.Graph.Convs)-1]},
	}
	absent := []string{model.Conv2}
	if len(m.Graph.Convs) > 1 {
		positions, absent = append(positions, signal.Position{Name: model.Conv2, Tensor: "c1"}), nil
	}
	spec := sums.MadeUpSpec(d.tb, m, d.suite, canonical(d.tb, family))
	spec.Positions = positions
	transformations, classes := parsed(d.tb, family).N(), 2
	u := &signal.Unit{Transformations: transformations, Images: spec.Images, Classes: classes}
	for t := range transformations {
		for k := range spec.Images {
			own := 0
			if m.ID == "=s2" && k < 2 { // which is wrong about two more
				own = 1
			}
			u.Prediction = append(u.Prediction, int32((k+own+t/2*(k/5))%classes)) // image 5 is wrong under the last one
			u.Confidence = append(u.Confidence, 0.75)
			u.Softmax = append(u.Softmax, 0.25, 0.75)
		}
	}
	for p := range positions {
		reduced := make([]float32, signal.Reducers*transformations*spec.Images)
		for k := range reduced {
			reduced[k] = float32(math.Sin(float64(k*k + p + len(m.ID))))
			if d.empty {
				reduced[k] = float32(math.NaN())
			}
		}
		u.Reduced = append(u.Reduced, reduced)
	}
	testdata.OK(d.tb, d.Record(d.tb.Context(), spec, u))
	task := engine.Task{ID: m.ID, Spec: spec, Classes: []int{0, 1}, MappedBy: "by index", Absent: absent, Skipped: 2}
	testdata.OK(d.tb, d.Finish(d.tb.Context(), task))
}

// addRound makes a round over all models and labels it: s1 as all see it, s10 by majority, =s2 by
// one annotator only.
func (d *desk) addRound(name, filter string) label.Round {
	d.tb.Helper()
	r := label.Round{
		Name: name, Suite: d.suite.Hash, Family: canonical(d.tb, "rotation:-15:15:15"), Classes: 2, Filter: filter,
		Annotators: []string{"r1", "r2", "=r3"}, Guideline: "Look at CONF first.",
	}
	for _, m := range d.models {
		r.Models = append(r.Models, m.Hash)
	}
	r = testdata.Must(d.CreateRound(d.tb.Context(), r))(d.tb)
	for m, values := range [][]label.Value{
		{label.Variant, label.Variant, label.Variant},
		{label.Invariant, label.Variant, label.Invariant},
		{label.Variant},
	} {
		for a, v := range values {
			ev := label.Event{
				Round: r.ID, Model: r.Models[m], Annotator: r.Annotators[a], Kind: label.Label, Value: v, Sure: a != 1,
				Seconds: 2, Note: "=1+1, \"so\"\r\nhe said", Guideline: r.GuidelineHash(),
			}
			testdata.Must(d.Append(ev))(d.tb)
		}
	}
	d.round = r
	return r
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
