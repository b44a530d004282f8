package dialogs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// Runner is what starting a run works with.
type Runner struct {
	Workspace *store.Workspace
	Engine    *engine.Engine
	Runtime   engine.Runtime // nil when ONNX Runtime is missing
	Problem   string         // why it is missing, for people
	// MayMix says that other machines are let in with processors of other kinds, so that a run can
	// be left to them too.
	MayMix bool
	// Started is called on the main goroutine with the run's id; may be nil.
	Started func(id string)
}

// problem says why nothing can run.
func (r Runner) problem() error {
	if r.Problem == "" {
		return engine.ErrNoRuntime
	}
	return errors.New(r.Problem)
}

// Start starts a run per request in the background and tells the window what came of it: a
// message, and the models that cannot take part, each with its reason.
func (r Runner) Start(host *kit.Host, reqs ...job.Request) {
	if r.Runtime == nil {
		host.Fail(r.problem())
		return
	}
	if len(reqs) == 0 {
		return
	}
	var ids []string
	var refused []job.Refused
	var runs []kit.Run
	for _, req := range reqs {
		runs = append(runs, kit.Run{Models: req.Models, Suite: req.Suite, Family: req.Family})
	}
	ended := host.Runs.Prepare(runs...)
	host.Work.Start("Prepare run", func(ctx context.Context, p *jobs.Progress) (err error) {
		if len(reqs) > 1 {
			ids, refused, err = job.StartEach(ctx, r.Workspace, r.Engine, r.Runtime, reqs, p)
		} else {
			var id string
			if id, refused, err = job.Start(ctx, r.Workspace, r.Engine, r.Runtime, reqs[0], p); err == nil {
				ids = []string{id}
			}
		}
		if errors.Is(context.Cause(ctx), context.Canceled) { // by a person, not because the window closes
			err = errors.Join(context.Canceled, job.Withdraw(r.Engine, ids...))
		}
		return err
	}, func(err error) {
		ended(len(ids) > 0 && err == nil)
		r.started(host, ids, refused, err)
	})
}

// started says what came of a start. Of several runs some may be under way although the next one
// could not be started; a cancel ends them all.
func (r Runner) started(host *kit.Host, ids []string, refused []job.Refused, err error) {
	switch {
	case cancelled(err):
		host.Say("The run was not started.")
		return
	case err != nil:
		host.Fail(err)
		return
	}
	if len(ids) == 1 {
		host.Say("The run has started.")
	} else {
		host.Say(fmt.Sprintf("%s have started, one after the other.", result.Counted(len(ids), "run")))
	}
	if err := refusal(refused); err != nil {
		host.Fail(err)
	}
	if r.Started != nil {
		r.Started(ids[0])
	}
}

// refusal puts the models that cannot take part into one error, nil when there are none.
func refusal(refused []job.Refused) error {
	if len(refused) == 0 {
		return nil
	}
	reasons := make([]string, 0, len(refused))
	for _, one := range refused {
		reasons = append(reasons, sentence(one.Err))
	}
	return errors.New(present.ByCount(len(refused), "the run goes on, but %d model cannot take part: %s",
		"the run goes on, but %d models cannot take part: %s", len(refused), strings.Join(reasons, "; ")))
}

// runAsk is what the dialog of a run asks for.
type runAsk struct {
	job.Which
	Suite   string `required:"" help:"Test suite on which the models run." label:"Test suite" source:"suites"`
	Shifted bool   `label:"and on its shifted suites" help:"Run on the suites that are made from this one, too."`
	Family  string `required:"" help:"Family of transformations, or a transformation set." placeholder:"rotation:-15:15:1;interpolation=bilinear;border=zero"`
	job.Options
	job.AnyProcessor
	device.Pick
}

// Check implements the check of options.
func (o *runAsk) Check() error {
	_, err := transform.ParseAny(o.Family)
	return err
}

// RunDialog asks for models, suite, family and positions and starts a run.
func RunDialog(host *kit.Host, runner Runner, defaults RunDefaults) {
	if runner.Runtime == nil {
		host.Fail(runner.problem())
		return
	}
	d := &runDialog{host: host, runner: runner, defaults: defaults}
	host.Work.Quiet("run dialog", func(ctx context.Context) (err error) {
		d.devices = kit.FindDevices(ctx, runner.Runtime)
		d.runFacts, err = gather(runner.Workspace)
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err)
			return
		}
		d.open()
	})
}

// runFacts is what the dialog needs to know of the workspace.
type runFacts struct {
	models  []model.Model
	suites  []suite.Manifest
	current store.Current
}

func gather(ws *store.Workspace) (f runFacts, err error) {
	if f.models, err = ws.Models(); err != nil {
		return f, err
	}
	if f.suites, err = ws.Suites(); err != nil {
		return f, err
	}
	f.current, err = ws.Current()
	return f, err
}

type runDialog struct {
	host     *kit.Host
	runner   Runner
	defaults RunDefaults
	runFacts
	devices []device.Found
	form    *kit.Form[runAsk]
}

func (d *runDialog) open() {
	hide := []string{"any-difference"} // Settings have it
	if len(d.devices) < 2 {
		hide = append(hide, "device")
	}
	if !d.runner.MayMix {
		hide = append(hide, "mixed")
	}
	d.form = &kit.Form[runAsk]{
		Host: d.host, Hide: hide, Choices: d.choices, Command: d.command, Hint: d.hint,
		Trees: suiteTree(d.suites),
		Ticks: map[string]func() []kit.Option{"positions": func() []kit.Option {
			return own.ByName(model.Conv1, model.Conv2, model.Head)
		}},
		Others: map[string]string{"positions": "further tensors by name, separated by commas"},
		Shown: func(name string) bool {
			switch o := d.form.Options(); name {
			case "shifted":
				return len(present.ShiftsOf(o.Suite, d.suites)) > 0
			case "positions", "modalities": // a transformation set is about predictions
				return !transform.IsSet(o.Family)
			}
			return true
		},
	}
	d.form.Menus = map[string]*fyne.Menu{
		"family": d.form.Texts("family", "Usual ones", families(append(transform.Names(), transform.Sets()...))),
	}
	ask := &kit.Ask[runAsk]{
		Title: "New run", Button: "Start", Size: fyne.NewSize(720, 470), Form: d.form, Do: d.run,
		Start: func(f *kit.Form[runAsk]) {
			if _, first := d.choice().options(); first != "" {
				put(f, "models", first)
			}
			put(f, "family", cmp.Or(d.current.Family, usualFamily()))
			put(f, "positions", strings.Join(model.DefaultPositions()[1:], ","))
			put(f, "modalities", strings.Join(d.defaults.beyond(), ","))
		},
		Line: func(o runAsk) kit.Work[string] {
			return func(ctx context.Context, _ engine.Progress) (string, error) {
				reqs, err := d.requests(o)
				if err != nil {
					return "", err
				}
				size, err := job.MeasureEach(ctx, d.runner.Workspace, d.runner.Runtime, reqs)
				if err != nil {
					return "", err
				}
				return kit.CostText(size)
			}
		},
	}
	ask.Open()
}

func (d *runDialog) choices(source string) ([]kit.Option, string) {
	switch source {
	case "suites":
		return SuiteOptions(d.suites), d.current.Suite
	case "devices":
		return kit.DeviceOptions(d.devices, "", d.runner.Engine.Limits().Device.Device), ""
	}
	return d.choice().options()
}

func (d *runDialog) choice() modelChoice { return modelChoice{d.models, d.defaults.Models} }

// hint says what an option means for this run.
func (d *runDialog) hint(name string) string {
	switch o := d.form.Options(); name {
	case "shifted":
		n := len(present.ShiftsOf(o.Suite, d.suites))
		return present.ByCount(n, "%d shifted suite", "%d shifted suites", n)
	case "family":
		return familyMeaning(o.Family)
	case "positions":
		return "CONF is always among them: predictions come from it."
	case "modalities":
		return "None, or such as max@HEAD, or L2@CONV-1 for distances between whole tensors."
	}
	return ""
}

// usualFamily is the canonical text of the paper's rotation.
func usualFamily() string {
	text, _ := transform.Default("rotation")
	family, err := transform.Parse(text)
	if err != nil {
		return text
	}
	return family.String()
}

// meant are the options as a run takes them: a set has neither positions nor modalities, and no
// positions stand for the usual ones.
func (d *runDialog) meant(o runAsk) (_ runAsk, suites []string) {
	o.Positions = append([]string{model.CONF}, o.Positions...)
	if transform.IsSet(o.Family) {
		o.Positions, o.Modalities = nil, nil
	} else if slices.Equal(o.Positions, model.DefaultPositions()) {
		o.Positions = nil
	}
	suites = []string{o.Suite}
	if o.Shifted {
		suites = append(suites, present.ShiftsOf(o.Suite, d.suites)...)
	}
	return o, suites
}

// command is the command that starts the same runs.
func (d *runDialog) command(o runAsk) ([]string, any) {
	o, suites := d.meant(o)
	o.Models = d.choice().ids(o.Models)
	return []string{"variscope", "run", d.runner.Workspace.Path()}, &struct {
		Suite  []string `help:"Suites." sep:"none"`
		Family []string `help:"Families." sep:"none"`
		job.Which
		job.Options
		job.AnyProcessor
		device.Pick
	}{suites, []string{o.Family}, o.Which, o.Options, o.AnyProcessor, o.Pick}
}

// requests are, off the main goroutine, the request for the chosen suite, and those for its shifted
// suites where they are asked for: it reads the table of classes.
func (d *runDialog) requests(o runAsk) ([]job.Request, error) {
	if len(d.models) == 0 {
		return nil, errors.New("there are no models to run: import some first")
	}
	o, suites := d.meant(o)
	family, err := transform.ParseAny(o.Family)
	if err != nil {
		return nil, err
	}
	req, err := o.Request(family)
	req.Models, req.Mixed, req.Device = o.Models, o.Mixed, o.Pick
	return req.OnEach(suites), err
}

func (d *runDialog) run(sheet *kit.Dialog, o runAsk) {
	sheet.Close()
	var reqs []job.Request
	d.host.Quietly("prepare run", func() (err error) {
		if reqs, err = d.requests(o); err != nil {
			return err
		}
		current := store.Current{Suite: o.Suite, Family: reqs[0].Family}
		if transform.IsSet(current.Family) {
			current.Family = d.current.Family
		}
		return d.runner.Workspace.SetCurrent(current)
	}, func() { d.runner.Start(d.host, reqs...) })
}

// RunDefaults is what the run dialog begins with.
type RunDefaults struct {
	// Models are the hashes of the chosen models; with none, all is the only choice.
	Models []string
	// Modalities are those that shall be shown afterwards; the run computes what they need beside
	// the usual.
	Modalities []string
}

// Request is the run of the models without asking further: the usual positions, and what
// its modalities need beside.
func (w RunDefaults) Request(suite, family string) (job.Request, error) {
	parsed, err := transform.ParseAny(family)
	if err != nil {
		return job.Request{}, err
	}
	req, err := job.Options{Positions: model.DefaultPositions(), Modalities: w.beyond()}.Request(parsed)
	req.Models, req.Suite = w.Models, suite
	return req, err
}

// beyond are the wished modalities that the usual positions do not give. What is no modality is
// passed over.
func (w RunDefaults) beyond() (list []string) {
	for _, text := range w.Modalities {
		m, err := signal.ParseModality(text)
		if err != nil || !m.Vector() && slices.Contains(model.DefaultPositions(), m.Position) {
			continue
		}
		if name := m.String(); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}
