package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// Importer is what importing works with.
type Importer struct {
	Workspace *store.Workspace
	Runtime   engine.Runtime // nil when ONNX Runtime is missing
	Read      intake.Reader
	// Open opens a workspace that was chosen instead of something to import; may be nil.
	Open func(path string)
	// Did takes changes that can be taken back; may be nil.
	Did func(history.Step)
}

// Report is what an import did, for people.
type Report struct {
	Summary []string // what was added and merged, in few words
	Lines   []string // the same in full
	Failed  []string // each with its reason
	Steps   []history.Step
}

// String is the report as text, a paragraph for each thing, first what failed.
func (r Report) String() string {
	lines := slices.Clone(r.Lines)
	if len(r.Failed) > 0 {
		lines = slices.Insert(lines, 0, fmt.Sprintf("Not imported (%d):", len(r.Failed)), cross+strings.Join(r.Failed, "\n\n"+cross))
	}
	return strings.Join(lines, "\n\n")
}

// cross marks what failed, so that it can be told from the lines that the one before goes on in.
const cross = "✗ "

// add adds what came of one thing: its parts stand one below the other, and under a suite the
// images that could not be read.
func (r *Report) add(o intake.Outcome) {
	parts := slices.Clone(o.Details)
	if o.Manifest != nil {
		for k, s := range o.Manifest.Skipped {
			if k == mostSkipped {
				parts = append(parts, fmt.Sprintf("%d more that could not be read", len(o.Manifest.Skipped)-k))
				break
			}
			parts = append(parts, s.Path+": "+s.Reason)
		}
	}
	r.Lines = append(r.Lines, strings.ToUpper(o.What[:1])+o.What[1:]+" "+o.Name+": "+strings.Join(parts, "\n    "))
}

// mostSkipped is how many corrupt images of a suite are named.
const mostSkipped = 100

// tally adds up the totals of several steps that know nothing of each other.
type tally struct {
	p     engine.Progress
	mu    sync.Mutex
	total int64
}

// step is the progress of one step.
type step struct {
	*tally
	own int64
}

// SetTotal sets the step's own total.
func (s *step) SetTotal(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total += n - s.own
	s.own = n
	s.p.SetTotal(s.total)
}

// Add adds finished parts of the step.
func (s *step) Add(n int64) { s.p.Add(n) }

// Import brings in everything that was recognised. A path that fails is reported and the others go
// on; the error is only for a cancel. The workspace is left as it was by whatever failed.
func (i Importer) Import(ctx context.Context, items []Item, options intake.ImportOptions, p engine.Progress) (Report, error) {
	var report Report
	for _, item := range items {
		if item.Kind == Unknown {
			report.Failed = append(report.Failed, sentence(item.Err))
		}
		if item.Kind == Workspace {
			report.Failed = append(report.Failed, fmt.Sprintf("%s is a workspace: open it instead", item.Path))
		}
	}
	all := &tally{p: p}
	for _, part := range []func() error{
		func() error { return i.suites(ctx, only(items, Suite), options.SuiteOptions, all, &report) },
		func() error {
			return i.models(ctx, only(items, Models), options.ModelOptions, &step{tally: all}, &report)
		},
		func() error { return i.labels(ctx, only(items, Labels), &report) },
		func() error { return i.records(ctx, only(items, Records), &report) },
	} {
		if err := errors.Join(part(), ctx.Err()); err != nil {
			return report, err
		}
	}
	return report, nil
}

func (i Importer) suites(ctx context.Context, paths []string, options intake.SuiteOptions, all *tally, report *Report) error {
	for _, path := range paths {
		m, err := intake.Suite(ctx, i.Workspace, path, options, &step{tally: all})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			report.Failed = append(report.Failed, sentence(err))
			continue
		}
		report.Summary = append(report.Summary, "suite "+m.Name)
		report.add(intake.SuiteOutcome(m, present.SuiteLines(m)))
	}
	return nil
}

func (i Importer) models(ctx context.Context, paths []string, options intake.ModelOptions, p engine.Progress, report *Report) error {
	if len(paths) == 0 {
		return nil
	}
	done, err := intake.Models(ctx, i.Workspace, i.Runtime, i.Read, paths, options, p)
	if n := len(done.Added); n > 0 {
		report.Summary = append(report.Summary, fmt.Sprintf("%s added", result.Counted(n, "model")))
	}
	if n := len(done.Merged); n > 0 {
		report.Summary = append(report.Summary, fmt.Sprintf("%s merged", result.Counted(n, "model")))
	}
	outcomes, told := done.Outcomes(i.Workspace)
	for _, o := range outcomes {
		report.add(o)
	}
	if told != nil {
		report.Failed = append(report.Failed, sentence(told))
	}
	for _, failure := range done.Failed {
		report.Failed = append(report.Failed, sentence(failure))
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		report.Failed = append(report.Failed, sentence(err))
	}
	return nil
}

func (i Importer) labels(ctx context.Context, paths []string, report *Report) error {
	if len(paths) == 0 {
		return nil
	}
	err := backUpFirst(ctx, i.Workspace)
	var done intake.LabelsReport
	if err == nil {
		done, err = intake.Labels(ctx, i.Workspace, paths)
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		report.Failed = append(report.Failed, sentence(err))
		return nil
	}
	text := fmt.Sprintf("%s added, %d were known", result.Counted(done.Added, "event"), done.Known)
	report.Summary, report.Lines = append(report.Summary, text), append(report.Lines, "Labels: "+text)
	return nil
}

// ImportDialog asks what to import, starting from the paths given (dropped ones, or none), and
// imports it.
func ImportDialog(host *kit.Host, importer Importer, paths []string) {
	d := &importDialog{host: host, importer: importer, sheet: host.NewDialog("Import", fyne.NewSize(760, 560))}
	d.build()
	d.entry.SetText(strings.Join(paths, "\n"))
	d.recognise()
	d.sheet.Present(d.entry)
}

type importDialog struct {
	host     *kit.Host
	importer Importer
	sheet    *kit.Dialog
	entry    *widget.Entry
	needs    *widget.Label
	found    *widget.Label
	parts    *fyne.Container // asks which part of a data set is the suite
	suites   *kit.Form[intake.SuiteOptions]
	models   *kit.Form[intake.ModelOptions]
	sections [2]fyne.CanvasObject // the options of suites and of models, each hidden without any
	form     *fyne.Container
	copy     *widget.Button
	start    *widget.Button
	latest   background.Latest
	items    []Item
}

func (d *importDialog) build() {
	d.entry = widget.NewMultiLineEntry()
	d.entry.SetPlaceHolder("Paths, one per line: .onnx files, a folder with models.csv, a test suite (IDX, CIFAR, arrays, folder per class, CSV), labels_long.csv")
	d.entry.Wrapping = fyne.TextWrapWord
	d.entry.SetMinRowsVisible(3)
	d.entry.OnChanged = func(string) { d.recognise() }
	d.found, d.needs = wrapped(""), wrapped(present.ModelNeeds())
	d.found.Selectable = true
	d.parts = container.NewVBox()
	d.suites = &kit.Form[intake.SuiteOptions]{
		Host: d.host, Rows: true, Folded: []string{"idx-labels"},
		OnChange: func(intake.SuiteOptions) { d.judge() },
	}
	d.models = &kit.Form[intake.ModelOptions]{
		Host: d.host, Rows: true, Folded: []string{"mean", "std", "output", "batch", "position", "allow-nondeterministic"},
		Own: recipePart, Refuse: func(o intake.ModelOptions) error { return o.Possible() },
		OnChange: func(intake.ModelOptions) { d.judge() },
	}
	d.suites.Make()
	d.models.Make()
	d.sections = [2]fyne.CanvasObject{titled("Test suite", d.suites.Object()), titled("Models", d.models.Object())}
	d.copy = widget.NewButton("Copy as command", func() {
		fyne.CurrentApp().Clipboard().SetContent(d.command())
		d.host.Say("command copied")
	})
	d.start = widget.NewButton("Import", d.run)
	d.start.Importance = widget.HighImportance
	add := func(path string) {
		d.entry.SetText(strings.TrimSpace(d.entry.Text + "\n" + path))
	}
	head := container.NewBorder(nil, nil, nil, d.host.Browse(add), widget.NewLabel("Or drop files and folders on the window."))
	d.form = container.NewVBox(d.entry, head, d.needs, d.found, d.parts, d.sections[0], d.sections[1])
	d.sheet.Show(d.form, d.copy, d.sheet.CloseButton("Cancel"), d.start)
	d.sheet.DropInto(d.entry)
}

// recipePart makes what asks for a recipe: a text, or one of those that have a name.
func recipePart(name string, take func(text string)) kit.Part {
	if name != "recipe" {
		return kit.Part{}
	}
	entry := widget.NewSelectEntry(recipe.Names())
	entry.SetPlaceHolder("what the files say; or a name, or resize=shorter:256;crop=center:224x224")
	entry.OnChanged = take
	return kit.Part{Object: entry, Show: func(text string) {
		if entry.Text != text {
			entry.SetText(text)
		}
	}}
}

// recognise looks at the paths in the background; an answer to an older text is dropped.
func (d *importDialog) recognise() {
	paths := kit.Paths(d.entry.Text)
	d.items = nil
	d.judge()
	background.LoadTyped(d.host.Work, &d.latest, "recognise", func(context.Context) ([]Item, error) {
		items := make([]Item, len(paths))
		for i, path := range paths {
			items[i] = foresee(d.importer.Workspace, Recognise(path))
		}
		return items, nil
	}, func(items []Item, err error) {
		if err == nil {
			d.show(items)
		}
	})
}

func (d *importDialog) show(items []Item) {
	d.items = items
	own.Show(d.needs, len(items) == 0)
	own.Show(d.found, len(items) > 0)
	own.Show(d.sections[0], len(only(items, Suite)) > 0)
	own.Show(d.sections[1], len(only(items, Models)) > 0)
	d.parts.RemoveAll()
	for _, item := range items {
		if parts := (*suite.PartsError)(nil); errors.As(item.Err, &parts) {
			d.parts.Add(d.askPart(item.Path, parts))
		}
	}
	d.judge()
	d.form.Refresh() // the options need their room
}

// askPart asks which part of a data set is the suite; its path takes the place of the folder's.
func (d *importDialog) askPart(folder string, parts *suite.PartsError) fyne.CanvasObject {
	row := container.NewHBox()
	for k, part := range parts.Parts {
		row.Add(widget.NewButton(fmt.Sprintf("%s (%s)", part, result.Counted(parts.Images[k], "image")), func() {
			paths := kit.Paths(d.entry.Text)
			for at, path := range paths {
				if path == folder {
					paths[at] = filepath.Join(parts.Folder, part)
				}
			}
			d.entry.SetText(strings.Join(paths, "\n"))
		}))
	}
	return titled(fmt.Sprintf("Which part of %s is the test suite?", filepath.Base(folder)), row)
}

// judge says what was recognised and what is wrong with the options, and what can be done.
func (d *importDialog) judge() {
	text, problem := describe(d.items), d.problem()
	if problem != nil {
		text += "\n" + cross + sentence(problem)
	}
	d.found.SetText(text)
	known := slices.ContainsFunc(d.items, func(i Item) bool { return i.Kind != Unknown && i.Kind != Workspace })
	own.Enable(d.start, problem == nil && (known || d.opens() != ""))
	own.Enable(d.copy, problem == nil && d.command() != "")
	d.start.SetText("Import")
	if d.opens() != "" {
		d.start.SetText("Open workspace")
	}
}

// problem is what is wrong with the options of what is there.
func (d *importDialog) problem() error {
	suites, o := only(d.items, Suite), d.suites.Options()
	switch {
	case len(suites) > 1 && (o.Name != "" || o.Labels != ""):
		return fmt.Errorf("a name and a file of labels are for one suite, and there are %d; import them one by one, or leave both empty", len(suites))
	case len(suites) > 0 && d.suites.Err() != nil:
		return d.suites.Err()
	case len(only(d.items, Models)) > 0:
		return d.models.Err()
	}
	return nil
}

// options are those of what is there.
func (d *importDialog) options() (o intake.ImportOptions) {
	if len(only(d.items, Suite)) > 0 {
		o.SuiteOptions = d.suites.Options()
		o.Name = strings.TrimSpace(o.Name)
	}
	if len(only(d.items, Models)) > 0 {
		o.ModelOptions = d.models.Options()
	}
	return o
}

// command is the command that imports the same, "" where there is none.
func (d *importDialog) command() string {
	paths := slices.Concat(only(d.items, Models), only(d.items, Suite), only(d.items, Records))
	if len(paths) == 0 || len(only(d.items, Labels)) > 0 {
		return ""
	}
	o := d.options()
	return option.Command(append([]string{"variscope", "import", d.importer.Workspace.Path()}, paths...), &o)
}

// opens is the workspace to open when nothing else was given.
func (d *importDialog) opens() string {
	if len(d.items) == 1 && d.items[0].Kind == Workspace && d.importer.Open != nil {
		return d.items[0].Path
	}
	return ""
}

// describe lists what was recognised, one line per path.
func describe(items []Item) string {
	lines := make([]string, len(items))
	for i, item := range items {
		lines[i] = "✓ " + filepath.Base(item.Path) + " — " + item.What
		if parts := (*suite.PartsError)(nil); errors.As(item.Err, &parts) {
			lines[i] = fmt.Sprintf("%s%s — a data set in parts (%s); choose one below", cross, filepath.Base(item.Path), strings.Join(parts.Parts, ", "))
		} else if item.Err != nil {
			lines[i] = cross + sentence(item.Err)
		}
	}
	return strings.Join(lines, "\n")
}

func (d *importDialog) run() {
	if path := d.opens(); path != "" {
		d.sheet.Close()
		d.importer.Open(path)
		return
	}
	items, options := d.items, d.options()
	var report Report
	d.sheet.Work("Import", func(ctx context.Context, p *background.Progress) (err error) {
		report, err = d.importer.Import(ctx, items, options, p)
		return err
	}, func(err error) { d.done(report, err) })
}

func (d *importDialog) done(report Report, err error) {
	for _, step := range report.Steps {
		did(d.importer.Did, step)
	}
	title := "Import finished"
	switch {
	case err != nil && cancelled(err):
		title = "Import cancelled; what is listed here was finished"
	case err != nil:
		report.Failed = append(report.Failed, sentence(err))
	}
	summary := report.Summary
	if n := len(report.Failed); n > 0 {
		summary = append(summary, fmt.Sprintf("%d not imported", n))
	}
	said := strings.Join(summary, "; ")
	d.host.Say(said)
	if d.sheet.Closed() {
		if len(report.Failed) > 0 {
			d.host.Fail(fmt.Errorf("Import: %s", strings.Join(report.Failed, "; ")))
		}
		return
	}
	text := report.String()
	d.sheet.Show(headed(title, scrolledText(text, 320), wrapped(said)), copyButton(text), d.sheet.CloseButton("Close"))
}

// copyButton is a button that copies a text.
func copyButton(text string) *widget.Button {
	return widget.NewButton("Copy", func() { fyne.CurrentApp().Clipboard().SetContent(text) })
}
