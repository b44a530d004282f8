package invariance

import (
	"context"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/calibration"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/internal/uitest/stage"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/evaluate"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

type rig struct {
	*testing.T
	stage   *stage.Stage
	store   *sample.Workspace
	host    *kit.Host
	screen  *Screen
	window  fyne.Window
	opened  []string
	started [][]string // models, then suite and family
	said    string
	errs    []error
}

// newRig puts the screen of a sample on a stage; prepare, which may be nil, changes what is there
// before it is shown.
func newRig(t *testing.T, models int, prepare func(*rig)) *rig {
	r := &rig{T: t, stage: stage.New(t), store: sample.New(t, models)}
	work := jobs.New(fyne.Do)
	t.Cleanup(func() { work.Stop(); work.Wait() })
	r.window = r.stage.Window(fynewidget.NewLabel(""), fyne.NewSize(1200, 760))
	r.host = &kit.Host{
		Work: work, Window: r.window, Status: func(text string) { r.said = text }, Changes: r.store.Subscribe,
		Inspect: func(hash string) { r.opened = append(r.opened, hash) }, Import: func() {}, Run: func([]string) {},
		Start: func(runs ...kit.Run) {
			for _, run := range runs {
				r.started = append(r.started, append(slices.Clone(run.Models), run.Suite, run.Family))
			}
		},
		ShowError: func(err error) { r.errs = append(r.errs, err) },
	}
	if prepare != nil {
		prepare(r)
	}
	r.screen = New(r.host, r.store.Workspace)
	t.Cleanup(r.screen.Close)
	r.window.SetContent(r.screen.Object())
	r.screen.Shown()
	return r
}

// idle waits until nothing is being measured.
func (r *rig) idle() Data {
	r.Helper()
	r.stage.Until("measured", r.screen.Idle)
	return r.screen.data()
}

// shift computes turned images on the sample's suite and on corruptions of it for all models but
// the last.
func (r *rig) shift() {
	r.Helper()
	models := r.store.Imported[:len(r.store.Imported)-1]
	for k, m := range models {
		r.store.ComputeOn(r, m, k, r.store.Shapes, "rot90")
	}
	for s, name := range []string{"fog", "contrast", "brightness"} {
		for _, severity := range []int{1, 4} {
			made := r.store.Shift(r, name, severity)
			for k, m := range models {
				r.store.ComputeOn(r, m, k+2*s+severity, made, "rot90")
			}
		}
	}
}

// until waits until a page is idle.
func (r *rig) until(page interface{ Idle() bool }) {
	r.Helper()
	r.stage.Until("a page is made", page.Idle)
}

func TestScreenMeasuresTheWorkspace(t *testing.T) {
	r := newRig(t, 4, (*rig).shift)
	d := r.idle()
	measured, left, err := evaluate.Measure(context.Background(), r.store.Workspace, evaluate.Ask{}, nil)
	if err != nil || len(measured) != 3*2+3*6 || len(d.Left) != len(measure.Lacking(left)) || len(r.errs) > 0 {
		t.Fatalf("%d measured, %v, %v", len(measured), err, r.errs)
	}
	var want, got strings.Builder
	for text, rows := range map[*strings.Builder][]measure.Measured{
		&want: measured,
		&got:  r.screen.results.list.Shown(),
	} {
		sheet := measure.Results.Sheet(rows)
		testdata.OK(t, sheet.Take(sheet.Arrange(result.Filter{}, sheet.First)).CSV(text, false))
	}
	if got.String() != want.String() {
		t.Errorf("the table of the window is\n%s\nwant\n%s", got.String(), want.String())
	}
	var texts []string
	stage.Walk(r.window.Content(), func(o fyne.CanvasObject) {
		if l, ok := o.(*fynewidget.Label); ok {
			texts = append(texts, l.Text)
		}
	})
	if !slices.Contains(texts, "3 models, 7 suites") {
		t.Errorf("said are %q", texts)
	}
}

// TestRowsOfASuiteAndFamily: the menus have sets before families and choose rows; filters and files
// are those of all tables.
func TestRowsOfASuiteAndFamily(t *testing.T) {
	r := newRig(t, 4, (*rig).shift)
	r.idle()
	p := r.screen.results
	list, _ := p.choices("families")
	if len(list) != 3 || list[1].Key != "rot90" || list[2].Key != sample.Family {
		t.Errorf("families %v", list)
	}
	if p.form.Put("all", "false") != nil || p.form.Put("family", "rot90") != nil || len(p.list.Shown()) != 3 {
		t.Errorf("%d rows", len(p.list.Shown()))
	}
	line := "variscope ei " + r.store.Path() + " --suite shapes --family rot90"
	if got := p.form.CommandLine(); got != line {
		t.Errorf("%s, want %s", got, line)
	}
	p.list.OnOpen(p.list.Shown()[0])
	if !slices.Equal(r.opened, []string{p.list.Shown()[0].Model.Hash}) {
		t.Errorf("opened %v", r.opened)
	}
	p.list.SetFilter("nothing")
	all := r.screen.data().Rows
	r.screen.ShowRow(all[len(all)-1].ID())
	if m, ok := p.list.Selected(); !ok || m.ID() != all[len(all)-1].ID() || len(p.list.Shown()) != len(all) ||
		p.list.Filter() != "" {
		t.Errorf("shown is %s among %d", m.ID(), len(p.list.Shown()))
	}
	if !strings.HasPrefix(r.said, m(r).Model.ID+" on ") || !strings.Contains(r.said, ": EI 0.") {
		t.Errorf("said %q", r.said)
	}
}

func m(r *rig) measure.Measured {
	m, _ := r.screen.results.list.Selected()
	return m
}

// TestLowestImagesOfARow: the pictures under the table are those of the selected row and
// transformation, lowest first, and their EI is that of the study.
func TestLowestImagesOfARow(t *testing.T) {
	r := newRig(t, 3, (*rig).shift)
	r.idle()
	p := r.screen.results
	r.until(p.lowest)
	row := p.list.Shown()[2]
	p.list.Select(row.ID())
	p.selected()
	r.until(p.lowest)
	if l := p.lowest.shown; l.Of.ID() != row.ID() || len(l.List) != mostLow || l.Under != "" {
		t.Fatalf("%d images of %s", len(l.List), l.Of.ID())
	}
	p.pick(measure.Step{Of: &row, Row: row.Rows[1]}.At())
	r.until(p.lowest)
	ei := map[int]float64{}
	err := evaluate.PerImage(context.Background(), r.store.Workspace, row.Key,
		func(image, transformation int, x measure.Values) {
			if transformation == row.Rows[1].Transformation {
				ei[image] = x[measure.EI]
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for _, l := range p.lowest.shown.List {
		if l.Transformation != row.Rows[1].Transformation || l.EI != ei[l.Image] || l.EI < last {
			t.Errorf("image %d has EI %v, want %v after %v", l.Image, l.EI, ei[l.Image], last)
		}
		last = l.EI
	}
	if step, ok := p.steps.Selected(); !ok || step.Name != row.Rows[1].Name {
		t.Errorf("among the numbers %q is selected", step.Name)
	}
	if said := p.lowest.wall.List()[0].Detail; !strings.HasPrefix(said, "image ") ||
		!strings.Contains(said, "labelled ") {
		t.Errorf("said %q", said)
	}
	p.steps.OnSelect(measure.Step{Of: &row, Row: row.Rows[0]}, true)
	r.until(p.lowest)
	if p.lowest.shown.Under != row.Rows[0].Name {
		t.Errorf("under %q", p.lowest.shown.Under)
	}
	p.list.Select(p.list.Shown()[0].ID())
	p.selected()
	r.until(p.lowest)
	if l := p.lowest.shown; l.Under != "" || l.Of.ID() != p.list.Shown()[0].ID() ||
		p.lowest.Form.Options().Under != "" {
		t.Errorf("of another row under %q", l.Under)
	}
}

func TestStudyOpensModelsAndSuites(t *testing.T) {
	r := newRig(t, 5, (*rig).shift)
	r.idle()
	s := r.screen
	s.tabs.Select("models")
	r.until(s.models)
	points := s.models.plot.Data().Points
	if len(points) != 4 || s.models.Options().Family != "rot90" {
		t.Fatalf("%d points, %+v", len(points), s.models.Options())
	}
	s.models.plot.OnOpen(points[2].ID)
	if len(r.opened) != 1 || !strings.HasPrefix(points[2].ID, r.opened[0]) {
		t.Errorf("opened %v, want %s", r.opened, points[2].ID)
	}
	testdata.OK(t, s.models.Form.Put("column", "augmentation_range"))
	testdata.OK(t, s.models.Form.Put("score", "ei,consistent"))
	r.until(s.models)
	rows := s.models.list.Shown() // of all models, of one of both augmentations, and again for the other score
	if len(rows) < 4 || len(rows)%2 != 0 || rows[0].Score != measure.ScoreEI ||
		s.models.plot.Data().Title != "Accuracy and EI, shapes, rot90" {
		t.Fatalf("%d rows, drawn is %q", len(rows), s.models.plot.Data().Title)
	}
	last := rows[len(rows)-1]
	s.models.list.Select(measure.Studies.ID(last))
	s.models.list.OnSelect(last, true)
	if title := s.models.plot.Data().Title; title != last.Figure().Title ||
		!strings.HasPrefix(title, "Accuracy and consistent, shapes: ") {
		t.Errorf("drawn is %q", title)
	}
	line := "variscope ei " + r.store.Path() +
		" --suite shapes --family rot90 --study ei,consistent --over models --column augmentation_range"
	if got := s.exportMenu(); len(got) != 2 || s.models.Form.CommandLine() != line {
		t.Errorf("%s, want %s", s.models.Form.CommandLine(), line)
	}
	r.stage.Capture(r.window, "", "") // draws without a fault
	s.tabs.Select("suites")
	r.until(s.suites)
	points = s.suites.plot.Data().Points
	if len(points) != 7 || len(s.suites.plot.Data().Groups) != 4 || len(s.suites.plot.Data().Trends) != 1 {
		t.Errorf("%d points, groups %v", len(points), s.suites.plot.Data().Groups)
	}
	s.results.list.SetFilter("nothing at all")
	s.suites.plot.OnOpen(points[3].ID)
	if m(r).ID() != points[3].ID || s.tabs.Front() != "results" {
		t.Errorf("selected %s on %s", m(r).ID(), s.tabs.Front())
	}
}

// TestCalibrationFollowsTheSelection: the rows are those of the store, and what lies below the
// table is of the selected row and transformation.
func TestCalibrationFollowsTheSelection(t *testing.T) {
	r := newRig(t, 4, (*rig).shift)
	r.idle()
	p := r.screen.calibration
	r.screen.tabs.Select("calibration")
	r.until(p)
	want, _, err := evaluate.Calibrate(t.Context(), r.store.Workspace, evaluate.Ask{
		Suites: []string{r.store.Shapes.Hash}, Families: []string{"rot90"},
	}, p.Options().Settings, nil)
	if err != nil || len(want) != 3 || len(p.list.Shown()) != 3 || len(r.errs) > 0 {
		t.Fatalf("%d rows, want %d: %v %v", len(p.list.Shown()), len(want), err, r.errs)
	}
	row := p.list.Shown()[2]
	p.list.Select(row.ID())
	p.selected()
	first := p.reliability.Data()
	m := want[slices.IndexFunc(want, func(m calibration.Measured) bool { return m.ID() == row.ID() })]
	if len(first.Points) == 0 || first.Note != m.Original().Figure().Note || len(p.steps.Shown()) != 4 ||
		len(p.curve.Data().Lines) == 0 {
		t.Errorf("%d points, %q, %d steps", len(first.Points), first.Note, len(p.steps.Shown()))
	}
	p.curve.OnX(180)
	if step, _ := p.steps.Selected(); step.Name != "rot90 180°" ||
		!strings.HasPrefix(p.reliability.Data().Note, step.Name) {
		t.Errorf("selected is %s, drawn %q", step.Name, p.reliability.Data().Note)
	}
	line := "variscope calibration " + r.store.Path() + " --suite shapes --family rot90"
	if got := p.Form.CommandLine(); got != line {
		t.Errorf("%s, want %s", got, line)
	}
	testdata.OK(t, p.Form.Put("all", "true"))
	r.until(p)
	if len(p.list.Shown()) != 3*7 {
		t.Errorf("%d rows of all suites", len(p.list.Shown()))
	}
}

func TestForecastHoldsSuitesBack(t *testing.T) {
	r := newRig(t, 3, (*rig).shift)
	r.idle()
	p := r.screen.forecast
	r.screen.tabs.Select("predict")
	r.until(p)
	made, _ := p.Data()
	lines := p.list.Shown()
	if len(lines) != 7 || !strings.Contains(strings.Join(made[0].Facts(), " "), "leaving one suite out") {
		t.Fatalf("%d lines, %q", len(lines), made[0].Facts())
	}
	if !strings.HasSuffix(p.Form.CommandLine(), " --study ei --over suites --predict") {
		t.Error(p.Form.CommandLine())
	}
	p.list.OnOpen(lines[2])
	r.until(p)
	held := p.list.Shown()[0]
	if held.Role != measure.HeldBack || held.ID != lines[2].ID || math.IsNaN(held.Accuracy) || math.IsNaN(held.True) {
		t.Errorf("%+v", held)
	}
	if groups := p.plot.Data().Groups; len(groups) != 3 || groups[2].Name != "predicted" || p.Form.CommandLine() != "" {
		t.Errorf("groups %v, command %s", groups, p.Form.CommandLine())
	}
	p.list.OnOpen(held)
	r.until(p)
	if got := p.list.Shown(); got[0].Role != measure.InFit || len(p.Options().HeldBack) != 0 {
		t.Errorf("%+v", got[0])
	}
}

func TestComputeWhatIsMissing(t *testing.T) {
	r := newRig(t, 3, nil) // rotations by up to 15 degrees, and a model without anything
	r.idle()
	if list := r.screen.data().missing(); len(list) != 1 || list[0].Text != "Compute rot90 for 3 models on shapes" {
		t.Fatalf("missing are %v", list)
	}
	r.stage.Press(r.window, "Compute…")
	r.stage.Press(r.window, "Start")
	r.stage.Press(r.window, "Close")
	want := []string{
		r.store.Imported[0].Hash, r.store.Imported[1].Hash, r.store.Imported[2].Hash, r.store.Shapes.Hash, "rot90",
	}
	if len(r.started) != 1 || !slices.Equal(slices.Sorted(slices.Values(r.started[0])),
		slices.Sorted(slices.Values(want))) {
		t.Errorf("started %v", r.started)
	}
	for k, m := range r.store.Imported {
		r.store.ComputeOn(t, m, k, r.store.Shapes, "rot90")
	}
	r.stage.Until("the new results", func() bool { return r.screen.Idle() && len(r.screen.data().Rows) == 5 })
	if list := r.screen.data().missing(); len(list) != 0 {
		t.Errorf("still missing are %v", list)
	}
}

// TestComputeALineOfWhatIsLeftOut: only where a run helps.
func TestComputeALineOfWhatIsLeftOut(t *testing.T) {
	r := newRig(t, 3, nil)
	d := r.idle()
	r.screen.tabs.Select("left")
	if len(d.Left) != 1 || !r.stage.Button(r.window, "Compute the selected line").Disabled() {
		t.Fatalf("left out are %+v", d.Left)
	}
	if len(r.screen.exportMenu()) < 2 {
		t.Error("the results cannot be saved from the page of what is left out")
	}
	r.screen.left.Select(measure.Lacks.ID(d.Left[0]))
	r.stage.Press(r.window, "Compute the selected line")
	r.stage.Press(r.window, "Start")
	r.stage.Press(r.window, "Close")
	if want := []string{r.store.Imported[2].Hash, r.store.Shapes.Hash, sample.Family}; len(r.started) != 1 ||
		!slices.Equal(r.started[0], want) {
		t.Errorf("started %v, want %v", r.started, want)
	}
	lack := d.Left[0]
	lack.Reason = measure.OneChannel
	r.screen.left.Set([]measure.Lack{lack})
	r.screen.left.Select(measure.Lacks.ID(lack))
	if !r.stage.Button(r.window, "Compute the selected line").Disabled() {
		t.Error("what a run does not help can be run")
	}
}

func TestEmptyWorkspaceOffersTheFirstStep(t *testing.T) {
	r := newRig(t, 1, nil) // its only model has no signals
	r.idle()
	r.stage.Press(r.window, "Compute rot90 for 1 model on shapes")
	if len(r.started) != 1 || r.started[0][2] != "rot90" {
		t.Errorf("started %v", r.started)
	}
	full := r.screen.data()
	for want, d := range map[string]Data{
		"no models yet":     {Suites: full.Suites},
		"no test suite yet": {Models: full.Models},
		"needs these":       full,
		"and 3 more":        {Models: full.Models, Suites: full.Suites, Left: make([]measure.Lack, 9)},
	} {
		if e, is := r.screen.empty(d); !is || !strings.Contains(e.Text, want) || len(e.Help) == 0 {
			t.Errorf("%q does not say %q", e.Text, want)
		}
	}
}

// TestImagesThatAreBack: where images were gone, their pictures are made as soon as what is known
// of the suite has changed; a run, which changes signals all the time, does not look for them
// again.
func TestImagesThatAreBack(t *testing.T) {
	var root, away string
	r := newRig(t, 3, func(r *rig) {
		r.shift()
		root = r.store.Shapes.Root
		away = root + " elsewhere"
		testdata.OK(t, os.Rename(root, away))
	})
	r.idle()
	p := r.screen.results.lowest
	r.stage.Until("the problem is told", func() bool {
		p.wall.Update()
		return p.wall.Missing()
	})
	problem := p.wall.Problem()
	r.screen.Changed()
	r.idle()
	if got := p.wall.Problem(); got != problem { // another attempt has an error of its own
		t.Errorf("looked again: %v", got)
	}
	r.screen.OnChange(store.SuiteChanged)
	r.screen.Changed()
	r.stage.Until("looked again", func() bool {
		p.wall.Update()
		return p.wall.Problem() != nil && p.wall.Problem() != problem
	})
	testdata.OK(t, os.Rename(away, root))
	r.screen.Refresh()
	r.stage.Until("the pictures", func() bool {
		key := picture.Key{Image: p.shown.List[0].Image, Transformation: p.shown.Identity}
		return p.wall.Picture(key) != nil && !p.wall.Missing()
	})
}
