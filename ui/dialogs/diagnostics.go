package dialogs

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
	"github.com/variscope/variscope/ui/kit"
)

// Diagnostics is what helps to find out what is wrong with the program, without labels, images,
// people or places.
type Diagnostics struct {
	Version, Library string // of the program, of ONNX Runtime
	Build            string // the sources that the program was built from
	Scale            float32
	Size             fyne.Size // of the window
	Workers          int
	Workspace        string // its name
	Counts           Counts
	Log              []string
}

// Counts is how much is in a workspace.
type Counts struct {
	Models, Suites, Runs, Rounds, Annotators int
	Usage                                    store.Usage
	Backups                                  int
	// names of annotators, which are taken out of the log.
	names []string
}

// CountWorkspace counts what is in a workspace. It is slow.
func CountWorkspace(ctx context.Context, ws *store.Workspace) (c Counts, err error) {
	models, noModels := ws.Models()
	suites, noSuites := ws.Suites()
	runs, noRuns := ws.Runs()
	rounds, noRounds := ws.Rounds()
	annotators, noAnnotators := ws.Annotators()
	backups, noBackups := backup.List(ws.Path())
	if err := errors.Join(noModels, noSuites, noRuns, noRounds, noAnnotators, noBackups); err != nil {
		return c, err
	}
	c = Counts{
		Models: len(models), Suites: len(suites), Runs: len(runs), Rounds: len(rounds),
		Annotators: len(annotators), Backups: len(backups),
	}
	for _, a := range annotators {
		c.names = append(c.names, a.ID, a.Name)
	}
	c.Usage, err = ws.Usage(ctx)
	return c, err
}

// Text is the diagnostics as they are copied.
func (d Diagnostics) Text() string {
	var b strings.Builder
	put := func(name string, value any) { fmt.Fprintf(&b, "%-16s %v\n", name, value) }
	put("Variscope", d.Version)
	put("Built from", d.Build)
	put("Go", runtime.Version())
	put("System", fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()))
	put("ONNX Runtime", d.Library)
	put("Window", fmt.Sprintf("%d x %d, scale %v", int(d.Size.Width), int(d.Size.Height), d.Scale))
	put("Workers", d.Workers)
	put("Workspace", d.Workspace)
	put("Schema", store.SchemaVersion)
	c, u := d.Counts, d.Counts.Usage
	put("Holds", fmt.Sprintf("models %d, suites %d, runs %d, rounds %d, annotators %d, backups %d",
		c.Models, c.Suites, c.Runs, c.Rounds, c.Annotators, c.Backups))
	put("On disk", fmt.Sprintf("database %s, models %s, signals %s (stale %s), suites %s, leftovers %s, free %s",
		store.SizeText(u.Database), store.SizeText(u.Models), store.SizeText(u.SignalBytes()),
		store.SizeText(u.StaleBytes), store.SizeText(u.Suites), store.SizeText(u.Loose.Bytes),
		store.SizeText(max(0, u.Free))))
	b.WriteString("\nLog\n")
	for _, line := range d.Log {
		b.WriteString(Discreet(line, c.names) + "\n")
	}
	return b.String()
}

// An absolute path, with a drive or not; a path in quotation marks may hold blanks.
var (
	quotedPath = regexp.MustCompile(`"(?:[A-Za-z]:)?[/\\][^"]*"`)
	plainPath  = regexp.MustCompile(`(?:[A-Za-z]:\\|~?/)[^\s"',;:()]*`)
)

// Discreet takes paths and the names of people out of a line.
func Discreet(line string, names []string) string {
	line = quotedPath.ReplaceAllString(line, "PATH")
	line = plainPath.ReplaceAllString(line, "PATH")
	names = slices.Clone(names)
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) }) // "ann b" before "ann"
	for _, name := range names {
		if name == "" {
			continue
		}
		word := regexp.MustCompile(`(^|[^\pL\pN_])` + regexp.QuoteMeta(name) + `($|[^\pL\pN_])`)
		for range 2 { // of two in a row the first takes the blank between them
			line = word.ReplaceAllString(line, "${1}ANNOTATOR${2}")
		}
	}
	return line
}

// DiagnosticsDialog gathers, shows and copies the diagnostics.
func DiagnosticsDialog(host *kit.Host, ws *store.Workspace, d Diagnostics, toClipboard func(string)) {
	host.Work.Quiet("diagnostics", func(ctx context.Context) (err error) {
		d.Counts, err = CountWorkspace(ctx, ws)
		return err
	}, func(err error) {
		if err != nil {
			host.Fail(err) // the rest helps all the same
		}
		text := d.Text()
		toClipboard(text)
		host.Say("The diagnostics are on the clipboard.")
		sheet := host.NewDialog("Diagnostics", fyne.NewSize(820, 560))
		label := widget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
		label.Selectable = true
		hint := widget.NewLabel("This is on the clipboard now. " +
			"It holds no labels, images, names of annotators or paths.")
		again := widget.NewButton("Copy", func() { toClipboard(text) })
		sheet.Show(container.NewBorder(hint, nil, nil, nil, container.NewScroll(label)), again,
			sheet.CloseButton("Close"))
		sheet.Present(nil)
	})
}
