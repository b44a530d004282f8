package dialogs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/study"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// Study is what carries studies out on the open workspace.
type Study struct {
	// Look says what a study would do: its title, and the command lines of its steps.
	Look func(ctx context.Context, o study.Options) (title string, lines []string, err error)
	// CarryOut carries a study out and returns how many files it has written, and why models, or
	// what else its steps are about, could not be taken.
	CarryOut func(ctx context.Context, o study.Options, p engine.Progress) (files int, failed []string, err error)
}

// StudyDialog asks for a study, one that comes with the program or a file, and a folder, shows what
// its steps do, and carries it out in the background.
func StudyDialog(host *kit.Host, ws *store.Workspace, study Study) {
	(&studyDialog{host: host, ws: ws, study: study}).open()
}

type studyDialog struct {
	host  *kit.Host
	ws    *store.Workspace
	study Study
	file  string // a study of one's own, "" for none
	ask   kit.Ask[study.Options]
}

func (d *studyDialog) open() {
	lines := widget.NewLabel("") // the command lines
	lines.TextStyle.Monospace, lines.Wrapping, lines.Selectable = true, fyne.TextWrapWord, true
	steps := container.NewVScroll(lines)
	steps.SetMinSize(fyne.NewSize(0, 120))
	d.ask = kit.Ask[study.Options]{
		Title: "Study", Button: "Start", Size: fyne.NewSize(720, 580), Below: steps,
		Above: container.NewVBox(
			own.Wrapped("A study runs what is missing and writes tables, figures and a report. What its runs compute "+
				"is kept: one that was cancelled goes on where it stopped."),
			container.NewHBox(widget.NewLabel("A study file of your own:"), d.host.BrowseFile(d.choose, ".toml")),
		),
		Form: &kit.Form[study.Options]{
			Host: d.host,
			Choices: func(string) (list []kit.Option, first string) {
				list = own.ByName(assets.Studies()...)
				if d.file != "" {
					list = append(list, kit.Option{Key: d.file, Name: filepath.Base(d.file)})
				}
				return list, d.file
			},
			Command: func(o study.Options) ([]string, any) {
				c := struct {
					study.Options
					Workspace string `help:"Workspace." type:"path"`
				}{o, d.ws.Path()}
				return []string{"variscope", "study"}, &c
			},
		},
		Start: func(f *kit.Form[study.Options]) { put(f, "out", beside(d.ws.Path(), d.ws.Name()+"-study")) },
		Look: func(o study.Options) kit.Work[func() string] {
			lines.SetText("")
			return func(ctx context.Context, _ engine.Progress) (func() string, error) {
				title, list, err := d.study.Look(ctx, o)
				return func() string {
					lines.SetText(strings.Join(list, "\n"))
					return fmt.Sprintf("%s: %s", title, result.Counted(len(list), "step"))
				}, err
			}
		},
		Writes:  func(o study.Options) []string { return []string{o.Out} },
		Stopped: "The study was cancelled; what its runs had finished is kept.",
		Run: func(ctx context.Context, o study.Options, p *jobs.Progress) (done kit.Done, err error) {
			files, failed, err := d.study.CarryOut(ctx, o, p)
			if err != nil {
				return done, err
			}
			title := fmt.Sprintf("The study wrote %s", result.Counted(files, "file"))
			done = kit.Done{Title: title, Said: title + " to " + o.Out, Paths: []string{o.Out}}
			done.Text = strings.Join(append([]string{"Look first at report.html."}, failed...), "\n")
			if len(failed) > 0 {
				done.Failed = fmt.Errorf("%s, but: %s", done.Said, strings.Join(failed, "; "))
			}
			return done, nil
		},
	}
	d.ask.Open()
}

// choose takes a study file.
func (d *studyDialog) choose(path string) {
	d.file = path
	d.ask.Form.Offer()
	put(d.ask.Form, "study", path)
}
