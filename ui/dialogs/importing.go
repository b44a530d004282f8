package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// Importer is what importing works with.
type Importer struct {
	Workspace *store.Workspace
	Runtime   engine.Runtime // nil when ONNX Runtime is missing
	Inspect   func(path string) (model.Graph, error)
	// Open opens a workspace that was chosen instead of something to import; may be nil.
	Open func(path string)
	// Did takes changes that can be taken back; may be nil.
	Did func(history.Step)
}

// Report is what an import did, for people.
type Report struct {
	Lines  []string // what was added and merged
	Failed []string // each with its reason
	Steps  []history.Step
}

// String is the report as text.
func (r Report) String() string {
	text := strings.Join(r.Lines, "\n")
	if len(r.Failed) > 0 {
		text += fmt.Sprintf("\n\nNot imported (%d):\n", len(r.Failed)) + crossed(r.Failed)
	}
	return strings.TrimSpace(text)
}

// crossed are sentences on what failed, one below the other, each of which can be told from the
// lines that the one before goes on in.
func crossed(sentences []string) string {
	return cross + strings.Join(sentences, "\n"+cross)
}

const cross = "✗ "

// list adds a line about models, with the ids of the first ones.
func (r *Report) list(what string, ids []string) {
	if len(ids) == 0 {
		return
	}
	const most = 12
	named := strings.Join(ids[:min(most, len(ids))], ", ")
	if len(ids) > most {
		named += ", …"
	}
	r.Lines = append(r.Lines, fmt.Sprintf("%s %s (%s)", result.Counted(len(ids), "model"), what, named))
}

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
func (i Importer) Import(ctx context.Context, items []Item, options intake.SuiteOptions, p engine.Progress) (Report, error) {
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
		func() error { return i.suites(ctx, only(items, Suite), options, all, &report) },
		func() error { return i.models(ctx, only(items, Models), &step{tally: all}, &report) },
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
		opts := options
		if opts.Name = strings.TrimSpace(opts.Name); len(paths) > 1 {
			opts.Name = "" // it names one
		}
		m, err := intake.Suite(ctx, i.Workspace, path, opts, &step{tally: all})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			report.Failed = append(report.Failed, sentence(err))
			continue
		}
		report.Lines = append(report.Lines, fmt.Sprintf("Suite %s: %s", m.Name, present.Suite(m)))
	}
	return nil
}

func (i Importer) models(ctx context.Context, paths []string, p engine.Progress, report *Report) error {
	if len(paths) == 0 {
		return nil
	}
	done, err := intake.Models(ctx, i.Workspace, i.Runtime, i.Inspect, paths, intake.ModelOptions{}, p)
	report.list("added", done.Added)
	report.list("merged: the same file was there, its metadata is up to date now", done.Merged)
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
	report.Lines = append(report.Lines, fmt.Sprintf("Labels: %s added, %d were known", result.Counted(done.Added, "event"), done.Known))
	return nil
}

// ImportDialog asks what to import, starting from the paths given (dropped ones, or none), and
// imports it.
func ImportDialog(host *kit.Host, importer Importer, paths []string) {
	d := &importDialog{host: host, importer: importer, sheet: host.NewDialog("Import", fyne.NewSize(720, 520))}
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
	found    *widget.Label
	options  *kit.Form[intake.SuiteOptions]
	suite    fyne.CanvasObject // the options, hidden without a suite
	form     *fyne.Container
	start    *widget.Button
	latest   background.Latest
	items    []Item
}

func (d *importDialog) build() {
	d.entry = widget.NewMultiLineEntry()
	d.entry.SetPlaceHolder("Paths, one per line: .onnx files, a folder with models.csv, a test suite (IDX, CIFAR-10, folder per class, CSV), labels_long.csv")
	d.entry.Wrapping = fyne.TextWrapWord
	d.entry.SetMinRowsVisible(4)
	d.entry.OnChanged = func(string) { d.recognise() }
	d.found = widget.NewLabel("")
	d.found.Wrapping = fyne.TextWrapWord
	d.options = &kit.Form[intake.SuiteOptions]{Host: d.host, Rows: true, Hide: []string{"idx-labels"}}
	d.options.Make()
	d.suite = titled("Test suite", d.options.Object())
	d.suite.Hide()
	d.start = widget.NewButton("Import", d.run)
	d.start.Importance = widget.HighImportance
	d.start.Disable()
	add := func(path string) {
		d.entry.SetText(strings.TrimSpace(d.entry.Text + "\n" + path))
	}
	scroll := container.NewVScroll(d.found)
	scroll.SetMinSize(fyne.NewSize(0, 96))
	head := container.NewBorder(nil, nil, nil, d.host.Browse(add), widget.NewLabel("Or drop files and folders on the window."))
	needs := widget.NewLabel(present.ModelNeeds())
	needs.Wrapping = fyne.TextWrapWord
	d.form = container.NewBorder(container.NewVBox(d.entry, head, needs), d.suite, nil, nil, scroll)
	d.sheet.Show(d.form, d.sheet.CloseButton("Cancel"), d.start)
	d.sheet.DropInto(d.entry)
}

// recognise looks at the paths in the background; an answer to an older text is dropped.
func (d *importDialog) recognise() {
	paths := kit.Paths(d.entry.Text)
	d.start.Disable()
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
	d.found.SetText(describe(items))
	suites := only(items, Suite)
	if len(suites) > 0 {
		d.suite.Show()
	} else {
		d.suite.Hide()
	}
	d.form.Refresh() // the options need their room
	if len(suites)+len(only(items, Models))+len(only(items, Labels))+len(only(items, Records)) > 0 || len(only(items, Workspace)) == 1 {
		d.start.Enable()
	}
	d.start.SetText("Import")
	if d.opens() != "" {
		d.start.SetText("Open workspace")
	}
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
		if item.Err != nil {
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
	items, options := d.items, d.options.Options()
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
	summary := strings.Join(report.Lines, "; ")
	if n := len(report.Failed); n > 0 {
		summary = fmt.Sprintf("%s; %d not imported", summary, n)
	}
	d.host.Say(strings.TrimPrefix(summary, "; "))
	if d.sheet.Closed() {
		if len(report.Failed) > 0 {
			d.host.Fail(fmt.Errorf("Import: %s", strings.Join(report.Failed, "; ")))
		}
		return
	}
	d.sheet.Show(headed(title, scrolledText(report.String(), 260)), d.sheet.CloseButton("Close"))
}
