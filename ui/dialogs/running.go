package dialogs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/ui/background"
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
	// MayMix says that other machines are let in with processors of other kinds, so that a run can be
	// left to them too.
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
	host.Work.Start("Prepare run", func(ctx context.Context, p *background.Progress) (err error) {
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
		r.started(host, ids, refused, err)
	})
}

// started says what came of a start. Of several runs some may be under way although the next one
// could not be started; a cancel ends them all.
func (r Runner) started(host *kit.Host, ids []string, refused []job.Refused, err error) {
	switch {
	case err != nil && cancelled(err):
		host.Say("The run was not started.")
		return
	case err != nil:
		host.Fail(err)
		return
	}
	if len(ids) == 1 {
		host.Say("The run has started.")
	} else {
		host.Say(fmt.Sprintf("%s have started, one after the other.", present.Counted(int64(len(ids)), "run")))
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

// RunDialog asks for models, suite, family and positions and starts a run.
func RunDialog(host *kit.Host, runner Runner, wish Wish) {
	if runner.Runtime == nil {
		host.Fail(runner.problem())
		return
	}
	var facts runFacts
	host.Work.Quiet("run dialog", func(context.Context) (err error) {
		facts, err = gather(runner.Workspace)
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err)
			return
		}
		d := &runDialog{host: host, runner: runner, wish: wish, facts: facts}
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
	host      *kit.Host
	runner    Runner
	wish      Wish
	facts     runFacts
	sheet     *kit.Dialog
	which     *widget.RadioGroup
	suites    *suiteMenu
	shifted   *widget.Check // also on the suites that are made from the chosen one
	shifts    []string      // their hashes
	family    *familyPicker
	positions map[string]*widget.Check
	tensors   *widget.Entry
	vectors   *widget.Entry
	table     *widget.Entry
	browse    *widget.Button // for the table
	mixed     *widget.Check
	start     *widget.Button
	room      *roomLine
	frozen    bool // the run is being prepared
}

const allModels = "all models"

func (d *runDialog) open() {
	d.sheet = d.host.NewDialog("New run", fyne.NewSize(720, 470))
	d.room = newRoomLine(d.host, d.runner)
	d.start = widget.NewButton("Start", d.run)
	d.start.Importance = widget.HighImportance
	d.chooseModels()
	d.suites = newSuiteMenu(d.facts.suites, d.facts.current.Suite, d.choseSuite)
	d.shifted = widget.NewCheck("", func(bool) { d.check() })
	d.askPositions()
	text := d.facts.current.Family
	if text == "" {
		text = usualFamily()
	}
	d.family = newFamilyPicker(text, true, d.check)
	d.mixed = widget.NewCheck("allow other kinds of processors: results agree to 1e-4 and are marked", func(bool) { d.check() })
	form := widget.NewForm(
		widget.NewFormItem("Models", d.which),
		widget.NewFormItem("Test suite", container.NewVBox(d.suites.menu, d.shifted)),
		widget.NewFormItem("Family", d.family.object),
		widget.NewFormItem("Positions", container.NewVBox(d.positionChecks(), d.tensors)),
		widget.NewFormItem("Whole tensors", d.vectors),
		widget.NewFormItem("Class table", d.askTable()),
		widget.NewFormItem("Space", d.room.label),
	)
	if d.runner.MayMix {
		form.Items = slices.Insert(form.Items, len(form.Items)-1, widget.NewFormItem("Processors", d.mixed))
		form.Refresh()
	}
	d.sheet.Show(container.NewVScroll(form), d.sheet.CloseButton("Cancel"), d.start)
	d.choseSuite()
	d.sheet.Present(nil)
}

// choseSuite offers to run on the suites that are made from the chosen one as well, where there
// are some.
func (d *runDialog) choseSuite() {
	d.shifts = present.ShiftsOf(d.suites.hash(), d.facts.suites)
	if n := len(d.shifts); n > 0 {
		d.shifted.SetText(present.ByCount(n, "and on its %d shifted suite", "and on its %d shifted suites", n))
		d.shifted.Show()
	} else {
		d.shifted.Hide()
	}
	d.check()
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

func (d *runDialog) chooseModels() {
	options := []string{fmt.Sprintf("%s (%d)", allModels, len(d.facts.models))}
	if len(d.wish.Models) > 0 {
		options = append([]string{fmt.Sprintf("chosen ones (%d)", len(d.wish.Models))}, options...)
	}
	d.which = widget.NewRadioGroup(options, nil)
	d.which.Horizontal = true
	d.which.Required = true
	d.which.SetSelected(options[0])
	d.which.OnChanged = func(string) { d.check() }
}

// askPositions makes the lines for further tensors and for vector modalities, with what was wished
// for in them.
func (d *runDialog) askPositions() {
	_, tensors, vectors := d.wish.needs()
	d.tensors, d.vectors = widget.NewEntry(), widget.NewEntry()
	d.tensors.SetPlaceHolder("further tensors by name, separated by commas")
	d.tensors.SetText(strings.Join(tensors, ", "))
	d.vectors.SetPlaceHolder("none; or L1@CONF, L2@CONV-1: distances between whole tensors, stored for each pair")
	d.vectors.SetText(strings.Join(vectors, ", "))
	d.vectors.OnChanged = func(string) { d.check() }
}

func (d *runDialog) positionChecks() fyne.CanvasObject {
	d.positions = map[string]*widget.Check{}
	named, _, _ := d.wish.needs()
	row := container.NewHBox()
	for _, position := range namedPositions() {
		check := widget.NewCheck(position, nil)
		check.SetChecked(position != model.Head || slices.Contains(named, position))
		check.OnChanged = func(bool) { d.check() }
		d.positions[position] = check
		row.Add(check)
	}
	d.positions[model.CONF].Disable() // predictions come from it: it is always there
	return row
}

// check enables the start button when everything is well written.
func (d *runDialog) check() {
	if d.family == nil || d.start == nil || d.frozen {
		return
	}
	_, wrong := parseVectors(d.vectors.Text)
	family, err := d.family.family()
	d.allowPositions(!family.IsSet())
	if wrong != nil && !family.IsSet() {
		d.start.Disable()
		d.room.clear()
		d.room.say(sentence(wrong), widget.WarningImportance)
		return
	}
	if err == nil && d.suites.hash() != "" && len(d.facts.models) > 0 {
		d.start.Enable()
		d.measure()
	} else {
		d.start.Disable()
		d.room.clear()
	}
}

// allowPositions enables the positions beside CONF and the vector modalities, which a
// transformation set has no use for.
func (d *runDialog) allowPositions(allowed bool) {
	own.Enable(d.tensors, allowed)
	own.Enable(d.vectors, allowed)
	for _, position := range namedPositions() {
		if position != model.CONF {
			own.Enable(d.positions[position], allowed)
		}
	}
}

// measure has the room line look anew.
func (d *runDialog) measure() {
	if reqs, err := d.requests(); err == nil {
		d.room.measure(reqs)
	} else {
		d.room.clear()
	}
}

// request is what the form says, but for the table of classes.
func (d *runDialog) request() (job.Request, error) {
	family, err := d.family.family()
	if err != nil {
		return job.Request{}, err
	}
	req := job.Request{Suite: d.suites.hash(), Family: family.String(), Mixed: d.mixed.Checked}
	if !strings.HasPrefix(d.which.Selected, allModels) {
		req.Models = d.wish.Models
	}
	if family.IsSet() { // predictions alone
		return req, nil
	}
	for _, position := range namedPositions() {
		if d.positions[position].Checked {
			req.Positions = append(req.Positions, position)
		}
	}
	for tensor := range strings.SplitSeq(d.tensors.Text, ",") {
		if tensor = strings.TrimSpace(tensor); tensor != "" {
			req.Positions = append(req.Positions, tensor)
		}
	}
	req.Vectors, err = parseVectors(d.vectors.Text)
	return req, err
}

// requests finds, off the main goroutine, the request for the chosen suite, and those for its
// shifted suites where they are asked for: it reads the table of classes.
func (d *runDialog) requests() (find func() ([]job.Request, error), err error) {
	req, err := d.request()
	if err != nil {
		return nil, err
	}
	table, shifts := kit.Path(d.table.Text), d.shifts
	if !d.shifted.Checked {
		shifts = nil
	}
	return func() (_ []job.Request, err error) {
		if table != "" {
			if req.ClassMap, err = ReadClassTable(table); err != nil {
				return nil, err
			}
		}
		return append([]job.Request{req}, req.OnEach(shifts)...), nil
	}, nil
}

func (d *runDialog) run() {
	find, err := d.requests()
	if err != nil {
		d.host.Fail(err)
		return
	}
	var reqs []job.Request
	d.freeze()
	d.host.Work.Quiet("prepare run", func(context.Context) (err error) {
		if reqs, err = find(); err != nil {
			return err
		}
		return d.look(reqs[0])
	}, func(err error) {
		switch {
		case d.sheet.Closed():
		case err != nil:
			d.thaw()
			d.host.Fail(err)
		default:
			d.sheet.Close()
			d.runner.Start(d.host, reqs...)
		}
	})
}

// look makes suite and family of the run the current ones; a transformation set leaves the family
// as it is.
func (d *runDialog) look(req job.Request) error {
	current := store.Current{Suite: req.Suite, Family: req.Family}
	if transform.IsSet(req.Family) {
		current.Family = d.facts.current.Family
	}
	return d.runner.Workspace.SetCurrent(current)
}
