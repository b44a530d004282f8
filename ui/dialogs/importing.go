package dialogs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/intake"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/jobs"
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
		lines = slices.Insert(lines, 0, fmt.Sprintf("Not imported (%d):", len(r.Failed)),
			cross+strings.Join(r.Failed, "\n\n"+cross))
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

// fail adds why something was not imported.
func (r *Report) fail(err error) { r.Failed = append(r.Failed, sentence(err)) }

// Import brings in everything that was recognised. A path that fails is reported and the others go
// on; the error is only for a cancel. The workspace is left as it was by whatever failed.
func (i Importer) Import(
	ctx context.Context, items []Item, options intake.ImportOptions, p engine.Progress,
) (report Report, err error) {
	each := func(kind Kind, do func(path string) error) {
		for _, path := range only(items, kind) {
			if ctx.Err() != nil {
				return
			}
			if err := do(path); err != nil && ctx.Err() == nil {
				report.fail(err)
			}
		}
	}
	for _, item := range items {
		switch item.Kind {
		case Unknown:
			report.fail(item.Err)
		case Workspace:
			report.Failed = append(report.Failed, fmt.Sprintf("%s is a workspace: open it instead", item.Path))
		}
	}
	each(Suite, func(path string) error {
		m, err := intake.Suite(ctx, i.Workspace, path, options.SuiteOptions, p)
		if err == nil {
			report.Summary = append(report.Summary, "suite "+m.Name)
			report.add(intake.SuiteOutcome(m, present.SuiteLines(m)))
		}
		return err
	})
	if paths := only(items, Models); len(paths) > 0 && ctx.Err() == nil {
		i.models(ctx, paths, options.ModelOptions, p, &report)
	}
	if paths := only(items, Labels); len(paths) > 0 && ctx.Err() == nil {
		i.labels(ctx, paths, &report)
	}
	each(Records, func(path string) error {
		plan, before, err := intake.Records(i.Workspace, path)
		if err == nil {
			report.Lines = append(report.Lines, filepath.Base(path)+": "+plan.String())
		}
		if len(before) > 0 {
			report.Steps = append(report.Steps, recordStep(i.Workspace, importOf(path), before, plan.Changes))
		}
		return err
	})
	each(Logs, func(path string) error {
		plan, before, err := intake.Log(ctx, i.Workspace, path, options.LogOptions)
		if err == nil {
			report.add(intake.LogOutcome(plan, options.LogOptions))
		}
		if len(before) > 0 {
			after := []store.Record{*plan.Change}
			report.Steps = append(report.Steps, recordStep(i.Workspace, importOf(path), before, after))
		}
		return err
	})
	return report, ctx.Err()
}

// importOf is what the import of a file is called among the steps that can be taken back.
func importOf(path string) string { return "import of " + filepath.Base(path) }

func (i Importer) models(
	ctx context.Context, paths []string, options intake.ModelOptions, p engine.Progress, report *Report,
) {
	done, err := intake.Models(ctx, i.Workspace, i.Runtime, i.Read, paths, options, p)
	for k, ids := range [][]string{done.Added, done.Merged} {
		if n := len(ids); n > 0 {
			report.Summary = append(report.Summary, result.Counted(n, "model")+[]string{" added", " merged"}[k])
		}
	}
	outcomes, told := done.Outcomes(i.Workspace)
	for _, o := range outcomes {
		report.add(o)
	}
	if told != nil {
		report.fail(told)
	}
	for _, failure := range done.Failed {
		report.fail(failure)
	}
	if err != nil && ctx.Err() == nil {
		report.fail(err)
	}
}

func (i Importer) labels(ctx context.Context, paths []string, report *Report) {
	err := backUpFirst(ctx, i.Workspace)
	var done intake.LabelsReport
	if err == nil {
		done, err = intake.Labels(ctx, i.Workspace, paths)
	}
	switch {
	case err == nil:
		text := fmt.Sprintf("%s added, %d were known", result.Counted(done.Added, "event"), done.Known)
		report.Summary, report.Lines = append(report.Summary, text),
			append(append(report.Lines, "Labels: "+text), done.Said...)
	case ctx.Err() == nil:
		report.fail(err)
	}
}

// importAsk is what the dialog asks for.
type importAsk struct {
	Paths []string `required:"" label:"Files and folders" help:"What is imported, a path per line." type:"path" placeholder:"Paths, one per line: .onnx files, a folder with models.csv, a test suite (IDX, CIFAR, arrays, folder per class, CSV), labels_long.csv, a log of a training"`
	intake.ImportOptions
}

// ImportDialog asks what to import, starting from the paths given (dropped ones, or none), and
// imports it.
func ImportDialog(host *kit.Host, importer Importer, paths []string) {
	d := &importDialog{host: host, importer: importer, parts: container.NewVBox()}
	form := &kit.Form[importAsk]{
		Host: host, Shown: d.shown, Refuse: d.refuse, Command: d.command,
		Folded: []string{"idx-labels", "mean", "std", "output", "batch", "position", "allow-nondeterministic"},
		Headings: map[string]string{
			"name": "Test suite", option.Fields(&intake.ModelOptions{})[0].Name: "Models", "model": "Logs of training",
		},
		Choices: func(string) ([]kit.Option, string) {
			list := []kit.Option{{Name: "the one that the log is named after or lies beside"}}
			for _, m := range d.models {
				list = append(list, kit.Option{Key: m.ID, Name: m.ID})
			}
			return list, ""
		},
	}
	form.Hint = func(name string) string {
		switch {
		case name == "recipe":
			return "Without one, what the files say."
		case name == "paths" && len(form.Options().Paths) == 0:
			return "Or drop files and folders on the window.\n" + present.ModelNeeds()
		}
		return ""
	}
	form.Menus = map[string]*fyne.Menu{
		"recipe": form.Texts("recipe", "Usual ones", own.ByName(recipe.Names()...)),
	}
	d.ask = &kit.Ask[importAsk]{
		Title: "Import", Button: "Import", Size: fyne.NewSize(760, 560), Form: form, Look: d.look, Below: d.parts,
		Start: func(f *kit.Form[importAsk]) { put(f, "paths", option.Join(paths)) },
		Ready: func(importAsk) (string, bool) {
			if d.opens() != "" {
				return "Open workspace", true
			}
			return "Import", slices.ContainsFunc(d.items,
				func(i Item) bool { return i.Kind != Unknown && i.Kind != Workspace && i.Err == nil })
		},
		Do: d.run,
	}
	d.ask.Open()
}

type importDialog struct {
	host     *kit.Host
	importer Importer
	ask      *kit.Ask[importAsk]
	parts    *fyne.Container // asks which part of a data set is the suite
	models   []model.Model   // that a log may be of
	paths    []string
	log      intake.LogOptions // under which items were looked at
	items    []Item            // what lies at the paths, nil while they are looked at
}

// shown tells whether an option has a meaning for what is there.
func (d *importDialog) shown(name string) bool {
	among := func(options any) bool {
		return slices.ContainsFunc(option.Fields(options), func(f option.Field) bool { return f.Name == name })
	}
	switch {
	case name == "paths":
		return true
	case among(&intake.SuiteOptions{}):
		return len(only(d.items, Suite)) > 0
	case among(&intake.LogOptions{}):
		return len(only(d.items, Logs)) > 0
	}
	return len(only(d.items, Models)) > 0
}

// look looks at the paths.
func (d *importDialog) look(o importAsk) kit.Work[func() string] {
	paths := o.Paths
	if len(paths) > 0 && slices.Equal(paths, d.paths) && (o.LogOptions == d.log || len(only(d.items, Logs)) == 0) {
		text := describe(d.items)
		return func(context.Context, engine.Progress) (func() string, error) {
			return func() string { return text }, nil
		}
	}
	if !slices.Equal(paths, d.paths) {
		d.items = nil
	}
	d.paths = nil
	d.parts.RemoveAll()
	return func(ctx context.Context, _ engine.Progress) (func() string, error) {
		items := make([]Item, len(paths))
		var models []model.Model
		for i, path := range paths {
			items[i] = foresee(ctx, d.importer.Workspace, Recognise(path), o.LogOptions)
		}
		if len(only(items, Logs)) > 0 {
			var err error
			if models, err = d.importer.Workspace.Models(); err != nil {
				return nil, err
			}
		}
		return func() string {
			d.paths, d.items, d.log, d.models = paths, items, o.LogOptions, models
			d.ask.Form.Offer()
			for _, item := range items {
				if parts := (*suite.PartsError)(nil); errors.As(item.Err, &parts) {
					d.parts.Add(d.askPart(item.Path, parts))
				}
			}
			return describe(items)
		}, nil
	}
}

// askPart asks which part of a data set is the suite; its path takes the place of the folder's.
func (d *importDialog) askPart(folder string, parts *suite.PartsError) fyne.CanvasObject {
	row := container.NewHBox()
	for k, part := range parts.Parts {
		row.Add(widget.NewButton(fmt.Sprintf("%s (%s)", part, result.Counted(parts.Images[k], "image")), func() {
			paths := slices.Clone(d.paths)
			for at, path := range paths {
				if path == folder {
					paths[at] = filepath.Join(parts.Folder, part)
				}
			}
			put(d.ask.Form, "paths", option.Join(paths))
		}))
	}
	return titled(fmt.Sprintf("Which part of %s is the test suite?", filepath.Base(folder)), row)
}

// refuse says what is wrong with the options for what is there.
func (d *importDialog) refuse(o importAsk) error {
	if n := len(only(d.items, Suite)); n > 1 && (o.Name != "" || o.Labels != "") {
		return fmt.Errorf("a name and a file of labels are for one suite, and there are %d; "+
			"import them one by one, or leave both empty", n)
	}
	if n := len(only(d.items, Logs)); n > 1 && o.Model != "" {
		return fmt.Errorf("a model is chosen for one log, and there are %d; import them one by one, or choose none", n)
	}
	if len(only(d.items, Models)) > 0 {
		return o.Possible()
	}
	return nil
}

// options are those of what is there.
func (d *importDialog) options(from importAsk) (o intake.ImportOptions) {
	if len(only(d.items, Suite)) > 0 {
		o.SuiteOptions = from.SuiteOptions
	}
	if len(only(d.items, Models)) > 0 {
		o.ModelOptions = from.ModelOptions
	}
	if len(only(d.items, Logs)) > 0 {
		o.LogOptions = from.LogOptions
	}
	return o
}

// command is the command that imports the same, none for labels.
func (d *importDialog) command(from importAsk) ([]string, any) {
	paths := slices.Concat(only(d.items, Models), only(d.items, Suite), only(d.items, Records), only(d.items, Logs))
	if len(paths) == 0 || len(only(d.items, Labels)) > 0 {
		return nil, nil
	}
	o := d.options(from)
	return append([]string{"variscope", "import", d.importer.Workspace.Path()}, paths...), &o
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
			lines[i] = fmt.Sprintf("%s%s — a data set in parts (%s); choose one below", cross, filepath.Base(item.Path),
				strings.Join(parts.Parts, ", "))
		} else if item.Err != nil {
			lines[i] = cross + sentence(item.Err)
		}
	}
	return strings.Join(lines, "\n")
}

func (d *importDialog) run(sheet *kit.Dialog, o importAsk) {
	if path := d.opens(); path != "" {
		sheet.Close()
		d.importer.Open(path)
		return
	}
	items, options := d.items, d.options(o)
	d.ask.Try("Import", "It was cancelled.", func(ctx context.Context, p *jobs.Progress) (kit.Done, error) {
		report, err := d.importer.Import(ctx, items, options, jobs.Stages{Progress: p})
		return d.done(report, err), err
	})
}

// done is what came of the import, also of one that was cancelled.
func (d *importDialog) done(report Report, err error) kit.Done {
	done := kit.Done{Title: "Import finished", Then: func() {
		for _, step := range report.Steps {
			did(d.importer.Did, step)
		}
	}}
	if err != nil {
		done.Title = "Import cancelled; what is listed here was finished"
	}
	summary := report.Summary
	if n := len(report.Failed); n > 0 {
		summary = append(summary, fmt.Sprintf("%d not imported", n))
		done.Failed = fmt.Errorf("Import: %s", strings.Join(report.Failed, "; "))
	}
	done.Said = strings.Join(summary, "; ")
	done.Text = strings.Trim(done.Said+"\n\n"+report.String(), "\n")
	return done
}
