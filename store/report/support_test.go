package report

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/html"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

// hostile is text that would do harm on a page that does not escape it.
const hostile = `</style></svg><script>alert("x")</script><img src=x onerror=alert(1)>"'&amp;`

const family = "rotation:-10:10:5"

// written is the date of all reports in tests.
var written = time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)

// desk is a workspace with a suite of 64 images in two classes, and three models: s1 with all
// matrices and one extreme image (number 7), s2 without a second convolution, s3 without signals.
type desk struct {
	*store.Workspace
	tb     testing.TB
	suite  suite.Manifest
	models []model.Model
	wrong  int // images from the first on that run makes wrong under every transformation
}

func newDesk(tb testing.TB) *desk {
	tb.Helper()
	d := &desk{Workspace: sums.Empty(tb), tb: tb}
	d.addSuite(true)
	for k, id := range []string{"s1", "s2", "s3"} {
		d.addModel(id, k != 1)
	}
	d.run(d.models[0], 7)
	d.run(d.models[1], -1)
	return d
}

func (d *desk) addSuite(labelled bool) {
	d.tb.Helper()
	root := filepath.Join(d.tb.TempDir(), "pets")
	m := suite.Manifest{
		Hash: sums.Hash(fmt.Sprint("pets", labelled)), Name: "pets", Format: suite.Folder, Root: root, Images: 64,
		Shape: [3]int{1, 8, 8}, Skipped: []suite.Skipped{{Path: "bad.png", Reason: "cut off"}},
	}
	if labelled {
		m.Classes, m.Named, m.Counts = []string{"cat", "dog"}, true, []int{32, 32}
	}
	picture := image.NewGray(image.Rect(0, 0, 8, 8))
	copy(picture.Pix, bytes.Repeat([]byte{255}, 32)) // half of it, as a mask of its own
	var file bytes.Buffer
	testdata.OK(d.tb, png.Encode(&file, picture))
	for i := range m.Images {
		name := fmt.Sprintf("%02d.png", i)
		images.Put(d.tb, filepath.Join(root, name), file.Bytes())
		class := -1
		if labelled {
			class = i % 2
		}
		m.Labels = append(m.Labels, class)
		m.Files = append(m.Files, suite.File{Path: name, Size: int64(file.Len())})
	}
	d.suite = testdata.Must(d.AddSuite(m))(d.tb)
}

func (d *desk) addModel(id string, twoConvs bool) model.Model {
	d.tb.Helper()
	convs := []string{"c1", "c2"}
	if !twoConvs {
		convs = convs[:1]
	}
	m := model.Model{
		ID: id, File: id + ".onnx",
		Graph: model.Graph{
			Opset: 13, IR: 7, Producer: "maker", Parameters: 32100, Convs: convs,
			Tensors: append([]string{"y"}, convs...),
			Input:   model.Input{Name: "x", Layout: model.NCHW, Channels: 1, Height: 8, Width: 8},
			Outputs: []model.Output{{Name: "y", Classes: 2}},
		},
		Record: []model.Field{
			{Name: "optimizer", Value: "SGD"},
			{Name: "mean", Value: "0.5"},
			{Name: "std", Value: "0.25"},
			{Name: "remark", Value: hostile},
		},
	}
	for e := 1; e <= 4; e++ {
		m.Curves = append(m.Curves, model.Epoch{
			Epoch: e, Values: map[string]float64{"train_loss": 1 / float64(e), "test_loss": 1.2 / float64(e)},
		})
	}
	added, _, err := d.AddModel(m, strings.NewReader("model "+id))
	testdata.OK(d.tb, err)
	d.models = append(d.models, added)
	return added
}

func canonical(tb testing.TB) transform.Family {
	tb.Helper()
	return testdata.Must(transform.Parse(family))(tb)
}

// run records made-up signals: every image changes a little, the extreme one a hundred times as
// much in the convolutions.
func (d *desk) run(m model.Model, extreme int) {
	d.tb.Helper()
	positions := []signal.Position{
		{Name: model.CONF, Tensor: "y"}, {Name: model.Conv1, Tensor: m.Graph.Convs[len(m.Graph.Convs)-1]},
	}
	absent := []string{model.Conv2}
	if len(m.Graph.Convs) > 1 {
		positions, absent = append(positions, signal.Position{Name: model.Conv2, Tensor: "c1"}), nil
	}
	spec := sums.MadeUpSpec(d.tb, m, d.suite, canonical(d.tb).String())
	spec.Vectors, spec.Positions, spec.Level = []string{"L2@CONF"}, positions, "avx2"
	testdata.OK(d.tb, d.Record(d.tb.Context(), spec, madeUp(spec, canonical(d.tb).Values(), extreme, d.wrong)))
	task := engine.Task{ID: m.ID, Spec: spec, Classes: []int{0, 1}, MappedBy: "by index", Absent: absent, Skipped: 1}
	testdata.OK(d.tb, d.Finish(d.tb.Context(), task))
}

func madeUp(spec signal.Spec, values []float64, extreme, wrong int) *signal.Unit {
	u := &signal.Unit{Transformations: len(values), Images: spec.Images, Classes: 2}
	for range spec.Positions {
		u.Reduced = append(u.Reduced, make([]float32, signal.Reducers*len(values)*spec.Images))
	}
	plane := len(values) * spec.Images
	for t, v := range values {
		for k := range spec.Images {
			change := v / 10 * float64(1+k%3) / 20
			prediction := k % 2
			if k < 8 && t == len(values)-1 || k == 63 || k < wrong {
				prediction = 1 - prediction // eight are wrong under the last one, one always
			}
			confidence := float32(0.8 + change/2)
			u.Prediction = append(u.Prediction, int32(prediction))
			u.Confidence = append(u.Confidence, confidence)
			u.Softmax = append(u.Softmax, 1-confidence, confidence)
			if k == extreme {
				change *= 100
			}
			for p, reduced := range u.Reduced {
				for r := range signal.Reducers {
					value := confidence
					if p > 0 {
						value = float32(3 + change*float64(r+1))
					}
					reduced[r*plane+t*spec.Images+k] = value
				}
			}
		}
	}
	u.Distances = [][]float32{make([]float32, signal.Pairs(len(values))*spec.Images)}
	for k := range u.Distances[0] {
		u.Distances[0][k] = float32(k%5) / 10
	}
	return u
}

// models asks for the report of models by their place.
func (d *desk) question(models ...int) Request {
	q := Request{Suite: d.suite.Hash, Family: family, Version: "1.2.3", Written: written}
	for _, k := range models {
		q.Models = append(q.Models, d.models[k].Hash)
	}
	return q
}

// addRound makes a round over all models; change may be nil.
func (d *desk) addRound(change func(*label.Round)) label.Round {
	d.tb.Helper()
	r := label.Round{
		Name: "first", Suite: d.suite.Hash, Family: canonical(d.tb).String(), Classes: 3,
		Annotators: []string{"a", "b", "c"},
		Guideline: "# How\n\nCall it **invariant** when all is *calm*,\nelse variant.\n\n1. Look at CONF.\n- " +
			hostile, RepeatShare: 0.25,
	}
	for _, m := range d.models {
		r.Models = append(r.Models, m.Hash)
	}
	if change != nil {
		change(&r)
	}
	return testdata.Must(d.CreateRound(d.tb.Context(), r))(d.tb)
}

// put labels a model; the zero value is a skip.
func (d *desk) put(r label.Round, annotator string, item int, v label.Value, change func(*label.Event)) label.Event {
	d.tb.Helper()
	ev := label.Event{
		Round: r.ID, Model: r.Models[item], Annotator: annotator, Kind: label.Label, Value: v, Sure: true, Seconds: 4,
	}
	if v == "" {
		ev.Kind = label.Skip
	}
	if change != nil {
		change(&ev)
	}
	return testdata.Must(d.Append(ev))(d.tb)
}

// labelAll gives s1 three different labels, s2 two against one, s3 one label and a skip.
func (d *desk) labelAll(r label.Round) {
	d.put(r, "a", 0, label.Invariant, func(ev *label.Event) { ev.Note, ev.Flag, ev.Seconds = hostile, "odd", 2 })
	d.put(r, "b", 0, label.Borderline, func(ev *label.Event) { ev.Sure = false })
	d.put(r, "c", 0, label.Variant, nil)
	d.put(r, "a", 1, label.Variant, nil)
	d.put(r, "b", 1, label.Variant, nil)
	d.put(r, "c", 1, label.Invariant, func(ev *label.Event) { ev.Seconds = 75 })
	d.put(r, "a", 2, label.Invariant, nil)
	d.put(r, "b", 2, "", nil)
	d.put(r, "a", 1, label.Variant, func(ev *label.Event) { ev.Pass = 2 })
	d.put(r, "a", 0, label.Variant, func(ev *label.Event) { ev.Pass = 2 })
}

func (d *desk) make(q Request) *Document {
	d.tb.Helper()
	return testdata.Must(Make(d.tb.Context(), d.Workspace, q, nil))(d.tb)
}

func htmlOf(tb testing.TB, d *Document) string {
	tb.Helper()
	var out bytes.Buffer
	testdata.OK(tb, d.HTML(&out))
	return out.String()
}

func pdfOf(tb testing.TB, d *Document) []byte {
	tb.Helper()
	var out bytes.Buffer
	testdata.OK(tb, d.PDF(&out))
	return out.Bytes()
}

// parsed is a page as a browser reads it.
type parsed struct{ root *html.Node }

func parse(tb testing.TB, page string) parsed {
	tb.Helper()
	return parsed{testdata.Must(html.Parse(strings.NewReader(page)))(tb)}
}

// each visits all elements of a name, "" for all.
func (p parsed) each(name string, visit func(*html.Node)) {
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && (name == "" || n.Data == name) {
			visit(n)
		}
	}
}

func (p parsed) count(name string) (n int) {
	p.each(name, func(*html.Node) { n++ })
	return n
}

// text is all text below a node, without styles, blanks between elements.
func text(n *html.Node) string {
	var parts []string
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.Data != "style" && strings.TrimSpace(d.Data) != "" {
			parts = append(parts, strings.TrimSpace(d.Data))
		}
	}
	return strings.Join(parts, " ")
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// sectionNamed returns a section's blocks by its title.
func sectionNamed(tb testing.TB, d *Document, title string) Section {
	tb.Helper()
	for _, s := range d.Sections {
		if s.Title == title {
			return s
		}
	}
	tb.Fatalf("there is no section %q", title)
	return Section{}
}

// sectionText is what a section says, blocks line by line and cells apart by " | ".
func sectionText(tb testing.TB, d *Document, title string) string {
	tb.Helper()
	var lines []string
	for _, b := range sectionNamed(tb, d, title).Blocks {
		lines = append(lines, blockLines(b)...)
	}
	return strings.Join(lines, "\n")
}

func blockLines(b Block) (lines []string) {
	switch b := b.(type) {
	case Text:
		line := b.Mark
		for _, r := range b.Runs {
			line += r.Text
		}
		return []string{line}
	case Facts:
		for _, f := range b {
			lines = append(lines, strings.TrimSpace(f.Name+" = "+f.Value+" "+f.Remark))
		}
	case Table:
		var heads []string
		fields, rows := b.Sheet.Cells()
		for _, f := range fields {
			heads = append(heads, f.Title)
		}
		lines = append(lines, b.Caption, strings.Join(heads, " | "))
		for _, row := range rows {
			lines = append(lines, strings.Join(row, " | "))
		}
	case Figures:
		for _, f := range b {
			lines = append(lines, f.Caption)
		}
	}
	return lines
}

// tableOf makes a table of texts: a title that ends in # is a column of numbers, one that ends in %
// of hashes.
func tableOf(caption string, titles []string, rows ...[]string) Table {
	t := result.Table[[]string]{
		Name: "t", Title: "T", Noun: "row", ID: func(row []string) string { return fmt.Sprint(row) },
	}
	for k, title := range titles {
		c := result.Column[[]string]{Key: fmt.Sprint("c", k), Title: strings.TrimRight(title, "#%")}
		switch {
		case strings.HasSuffix(title, "#"):
			c.Format, c.Value = result.Count, func(row []string) float64 {
				v, _ := strconv.ParseFloat(row[k], 64)
				return v
			}
		case strings.HasSuffix(title, "%"):
			c.Format, c.Text = result.ID, func(row []string) string { return row[k] }
		default:
			c.Text = func(row []string) string { return row[k] }
		}
		t.Columns = append(t.Columns, c)
	}
	return Table{Caption: caption, Sheet: t.Sheet(rows)}
}

// expect fails for every text that is not in got.
func expect(tb testing.TB, got string, texts ...string) {
	tb.Helper()
	for _, want := range texts {
		if !strings.Contains(got, want) {
			tb.Errorf("there is no %q in\n%s", want, got)
		}
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
