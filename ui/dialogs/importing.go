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

// Importer is what the dialog works with.
type Importer struct {
	Workspace *store.Workspace
	Runtime   engine.Runtime // nil when ONNX Runtime is missing
	Read      intake.Reader
	// Open opens a workspace that was chosen instead of something to import; may be nil.
	Open func(path string)
	// Did takes changes that can be taken back; may be nil.
	Did func(history.Step)
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
				func(i intake.Source) bool {
					return i.Kind != intake.Unknown && i.Kind != intake.WorkspaceKind && i.Err == nil
				})
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
	items    []intake.Source   // what lies at the paths, nil while they are looked at
}

// of are the paths of one kind.
func (d *importDialog) of(kind intake.Kind) []string { return intake.Paths(d.items, kind) }

// shown tells whether an option has a meaning for what is there.
func (d *importDialog) shown(name string) bool {
	among := func(options any) bool {
		return slices.ContainsFunc(option.Fields(options), func(f option.Field) bool { return f.Name == name })
	}
	switch {
	case name == "paths":
		return true
	case among(&intake.SuiteOptions{}):
		return len(d.of(intake.SuiteKind)) > 0
	case among(&intake.LogOptions{}):
		return len(d.of(intake.LogKind)) > 0
	}
	return len(d.of(intake.ModelKind)) > 0
}

// look looks at the paths.
func (d *importDialog) look(o importAsk) kit.Work[func() string] {
	paths := o.Paths
	if len(paths) > 0 && slices.Equal(paths, d.paths) && (o.LogOptions == d.log || len(d.of(intake.LogKind)) == 0) {
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
		items := make([]intake.Source, len(paths))
		var models []model.Model
		for i, path := range paths {
			items[i] = intake.Recognise(path).Foresee(ctx, d.importer.Workspace, o.LogOptions)
		}
		if len(intake.Paths(items, intake.LogKind)) > 0 {
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
	if err := d.options(o).Fit(d.items); err != nil {
		return err
	}
	if len(d.of(intake.ModelKind)) > 0 {
		return o.Possible()
	}
	return nil
}

// options are those of what is there.
func (d *importDialog) options(from importAsk) (o intake.ImportOptions) {
	if len(d.of(intake.SuiteKind)) > 0 {
		o.SuiteOptions = from.SuiteOptions
	}
	if len(d.of(intake.ModelKind)) > 0 {
		o.ModelOptions = from.ModelOptions
	}
	if len(d.of(intake.LogKind)) > 0 {
		o.LogOptions = from.LogOptions
	}
	return o
}

// command is the command that imports the same, none for labels.
func (d *importDialog) command(from importAsk) ([]string, any) {
	paths := slices.Concat(d.of(intake.ModelKind), d.of(intake.SuiteKind), d.of(intake.RecordKind),
		d.of(intake.LogKind))
	if len(paths) == 0 || len(d.of(intake.LabelKind)) > 0 {
		return nil, nil
	}
	o := d.options(from)
	return append([]string{"variscope", "import", d.importer.Workspace.Path()}, paths...), &o
}

// opens is the workspace to open when nothing else was given.
func (d *importDialog) opens() string {
	if len(d.items) == 1 && d.items[0].Kind == intake.WorkspaceKind && d.importer.Open != nil {
		return d.items[0].Path
	}
	return ""
}

// describe lists what was recognised, one line per path.
func describe(items []intake.Source) string {
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
		list, err := intake.Importer{
			Workspace: d.importer.Workspace, Runtime: d.importer.Runtime, Read: d.importer.Read, Say: sentence,
			Stage: func(string) engine.Progress { return jobs.Stages{Progress: p} },
		}.Import(ctx, items, options)
		return d.done(list, err), err
	})
}

// done is what came of the import, also of one that was cancelled.
func (d *importDialog) done(list []intake.Outcome, err error) kit.Done {
	done := kit.Done{Title: "Import finished", Then: func() {
		for _, o := range list {
			if len(o.Before) > 0 {
				did(d.importer.Did,
					recordStep(d.importer.Workspace, "import of "+filepath.Base(o.Path), o.Before, o.After))
			}
		}
	}}
	if err != nil {
		done.Title = "Import stopped; what is listed here was finished"
	}
	var said, lines, reasons []string
	added, merged := 0, 0
	for _, o := range list {
		switch {
		case o.Reason != "":
			reasons = append(reasons, o.Reason)
			continue
		case o.Merged:
			merged++
		case o.What == "model":
			added++
		case o.What == "suite":
			said = append(said, "suite "+o.Name)
		case o.What == "labels":
			said = append(said, o.Details[0])
		}
		parts := slices.Clone(o.Details)
		if o.Manifest != nil {
			const mostSkipped = 100
			for k, s := range o.Manifest.Skipped {
				if k == mostSkipped {
					parts = append(parts, fmt.Sprintf("%d more that could not be read", len(o.Manifest.Skipped)-k))
					break
				}
				parts = append(parts, s.Path+": "+s.Reason)
			}
		}
		lines = append(lines, strings.ToUpper(o.What[:1])+o.What[1:]+" "+o.Name+": "+strings.Join(parts, "\n    "))
	}
	if merged > 0 {
		said = slices.Insert(said, 0, result.Counted(merged, "model")+" merged")
	}
	if added > 0 {
		said = slices.Insert(said, 0, result.Counted(added, "model")+" added")
	}
	if n := len(reasons); n > 0 {
		said = append(said, fmt.Sprintf("%d not imported", n))
		done.Failed = fmt.Errorf("import: %s", strings.Join(reasons, "; "))
		lines = slices.Insert(lines, 0, fmt.Sprintf("Not imported (%d):", n),
			cross+strings.Join(reasons, "\n\n"+cross))
	}
	done.Said = strings.Join(said, "; ")
	done.Text = strings.Trim(done.Said+"\n\n"+strings.Join(lines, "\n\n"), "\n")
	return done
}

// cross marks what failed, so that it can be told from the lines that the one before goes on in.
const cross = "✗ "
