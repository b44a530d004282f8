package dialogs

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"

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
	ask := &kit.Ask[studies.Options]{
		Title: "Study", Button: "Start", Size: fyne.NewSize(640, 300),
		Above: wrapped("A study runs what is missing and writes tables, figures and a report. What its runs compute is kept: one that was cancelled goes on where it stopped."),
		Form: &kit.Form[studies.Options]{
			Host: host,
			Named: func(field, choice string) string {
				if field != "study" {
					return strings.ToUpper(choice)
				}
				return choice
			},
			Command: func(o studies.Options) ([]string, any) {
				c := struct {
					studies.Options
					Workspace string `help:"Workspace." type:"path"`
				}{o, ws.Path()}
				return []string{"variscope", "study"}, &c
			},
		},
		Start: func(f *kit.Form[studies.Options]) { put(f, "out", beside(ws.Path(), ws.Name()+"-study")) },
		Line: func(o studies.Options) kit.Work[string] {
			return func(context.Context, engine.Progress) (string, error) {
				plan, err := studies.Read(o.Study)
				if err != nil {
					return "", err
				}
				return fmt.Sprintf("%s: %s", plan.Title, result.Counted(len(plan.Steps), "step")), nil
			}
		},
	}
	ask.Do = func(d *kit.Dialog, o studies.Options) {
		files := 0
		d.Work("Study", func(ctx context.Context, p *background.Progress) (err error) {
			files, err = carryOut(ctx, o, p)
			return err
		}, func(err error) {
			switch {
			case cancelled(err):
				d.Close()
				host.Say("The study was cancelled; what its runs had finished is kept.")
			case err != nil:
				d.Close()
				host.Fail(err)
			default:
				title := fmt.Sprintf("The study wrote %s", result.Counted(files, "file"))
				host.Say(fmt.Sprintf("%s to %s", title, o.Out))
				if !d.Closed() {
					showWritten(d, title, []string{"Look first at report.html."}, o.Out)
				}
			}
		})
	}
	ask.Open()
}
