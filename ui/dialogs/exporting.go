package dialogs

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
)

// ExportDialog asks for a folder, a round and what to leave out, and writes the labelled set
// (DESIGN.md section 8). Version is the program's, for the card. Models (hashes) are the chosen
// ones; nil for none.
func ExportDialog(host *kit.Host, ws *store.Workspace, version string, models []string) {
	var rounds []label.Round
	var choice modelChoice
	ask := &kit.Ask[export.Options]{
		Title: "Export", Button: "Export", Size: fyne.NewSize(640, 340), Stopped: "The export was cancelled.",
		Warn:   func(o export.Options) string { return secretText(rounds, o.Round) },
		Writes: func(o export.Options) []string { return []string{o.Out} },
		Form: &kit.Form[export.Options]{
			Host: host, Hide: []string{"force"},
			Shown: func(name string) bool { return name != "models" || len(models) > 0 },
			Choices: func(source string) (list []kit.Option, first string) {
				if source == "models" {
					return choice.options()
				}
				return append([]kit.Option{{Name: "all rounds"}}, roundOptions(rounds)...), ""
			},
			Named: func(_, part string) string { return export.Part(part).Name() },
			Command: func(o export.Options) ([]string, any) {
				o.Models = choice.ids(o.Models)
				return []string{"variscope", "export", ws.Path()}, &o
			},
		},
		Start: func(f *kit.Form[export.Options]) {
			put(f, "out", beside(ws.Path(), ws.Name()+"-export"))
			if _, first := choice.options(); first != "" {
				put(f, "models", first)
			} else if len(rounds) == 1 { // chosen models need not be in the one round
				put(f, "round", rounds[0].ID)
			}
		},
		Run: func(ctx context.Context, o export.Options, p *jobs.Progress) (kit.Done, error) {
			o.Version, o.Force = version, true // the dialog has asked
			files, err := export.Export(ctx, ws, o, p)
			if err != nil {
				return kit.Done{}, err
			}
			for i, file := range files {
				if inside, err := filepath.Rel(o.Out, file); err == nil && filepath.IsAbs(file) {
					files[i] = inside
				}
			}
			title := fmt.Sprintf("Exported %s", result.Counted(len(files), "file"))
			return kit.Done{
				Said: title + " to " + o.Out, Title: title, Text: strings.Join(files, "\n"), Paths: []string{o.Out},
			}, nil
		},
	}
	host.Quietly("export dialog", func() (err error) {
		if rounds, err = ws.Rounds(); err == nil {
			choice, err = readChoice(ws, models)
		}
		return err
	}, ask.Open)
}

// secretText names the rounds of an export that are blind and still open, "" when there is none.
// chosen is the id of one round, "" for all.
func secretText(rounds []label.Round, chosen string) string {
	var names []string
	for _, r := range rounds {
		if r.Secret() && (chosen == "" || chosen == r.ID) {
			names = append(names, r.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("Blind and still open: "+
		"%s. The files hold everybody's labels; keep them from those who still label.", strings.Join(names, ", "))
}
