package dialogs

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
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
	"github.com/variscope/variscope/ui/words"
)

// Runner is what starting a run works with.
type Runner struct {
	Workspace *store.Workspace
	Engine    *engine.Engine
	Runtime   engine.Runtime // nil when ONNX Runtime is missing
	Problem   string         // why it is missing, for people
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

// Start starts a run in the background and tells the window what came of it: a message, and the models that cannot take
// part, each with its reason.
func (r Runner) Start(host Host, req job.Request) {
	if r.Runtime == nil {
		host.Failed(r.problem())
		return
	}
	var id string
	var refused []job.Refused
	host.Work.Start(words.T("Prepare run"), func(ctx context.Context, p *background.Progress) (err error) {
		id, refused, err = job.Start(ctx, r.Workspace, r.Engine, r.Runtime, req, p)
		return err
	}, func(err error) {
		switch {
		case err != nil && cancelled(err):
			host.Say(words.T("The run was not started."))
			return
		case err != nil:
			host.Failed(err)
			return
		}
		host.Say(words.T("The run has started."))
		if err := refusal(refused); err != nil {
			host.Failed(err)
		}
		if r.Started != nil {
			r.Started(id)
		}
	})
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
	return errors.New(words.N(len(refused), "the run goes on, but %d model cannot take part: %s",
		"the run goes on, but %d models cannot take part: %s", len(refused), strings.Join(reasons, "; ")))
}

// ReadClassTable reads a table of two columns, suite class and model class, with or without the header
// "suite,model". Errors name the file and the line.
func ReadClassTable(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, words.E("class table: %w", err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.FieldsPerRecord = 2
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, words.E("class table %s: %w; write two columns, suite class and model class", path, err)
	}
	if len(rows) > 0 && strings.EqualFold(rows[0][0], "suite") {
		rows = rows[1:]
	}
	table := map[string]string{}
	for i, row := range rows {
		if _, twice := table[row[0]]; twice {
			return nil, words.E("class table %s: suite class %q stands there twice (row %d); keep one", path, row[0], i+1)
		}
		table[row[0]] = row[1]
	}
	if len(table) == 0 {
		return nil, words.E("class table %s is empty; write two columns, suite class and model class", path)
	}
	return table, nil
}

// RunDialog asks for models, suite, family and positions and starts a run.
func RunDialog(host Host, runner Runner, wish Wish) {
	if runner.Runtime == nil {
		host.Failed(runner.problem())
		return
	}
	var facts runFacts
	host.Work.Quiet("run dialog", func(context.Context) (err error) {
		facts, err = gather(runner.Workspace)
		return err
	}, func(err error) {
		if err != nil {
			host.Failed(err)
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
	host      Host
	runner    Runner
	wish      Wish
	facts     runFacts
	sheet     *sheet
	which     *widget.RadioGroup
	suites    *suiteMenu
	family    *familyPicker
	positions map[string]*widget.Check
	tensors   *widget.Entry
	vectors   *widget.Entry
	table     *widget.Entry
	start     *widget.Button
	room      *roomLine
}

const allModels = "all models"

func (d *runDialog) open() {
	d.sheet = d.host.open(words.T("New run"), fyne.NewSize(720, 470))
	d.room = newRoomLine(d.host, d.runner)
	d.start = widget.NewButton(words.T("Start"), d.run)
	d.start.Importance = widget.HighImportance
	d.chooseModels()
	d.suites = newSuiteMenu(d.facts.suites, d.facts.current.Suite, d.check)
	d.askPositions()
	d.table = widget.NewEntry()
	d.table.SetPlaceHolder(words.T("CSV of suite class, model class: only where their names differ"))
	text := d.facts.current.Family
	if text == "" {
		text = usualFamily()
	}
	d.family = newFamilyPicker(text, d.check)
	form := widget.NewForm(
		widget.NewFormItem(words.T("Models"), d.which),
		widget.NewFormItem(words.T("Test suite"), d.suites.menu),
		widget.NewFormItem(words.T("Family"), d.family.object),
		widget.NewFormItem(words.T("Positions"), container.NewVBox(d.positionChecks(), d.tensors)),
		widget.NewFormItem(words.T("Whole tensors"), d.vectors),
		widget.NewFormItem(words.T("Class table"), container.NewBorder(nil, nil, nil, d.host.browseFile(d.table.SetText, ".csv"), d.table)),
		widget.NewFormItem(words.T("Space"), d.room.label),
	)
	d.sheet.show(container.NewVScroll(form), d.sheet.closeButton(words.T("Cancel")), d.start)
	d.check()
	d.sheet.present(nil)
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
	options := []string{fmt.Sprintf("%s (%d)", words.T(allModels), len(d.facts.models))}
	if len(d.wish.Models) > 0 {
		options = append([]string{words.F("chosen ones (%d)", len(d.wish.Models))}, options...)
	}
	d.which = widget.NewRadioGroup(options, nil)
	d.which.Horizontal = true
	d.which.Required = true
	d.which.SetSelected(options[0])
	d.which.OnChanged = func(string) { d.check() }
}

// askPositions makes the lines for further tensors and for vector modalities, with what was wished for in them.
func (d *runDialog) askPositions() {
	_, tensors, vectors := d.wish.needs()
	d.tensors, d.vectors = widget.NewEntry(), widget.NewEntry()
	d.tensors.SetPlaceHolder(words.T("further tensors by name, separated by commas"))
	d.tensors.SetText(strings.Join(tensors, ", "))
	d.vectors.SetPlaceHolder(words.T("none; or L1@CONF, L2@CONV-1: distances between whole tensors, stored for each pair"))
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
	if d.family == nil || d.start == nil {
		return
	}
	_, wrong := parseVectors(d.vectors.Text)
	_, err := d.family.family()
	if wrong != nil {
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

// measure has the room line look anew. A table of classes that is half written is no reason to complain yet.
func (d *runDialog) measure() {
	if req, err := d.request(); err == nil {
		d.room.measure(req)
	} else {
		d.room.clear()
	}
}

func (d *runDialog) request() (job.Request, error) {
	family, err := d.family.family()
	if err != nil {
		return job.Request{}, err
	}
	req := job.Request{Suite: d.suites.hash(), Family: family.String()}
	if !strings.HasPrefix(d.which.Selected, words.T(allModels)) {
		req.Models = d.wish.Models
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
	if req.Vectors, err = parseVectors(d.vectors.Text); err != nil {
		return req, err
	}
	if path := strings.TrimSpace(d.table.Text); path != "" {
		req.ClassMap, err = ReadClassTable(path)
	}
	return req, err
}

func (d *runDialog) run() {
	req, err := d.request()
	if err != nil {
		d.host.Failed(err)
		return
	}
	d.sheet.close()
	if err := d.runner.Workspace.SetCurrent(store.Current{Suite: req.Suite, Family: req.Family}); err != nil {
		d.host.Failed(err)
		return
	}
	d.runner.Start(d.host, req)
}

// suiteMenu chooses a suite by name; suites of the same name carry the start of their hash.
type suiteMenu struct {
	menu   *widget.Select
	hashes map[string]string
}

func newSuiteMenu(suites []suite.Manifest, current string, changed func()) *suiteMenu {
	names, hashes := SuiteNames(suites)
	m := &suiteMenu{hashes: hashes}
	m.menu = widget.NewSelect(names, nil)
	m.menu.PlaceHolder = words.T("import a test suite first")
	for name, hash := range hashes {
		if hash == current || len(suites) == 1 {
			m.menu.SetSelected(name)
		}
	}
	m.menu.OnChanged = func(string) { changed() }
	return m
}

func (m *suiteMenu) hash() string { return m.hashes[m.menu.Selected] }

// SuiteNames are the names of suites for a menu, in order, each once, and the hash behind each.
func SuiteNames(suites []suite.Manifest) (names []string, hashes map[string]string) {
	hashes = map[string]string{}
	uses := map[string]int{}
	for _, s := range suites {
		uses[s.Name]++
	}
	for _, s := range suites {
		name := s.Name
		if uses[name] > 1 || name == "" {
			name = strings.TrimSpace(name + " " + s.Hash[:min(8, len(s.Hash))])
		}
		names = append(names, name)
		hashes[name] = s.Hash
	}
	return names, hashes
}
