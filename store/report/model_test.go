package report

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
)

func TestReportOfAModel(t *testing.T) {
	d := newDesk(t)
	report := d.make(d.question(0))
	if report.Title != "Model s1" || !slices.Equal(report.Lines,
		[]string{"rotation -10..10° step 5 on the suite pets", "Variscope 1.2.3", "Written 2026-03-01 12:30 UTC"}) {
		t.Errorf("%q, %q", report.Title, report.Lines)
	}
	var titles []string
	for _, s := range report.Sections {
		titles = append(titles, s.Title)
	}
	if got := strings.Join(titles,
		", "); got != "Summary, Variance matrices, Accuracy, Effective invariance, Calibration, Labels, Training, "+
		"Identity and settings, Parameters" {
		t.Errorf("sections %s", got)
	}
	// 63 of 64 images are right under the identity, and 8 of these are wrong under the last
	// transformation.
	expect(t, sectionText(t, report, "Summary"), "Accuracy = 98.4 %", "Robust accuracy = 85.9 %",
		"Lowest accuracy = 85.9 %", "Images = 64")
	expect(t, sectionText(t, report, "Labels"), "The model is in no round.")
	expect(t, sectionText(t, report, "Training"), "optimizer = SGD", "remark = "+hostile)
	expect(t, sectionText(t, report, "Identity and settings"), "SHA-256 of the file = "+d.models[0].Hash, "Opset = 13",
		"Parameters = 32,100",
		"Input = NCHW, 1×8×8, batch any (x)", "recipe.range | mean=0.5;std=0.25 | models.csv",
		"output_kind | logits | default")
	expect(t, sectionText(t, report, "Parameters"), "Content of the suite = "+d.suite.Hash,
		"Corrupt images left out = 1", "Images that count = all",
		"Family = rotation:-10:10:5;interpolation=bilinear;border=zero", "5 values from -10 to 10°",
		"Workspace = quiet", "Desk = "+d.Desk(), "Processor = amd64 avx2", "CONV-1 = c2", "CONV-2 = c1",
		"Classes mapped = by index")
}

// The numbers beside a matrix are those of spec/variance.md section 9.
func TestBoundsBesideMatrices(t *testing.T) {
	d := newDesk(t)
	answer := testdata.Must(d.Matrices(t.Context(), store.MatrixRequest{
		Model: d.models[0], Suite: d.suite.Hash, Family: canonical(t).String(), Modalities: []string{"max@CONF"},
		Images: variance.AllImages(),
	}))(t)
	matrix := answer.Matrices["max@CONF"]
	got := sectionText(t, d.make(d.question(0)), "Variance matrices")
	half := variance.HalfWidth(64, 1, 0.95) // f+ is 1 for CONF
	largest := matrix.Max()
	n := variance.ImagesNeeded(0.1*largest*largest, 1, 0.95) // |delta^ - delta| <= eps / delta^ = 0.1 delta^
	expect(t, got, fmt.Sprintf("max@CONF | 0 to 0.3 | %s | %s | 1 | known | %s | %s | %s | 0",
		digits(largest), digits(matrix.Mean()), digits(half), digits(variance.DeltaHalfWidth(half, largest)),
		result.Whole(n)))
	// Signals of image 7 run from 3-10k to 3+10k, k being the reducer's place counted from 1: the
	// widest difference.
	widest := 20 * float64(signal.Max+1)
	half = variance.HalfWidth(64, widest*widest, 0.95)
	expect(t, got, fmt.Sprintf("| %s | observed | %s | ", digits(widest), digits(half)))
}

func digits(v float64) string { return result.Digits(v, 4) }

func TestExtremeImagesAreListed(t *testing.T) {
	d := newDesk(t)
	report := d.make(d.question(0))
	got := sectionText(t, report, "Variance matrices")
	expect(t, got, "Images flagged as extreme", "matrix | image | share | class | predicted | confidence | file",
		"| dog | dog | 0.800 | 07.png")
	if strings.Contains(got, "max@CONF | 7 |") {
		t.Error("the image is calm in CONF, and flagged there")
	}
	calm := sectionText(t, d.make(d.question(1)), "Variance matrices")
	if strings.Contains(calm, "07.png") {
		t.Error("a model without extremes has some")
	}
	expect(t, calm, "max@CONV-2 | no second convolution", "max@CONV-2: no second convolution")
}

func TestOtherMatricesAndImages(t *testing.T) {
	d := newDesk(t)
	q := d.question(0)
	q.Modalities = []string{"std@CONV-1", "L2@CONF", "std@CONV-1", "max@nowhere"}
	q.Images = variance.Images{Which: variance.Correct, Class: variance.AnyClass, Share: 1, Seed: 1}
	report := d.make(q)
	got := sectionText(t, report, "Variance matrices")
	expect(t, got, "std@CONV-1 | 0 to ", "L2@CONF | 0 to ", "| 1.414 | known |", "max@nowhere | no tensor nowhere",
		"63 images")
	if strings.Count(got, "std@CONV-1 | 0 to ") != 1 {
		t.Error("a modality that is named twice stands twice")
	}
	expect(t, sectionText(t, report, "Summary"), "Images = 63 of 64")
	expect(t, sectionText(t, report, "Parameters"), "Images that count = correct")
}

func TestColourMapOfTheWorkspace(t *testing.T) {
	d := newDesk(t)
	before := htmlOf(t, d.make(d.question(0)))
	testdata.OK(t, d.SetSetting("view.map", "gray"))
	if htmlOf(t, d.make(d.question(0))) == before {
		t.Error("the colour map of the workspace changes nothing")
	}
	testdata.OK(t, d.SetSetting("view.map", "no such map"))
	if htmlOf(t, d.make(d.question(0))) != before {
		t.Error("an unknown map is not viridis")
	}
}

func TestSuiteWithoutLabels(t *testing.T) {
	d := newDesk(t)
	d.addSuite(false)
	d.run(d.models[0], -1)
	report := d.make(d.question(0))
	expect(t, sectionText(t, report, "Accuracy"), "No accuracy: the suite has no labels.", "-10 | - | ",
		"(°) | accuracy | mean confidence")
	q := d.question(0)
	q.Images = variance.Images{Which: variance.Correct, Class: variance.AnyClass, Share: 1, Seed: 1}
	testdata.ErrorIs(t, "correct images of a suite without labels",
		testdata.Err(Make(t.Context(), d.Workspace, q, nil)), variance.ErrNoLabels)
}

func TestLabelsOfAModel(t *testing.T) {
	d := newDesk(t)
	testdata.OK(t, d.PutAnnotator(store.Annotator{ID: "a", Name: "annotator 1"}))
	open := d.addRound(func(r *label.Round) { r.Name = "seen" })
	d.labelAll(open)
	d.put(open, "a", 0, label.Variant, func(ev *label.Event) { ev.Kind = label.Adjudicate })
	blind := d.addRound(func(r *label.Round) { r.Name, r.Blind = "unseen", true })
	d.labelAll(blind)
	got := sectionText(t, d.make(d.question(0)), "Labels")
	expect(t, got, "round | state | annotator 1 | b | c | majority | final | final by | unsure",
		"seen | open | invariant | borderline | variant | - | variant | adjudicated | b",
		"Round unseen is not shown: the round is blind and still open.")
	blind.Closed = true
	testdata.OK(t, d.UpdateRound(blind))
	expect(t, sectionText(t, d.make(d.question(1)), "Labels"),
		"unseen | closed, blind | variant | variant | invariant | variant | variant | majority")
}

func TestQuestionsThatHaveNoReport(t *testing.T) {
	d := newDesk(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for what, c := range map[string]struct {
		ctx  context.Context
		q    Request
		want string
	}{
		"nothing":    {t.Context(), Request{}, "needs a model or a round"},
		"both":       {t.Context(), Request{Models: []string{"x"}, Round: "y"}, "not on both"},
		"no signals": {t.Context(), d.question(2), "model s3: no signals"},
		"none":       {t.Context(), d.question(2, 2), "none of the 2 models"},
		"model": {
			t.Context(), Request{Models: []string{"gone"}, Suite: d.suite.Hash, Family: family}, "not found",
		},
		"round": {t.Context(), Request{Round: "gone"}, "not found"},
		"modality": {t.Context(), Request{
			Models: []string{d.models[0].Hash}, Suite: d.suite.Hash, Family: family, Modalities: []string{"big"},
		}, "no modality"},
		"family": {
			t.Context(), Request{Models: []string{d.models[0].Hash}, Suite: d.suite.Hash, Family: "whirl"}, "whirl",
		},
		"cancelled": {cancelled, d.question(0), "canceled"},
	} {
		t.Run(what, func(t *testing.T) {
			testdata.Refused(t, "error", testdata.Err(Make(c.ctx, d.Workspace, c.q, nil)), c.want)
		})
	}
	if _, err := Make(t.Context(), d.Workspace, d.question(2), nil); !errors.Is(err, ErrNoSignals) {
		t.Errorf("%v is not ErrNoSignals", err)
	}
}

// A model whose record cannot be read has a report of its own kind among others.
func TestModelWithBadSettings(t *testing.T) {
	d := newDesk(t)
	testdata.OK(t, d.UpdateModel(d.models[2].Hash, func(m *model.Model) error {
		m.Record = []model.Field{{Name: "output_kind", Value: "riddles"}}
		return nil
	}))
	report := d.make(d.question(0, 2))
	expect(t, sectionText(t, report, "Model s3"), `output_kind "riddles"`)
	_, err := Make(t.Context(), d.Workspace, d.question(2), nil)
	testdata.Refused(t, "the report of a model that cannot be read", err, "riddles")
}

// A report on a suite that lies nowhere says what it is made from.
func TestReportOnADerivedSuite(t *testing.T) {
	d := newDesk(t)
	made := testdata.Must(d.DeriveSuite(d.suite.Hash, corrupt.Setting{Name: "fog", Severity: 3, Seed: 7}, ""))(t)
	q := d.question(0)
	if plain := sectionText(t, d.make(q), "Parameters"); strings.Contains(plain, "Made from") {
		t.Errorf("a suite of its own is made from another one: %s", plain)
	}
	d.suite.Hash, q.Suite = made.Hash, made.Hash
	d.run(d.models[0], -1)
	expect(t, sectionText(t, d.make(q), "Parameters"), "Suite = "+made.Name, "Content of the suite = "+made.Hash,
		"Made from the suite = "+d.suite.Name, "Content of that suite = "+made.Derived.Of,
		"Change of its images = corruption:fog:3;seed=7")
}

// TestReportKeepsTheAnswerOfABlindRound: while a blind round is open, a model's record is shown as
// the round shows it.
func TestReportKeepsTheAnswerOfABlindRound(t *testing.T) {
	d := newDesk(t)
	m := d.models[0]
	testdata.OK(t, d.UpdateModel(m.Hash, func(m *model.Model) error {
		m.Record = append(m.Record, model.Field{Name: "rule_label", Value: "1"})
		return nil
	}))
	r := d.addRound(func(r *label.Round) { r.Blind = true })
	for _, closed := range []bool{false, true} {
		testdata.OK(t, d.CloseRound(r.ID, closed))
		if told := strings.Contains(sectionText(t, d.make(d.question(0)), "Training"), "rule_label"); told != closed {
			t.Errorf("closed %v: the report tells the label: %v", closed, told)
		}
	}
}

// A model that is no better than chance has its word in the overview; the others have a dash.
func TestOverviewNamesModelsAtChance(t *testing.T) {
	level := func(correct int) chance.Level {
		return chance.Counts{Labelled: 400, Correct: correct, Classes: 10, Largest: 40, Top: 60, TopLabels: 40}.Level()
	}
	list := []seen{
		{
			Model: model.Model{ID: "failed"}, answer: store.Answer{Accuracy: []float64{0.1}, Chosen: 400},
			chance: level(40),
		},
		{
			Model: model.Model{ID: "fine"}, answer: store.Answer{Accuracy: []float64{0.9}, Chosen: 400},
			chance: level(360),
		},
		{Model: model.Model{ID: "without signals"}, problem: ErrNoSignals},
	}
	_, rows := (&gathering{}).overview(list).Sheet.Cells()
	for k, want := range []string{"not above chance", result.None, result.None} {
		if rows[k][3] != want {
			t.Errorf("%v, want %q", rows[k], want)
		}
	}
}

// TestReportOfAPackagedModel: a desk that has a model's matrices from a round package, and no
// signals, can report on it.
func TestReportOfAPackagedModel(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(func(r *label.Round) { r.Models = r.Models[:2] })
	path := filepath.Join(t.TempDir(), "r"+desks.RoundSuffix)
	testdata.Must(desks.Invite(t.Context(), d.Workspace, r.ID, path, false, nil))(t)
	there := testdata.Must(store.Create(filepath.Join(t.TempDir(), "other")))(t)
	defer func() { _ = there.Close() }()
	testdata.Must(desks.Open(t.Context(), there, path, nil))(t)
	made := testdata.Must(Make(t.Context(), there,
		Request{Models: r.Models, Suite: r.Suite, Family: r.Family, Written: written}, nil))(t)
	var page, paper bytes.Buffer
	if err := made.HTML(&page); err != nil || !strings.Contains(page.String(), "came with a round package") {
		t.Errorf("page: %v", err)
	}
	if err := made.PDF(&paper); err != nil {
		t.Error(err)
	}
	own := testdata.Must(Make(t.Context(), d.Workspace, Request{
		Models: r.Models, Suite: r.Suite, Family: r.Family, Written: written,
	}, nil))(t)
	page.Reset()
	if err := own.HTML(&page); err != nil || strings.Contains(page.String(), "came with a round package") {
		t.Errorf("page of a model with signals: %v", err)
	}
}
