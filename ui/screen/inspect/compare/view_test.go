package compare

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// sidesOf are the first n models of a sample workspace, the first as the screen's own.
func sidesOf(t testing.TB, ws *sample.Workspace, s pane.Subject, n int) []Side {
	t.Helper()
	var hashes []string
	for _, m := range ws.Imported[1:n] {
		hashes = append(hashes, m.Hash)
	}
	sides := testdata.Must(loadSides(context.Background(), ws, s, hashes, nil))(t)
	return append([]Side{own(s)}, sides...)
}

func subjectOf(t testing.TB, ws *sample.Workspace, images variance.Images, first, last int) pane.Subject {
	t.Helper()
	return panetest.Within(panetest.Subject(t, ws.Workspace, ws.Imported[0].Hash, images), first, last)
}

// direct is the matrix of a side over images, computed from the signals.
func direct(t *testing.T, side Side, modality string, images []int) variance.Matrix {
	t.Helper()
	m := testdata.Must(signal.ParseModality(modality))(t)
	rows := testdata.Must(side.Set.Signals(m))(t)
	return testdata.Must(variance.Scalar(rows, images))(t)
}

func TestComputeAppliesTheControlsToEveryModel(t *testing.T) {
	ws := sample.New(t, 6)
	images := variance.AllImages()
	images.Which, images.Class = variance.Wrong, 1
	const first, last = 5, 25
	images.Class = variance.AnyClass
	s := subjectOf(t, ws, images, first, last)
	sides := sidesOf(t, ws, s, 4)
	r := Compute(sides, Query{Subject: s, Modalities: []string{"mean@CONV-1"}, Minuend: 2, Subtrahend: 1})
	if len(r.Columns) != 4 || r.Problem != "" || len(r.Axis.Values) != last-first+1 {
		t.Fatalf("%d columns, problem %q, axis %v", len(r.Columns), r.Problem, r.Axis.Values)
	}
	for k, side := range sides {
		rows := side.Set.Predictions()
		chosen := testdata.Must(images.Choose(ws.Shapes.Labels, rows[15], side.Mapping))(t)
		c := r.Columns[k]
		want := direct(t, side, "mean@CONV-1", chosen)
		for i := first; i <= last; i++ {
			for j := first; j <= last; j++ {
				if got := c.Tiles[0].Matrix.At(i-first, j-first); got != want.At(i, j) {
					t.Fatalf("model %d: element %d, %d is %v, want %v", k, i, j, got, want.At(i, j))
				}
			}
		}
		accuracy, robust := variance.Accuracy(rows[first:last+1], ws.Shapes.Labels, side.Mapping, chosen)
		if !slices.Equal(c.Accuracy, accuracy) || c.Robust != robust || c.Images != len(chosen) {
			t.Errorf("model %d: %s", k, c.Caption())
		}
		if c.Tiles[0].Scale != s.View.Scale("mean@CONV-1") || c.Tiles[0].Picture.Matrix.N == 0 {
			t.Errorf("model %d has a range of its own", k)
		}
	}
	d, a, b := r.Difference[0].Matrix, r.Columns[2].Tiles[0].Matrix, r.Columns[1].Tiles[0].Matrix
	largest := 0.0
	for k := range d.Data {
		if d.Data[k] != a.Data[k]-b.Data[k] {
			t.Fatalf("difference %v of %v and %v", d.Data[k], a.Data[k], b.Data[k])
		}
		largest = math.Max(largest, math.Abs(d.Data[k]))
	}
	scale := r.Difference[0].Scale
	if scale.Low != -scale.High || scale.High != render.RoundUp(largest) || scale.Map != &render.Diverging {
		t.Errorf("range of the difference %v..%v for values up to %v", scale.Low, scale.High, largest)
	}
	if r.DifferenceName() != "m02 - m01" {
		t.Errorf("name %q", r.DifferenceName())
	}
}

func TestSameImagesForAll(t *testing.T) {
	ws := sample.New(t, 14)
	images := variance.AllImages()
	images.Which = variance.Correct
	s := subjectOf(t, ws, images, 0, sample.Last)
	sides := sidesOf(t, ws, s, 3)
	// One image that only the first model gets right.
	other := *sides[1].Set
	other.Prediction = slices.Clone(other.Prediction)
	other.Prediction[15*other.Images] = 2
	sides[1].Set = &other
	apart := Compute(sides, Query{Subject: s, Modalities: []string{"max@CONF"}})
	same := Compute(sides, Query{Subject: s, Modalities: []string{"max@CONF"}, Same: true})
	if apart.Columns[0].Images != apart.Columns[1].Images+1 {
		t.Fatalf("%d and %d images", apart.Columns[0].Images, apart.Columns[1].Images)
	}
	if got := apart.Head(1); !strings.HasPrefix(got, "55 images, accuracy 100.0 %, robust ") {
		t.Errorf("head %q", got)
	}
	if got := same.Head(1); !strings.HasPrefix(got, "accuracy 100.0 %, robust ") || strings.Contains(got, "image") {
		t.Errorf("head %q", got)
	}
	for k, c := range same.Columns {
		if c.Images != apart.Columns[1].Images {
			t.Errorf("model %d: %s", k, c.Caption())
		}
	}
	if same.Title() != "shapes, "+s.Evidence.Family+", correct, the same images for all" {
		t.Errorf("title %q", same.Title())
	}
	// Nothing in common.
	for k := range other.Images {
		other.Prediction[15*other.Images+k] = int32((ws.Shapes.Labels[k] + 1) % 3)
	}
	sides[1].Set.Prediction[15*other.Images+3] = int32(ws.Shapes.Labels[3])
	none := Compute(sides, Query{Subject: s, Modalities: []string{"max@CONF"}, Same: true})
	if none.Problem == "" || none.Columns[0].Tiles[0].Reason != "no images left" {
		t.Errorf("problem %q, tile %+v", none.Problem, none.Columns[0].Tiles[0].Reason)
	}
	for which, want := range []string{
		"the same images for all", "images that all get right",
		"images that all get wrong",
	} {
		if got := sameWords(variance.Images{Which: variance.Which(which)}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	ws := sample.New(t, 6) // the fifth has one convolution, the sixth no signals
	s := subjectOf(t, ws, variance.AllImages(), 0, sample.Last)
	sides, err := loadSides(context.Background(), ws, s,
		[]string{ws.Imported[4].Hash, ws.Imported[5].Hash, "gone"}, nil)
	if err != nil || len(sides) != 2 {
		t.Fatalf("%d sides, %v", len(sides), err)
	}
	r := Compute(append([]Side{own(s)}, sides...),
		Query{Subject: s, Modalities: []string{"max@CONF", "max@CONV-2"}, Minuend: 0, Subtrahend: 1})
	if got := r.Columns[1].Tiles[1].Reason; got != "no second convolution" {
		t.Errorf("reason %q", got)
	}
	if got := r.Columns[2].Tiles[0].Reason; got != "no signals" {
		t.Errorf("reason %q", got)
	}
	if r.Difference[0].Matrix.N != 31 || r.Difference[1].Reason != "no second convolution" ||
		r.Columns[2].Caption() != "" {
		t.Errorf("difference %+v", r.Difference[1].Reason)
	}
	if got := r.ReadOut(1, 3, 4); !strings.Contains(got, "m04 -   m05 -   difference -") {
		t.Errorf("read-out %q", got)
	}
	if r.ReadOut(0, 31, 0) != "" || r.ReadOut(5, 0, 0) != "" {
		t.Error("a read-out outside")
	}
	for _, format := range render.Formats() {
		var out bytes.Buffer
		if err := render.WriteGrid(&out, r.Figures(), r.Title(), format); err != nil || out.Len() < 1000 {
			t.Errorf("%s: %v, %d bytes", format, err, out.Len())
		}
	}
	var svg bytes.Buffer
	testdata.OK(t, render.WriteGrid(&svg, r.Figures(), r.Title(), "svg"))
	for _, text := range []string{
		"m00 - m04", "no second convolution", "difference of max@CONF",
		"accuracy 93.3 %, robust",
	} {
		if !strings.Contains(svg.String(), text) {
			t.Errorf("the figure lacks %q", text)
		}
	}
}

// What is in memory is not read again.
func TestSidesAreKept(t *testing.T) {
	ws := sample.New(t, 5)
	s := subjectOf(t, ws, variance.AllImages(), 0, sample.Last)
	before := sidesOf(t, ws, s, 3)[1:]
	after, err := loadSides(context.Background(), ws, s,
		[]string{before[1].Model.Hash, before[0].Model.Hash, ws.Imported[3].Hash}, before)
	if err != nil || after[0].Set != before[1].Set || after[1].Set != before[0].Set || after[2].Set == nil {
		t.Errorf("sides were read again: %v", err)
	}
	s.Evidence.Tiles = s.Evidence.Tiles[:1]
	fewer, err := loadSides(context.Background(), ws, s, []string{before[0].Model.Hash}, before)
	if err != nil || fewer[0].Set == before[0].Set || len(fewer[0].loaded) != 1 {
		t.Errorf("other modalities from an old set: %v", err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := loadSides(ended, ws, s, []string{before[0].Model.Hash}, nil); err == nil {
		t.Error("an ended context")
	}
}
