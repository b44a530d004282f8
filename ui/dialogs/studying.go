package dialogs

import (
	"cmp"
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
	"github.com/variscope/variscope/store/studies"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
)

// CarryOut carries a study out on the open workspace and returns how many files it has written.
type CarryOut func(ctx context.Context, o studies.Options, p engine.Progress) (files int, err error)

// StudyDialog asks for a study, one that comes with the program or a file, and a folder, and carries
// it out in the background.
func StudyDialog(host *kit.Host, ws *store.Workspace, carryOut CarryOut) {
	(&studyDialog{host: host, ws: ws, carryOut: carryOut}).open()
}

type studyDialog struct {
	host     *kit.Host
	ws       *store.Workspace
	carryOut CarryOut
	file     string // a study of one's own, "" for none
	ask      kit.Ask[studies.Options]
}

func (d *studyDialog) open() {
	d.ask = kit.Ask[studies.Options]{
		Title: "Study", Button: "Start", Size: fyne.NewSize(640, 300),
		Above: container.NewVBox(
			wrapped("A study runs what is missing and writes tables, figures and a report. What its runs compute is kept: "+
				"one that was cancelled goes on where it stopped."),
			container.NewHBox(widget.NewLabel("A study file of your own:"), d.host.BrowseFile(d.choose, ".toml")),
		),
		Form: &kit.Form[studies.Options]{
			Host: d.host,
			Choices: func(string) (list []kit.Option, first string) {
				for _, name := range assets.Studies() {
					list = append(list, kit.Option{Key: name, Name: name})
				}
				if d.file != "" {
					list = append(list, kit.Option{Key: d.file, Name: filepath.Base(d.file)})
				}
				return list, d.file
			},
			Named: func(_, format string) string {
				return cmp.Or(map[string]string{"parquet": "Parquet", "tex": "LaTeX"}[format], strings.ToUpper(format))
			},
			Command: func(o studies.Options) ([]string, any) {
				c := struct {
					studies.Options
					Workspace string `help:"Workspace." type:"path"`
				}{o, d.ws.Path()}
				return []string{"variscope", "study"}, &c
			},
		},
		Start: func(f *kit.Form[studies.Options]) { put(f, "out", beside(d.ws.Path(), d.ws.Name()+"-study")) },
		Line: func(o studies.Options) kit.Work[string] {
			return func(context.Context, engine.Progress) (string, error) {
				plan, err := studies.Read(o.Study)
				if err != nil {
					return "", err
				}
				return fmt.Sprintf("%s: %s", plan.Title, result.Counted(len(plan.Steps), "step")), nil
			}
		},
		Do: d.start,
	}
	d.ask.Open()
}

// choose takes a study file.
func (d *studyDialog) choose(path string) {
	d.file = path
	d.ask.Form.Offer()
	put(d.ask.Form, "study", path)
}

// start carries the study out and shows where its files are.
func (d *studyDialog) start(shown *kit.Dialog, o studies.Options) {
	files := 0
	shown.Work("Study", func(ctx context.Context, p *background.Progress) (err error) {
		files, err = d.carryOut(ctx, o, p)
		return err
	}, func(err error) {
		switch {
		case cancelled(err):
			shown.Close()
			d.host.Say("The study was cancelled; what its runs had finished is kept.")
		case err != nil:
			shown.Close()
			d.host.Fail(err)
		default:
			title := fmt.Sprintf("The study wrote %s", result.Counted(files, "file"))
			d.host.Say(fmt.Sprintf("%s to %s", title, o.Out))
			if !shown.Closed() {
				showWritten(shown, title, []string{"Look first at report.html."}, o.Out)
			}
		}
	})
}
