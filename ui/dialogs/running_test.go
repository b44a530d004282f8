package dialogs

import (
	"context"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// stillRuntime answers every image with the same three logits.
type stillRuntime struct{}

func (stillRuntime) Version() string { return "still" }

func (stillRuntime) Probe(_ context.Context, feed engine.Feed) (engine.Probe, error) {
	return engine.Probe{Classes: 3, Shapes: make([][]int64, 1+len(feed.Tensors))}, nil
}

func (stillRuntime) Open(_ context.Context, feed engine.Feed) (engine.Session, error) {
	return stillSession{feed}, nil
}

type stillSession struct{ feed engine.Feed }

func (s stillSession) Runner() (engine.Runner, error) { return &stillRunner{feed: s.feed}, nil }
func (stillSession) Close() error                     { return nil }

type stillRunner struct {
	feed  engine.Feed
	input []float32
}

func (r *stillRunner) Input() []float32 {
	if in := r.feed.Input; r.input == nil {
		r.input = make([]float32, in.Batch*in.Channels*in.Height*in.Width)
	}
	return r.input
}

func (*stillRunner) Mask(int)                  { panic("no masks here") }
func (*stillRunner) Run(context.Context) error { return nil }
func (*stillRunner) Close() error              { return nil }

func (r *stillRunner) Result(int) ([]int64, []float32) {
	batch := r.feed.Input.Batch
	return []int64{int64(batch), 3}, slices.Repeat([]float32{1, 2, 3}, batch)
}

// runDesk is a run dialog that is open over a sample with two shifted suites.
type runDesk struct {
	*rig
	eng     *engine.Engine
	started []string
}

func openRunDialog(t *testing.T, change func(*Runner)) *runDesk {
	t.Helper()
	d := &runDesk{rig: newRig(t, 2)}
	for _, severity := range []int{1, 3} {
		if _, err := d.ws.DeriveSuite(d.ws.Shapes.Hash, corrupt.Setting{Name: "fog", Severity: severity, Seed: 1},
			""); err != nil {
			t.Fatal(err)
		}
	}
	d.eng = engine.New(engine.InProcess{Library: stillRuntime{}}, d.ws.Workspace, engine.Limits{Workers: 1})
	t.Cleanup(func() { _ = d.eng.Close() })
	runner := Runner{
		Workspace: d.ws.Workspace, Engine: d.eng, Runtime: engine.InProcess{Library: stillRuntime{}},
		Started: func(id string) { d.started = append(d.started, id) },
	}
	if change != nil {
		change(&runner)
	}
	RunDialog(d.host, runner, RunDefaults{})
	d.stage.Until("the dialog is open", d.open)
	return d
}

func (d *runDesk) family() *widget.Entry { return d.entry("rotation:") }

func (d *runDesk) suites() []suite.Manifest {
	d.Helper()
	list, err := d.ws.Suites()
	if err != nil {
		d.Fatal(err)
	}
	return list
}

// measures waits until the dialog says how much the runs under plain add on these suites together.
func (d *runDesk) measures(suites ...string) {
	d.Helper()
	size, err := job.MeasureEach(d.Context(), d.ws.Workspace, engine.InProcess{Library: stillRuntime{}},
		job.Request{Family: transform.Plain}.OnEach(suites))
	if err != nil || size.Bytes == 0 {
		d.Fatalf("%+v, %v", size, err)
	}
	d.saying("of work, about " + store.SizeText(size.Bytes))
}

// TestRunDialogWithASet: a set takes CONF alone, so there are no other positions to choose; a
// family has some.
func TestRunDialogWithASet(t *testing.T) {
	d := openRunDialog(t, nil)
	d.saying("the identity is number 16")
	d.looks("run")
	d.family().SetText("rot90")
	d.saying("no variance matrix. It holds identity, rot90 90°, rot90 180°, rot90 270°")
	d.looks("run-set")
	if d.says("CONF is always among them") {
		t.Error("a set leaves positions to choose")
	}
	d.family().SetText(" rotation:-2:2:1 ")
	if !d.check("CONV-1").Checked || d.check("HEAD").Checked {
		t.Error("a family has no positions to choose")
	}
	test.Tap(d.check("HEAD"))
	test.Tap(d.check("CONV-2"))
	d.entry("further tensors").SetText("relu1, ")
	test.Tap(d.button("Copy as command"))
	if line := d.stage.App().Clipboard().Content(); !strings.Contains(line,
		"--family rotation:-2:2:1 --positions CONF,CONV-1,HEAD,relu1") {
		t.Error(line)
	}
	d.entry("map.csv").SetText("/nowhere/classes.csv")
	d.saying("/nowhere/classes.csv")
	d.entry("/nowhere/classes.csv").SetText("")
	d.family().SetText("grayscale")
	d.saying("not applicable to images of one channel")
	if !d.button("Start").Disabled() {
		t.Error("what cannot be computed can be started")
	}
	current, err := d.ws.Current()
	if err != nil || current.Family != sample.Family {
		t.Errorf("looked at %+v, %v", current, err)
	}
}

// TestRunDialogOnShiftedSuites: the check is there for a suite with shifted ones alone, and starts
// a run on each.
func TestRunDialogOnShiftedSuites(t *testing.T) {
	d := openRunDialog(t, nil)
	const shifted = "and on its shifted suites"
	menu := find[*own.Choice](d.rig)[0]
	d.saying("2 shifted suites")
	menu.SetSelected("shapes, fog 3")
	if d.offered(shifted) != nil {
		t.Error("a shifted suite has shifted ones")
	}
	menu.SetSelected("shapes")
	d.family().SetText("plain")
	d.measures(d.ws.Shapes.Hash)
	test.Tap(d.check(shifted))
	d.measures(append(present.ShiftsOf(d.ws.Shapes.Hash, d.suites()), d.ws.Shapes.Hash)...)
	d.press("Start")
	d.stage.Until("the runs have started", func() bool { return len(d.started) == 1 })
	if len(d.failed) > 0 || len(d.said) != 1 || !strings.HasPrefix(d.said[0], "3 runs have started") {
		t.Errorf("said %q, failed %v", d.said, d.failed)
	}
	if current, err := d.ws.Current(); err != nil || current.Suite != d.ws.Shapes.Hash {
		t.Errorf("looked at %+v, %v", current, err)
	}
	suites := d.suites()
	if len(suites) != 3 {
		t.Fatalf("%d suites", len(suites))
	}
	for _, run := range d.eng.Snapshot() {
		if _, err := d.eng.Wait(t.Context(), run.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range suites {
		if state, err := d.ws.State(d.ws.Imported[0], m.Hash, transform.Plain); err != nil || state != store.Ready {
			t.Errorf("%s: %s, %v", m.Name, state, err)
		}
	}
}

// TestWhatComesOfStarting: a cancel leaves no run, also none of several that has started, and the
// window says so.
func TestWhatComesOfStarting(t *testing.T) {
	for _, c := range []struct {
		ids  []string
		err  error
		want string
	}{
		{nil, context.Canceled, "The run was not started."},
		{[]string{"a", "b"}, context.Canceled, "The run was not started."},
		{[]string{"a"}, nil, "The run has started."},
		{[]string{"a", "b"}, nil, "2 runs have started, one after the other."},
	} {
		var said []string
		var failed error
		Runner{}.started(&kit.Host{
			Status: func(text string) { said = append(said, text) }, ShowError: func(err error) { failed = err },
		}, c.ids, nil, c.err)
		if !slices.Equal(said, []string{c.want}) || failed != nil {
			t.Errorf("%v, %v: said %q, failed %v", c.ids, c.err, said, failed)
		}
	}
}

// TestMixedRunsAreOfferedOnlyWithTheirMachines: nobody else could compute them, and the mark would
// be for nothing.
func TestMixedRunsAreOfferedOnlyWithTheirMachines(t *testing.T) {
	const other = "allow other kinds of processors: results agree to 1e-4 and are marked"
	for _, mixed := range []bool{false, true} {
		d := openRunDialog(t, func(r *Runner) { r.MayMix = mixed })
		d.family().SetText("rotation:-10:10:10")
		if offered := d.offered(other); (offered != nil) != mixed {
			t.Errorf("with such machines %t, but offered %t", mixed, !mixed)
		} else if mixed {
			test.Tap(offered)
		}
		d.press("Start")
		d.stage.Until("the run has started", func() bool { return len(d.started) == 1 })
		if runs, err := d.ws.Runs(); err != nil || len(runs) != 1 || runs[0].Mixed != mixed {
			t.Errorf("mixed %t: %+v, %v", mixed, runs, err)
		}
	}
}
