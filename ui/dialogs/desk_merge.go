package dialogs

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/ui/jobs"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// mergeAsk is what is asked before labels are merged.
type mergeAsk struct {
	Files []string `required:"" help:"Files of labels, a path per line." type:"existingfile" placeholder:"NAME.vlabels that annotators have sent, labels_long.csv, or tables of labels that others made; one per line"`
	desk.Reading
}

// MergeDialog shows what merging files of labels would do and merges them on a button; it cannot
// be taken back, since labels are only ever added.
func MergeDialog(host *kit.Host, ws *store.Workspace, paths []string) {
	rounds, err := ws.Rounds()
	if err != nil {
		host.Fail(err)
		return
	}
	var plan desk.Plan
	others := false // there are tables that others made, which say how they are read
	form := &kit.Form[mergeAsk]{
		Host: host, Choices: func(string) ([]kit.Option, string) { return roundsOfTables(rounds), "" },
		Shown:    func(name string) bool { return name == "files" || others },
		Headings: map[string]string{"round": "Tables that others made"},
	}
	ask := &kit.Ask[mergeAsk]{
		Title: "Merge labels", Button: "Merge", Size: deskPaths, Form: form,
		Above: own.Wrapped("Merging adds the labels that are not here yet. It cannot be taken back; merging a file " +
			"twice, or in another order, makes no difference."),
		Start: func(f *kit.Form[mergeAsk]) { put(f, "files", option.Join(paths)) },
		Ready: func(mergeAsk) (string, bool) { return cmp.Or(mergeAction(plan), "Merge"), mergeAction(plan) != "" },
	}
	ask.Look = func(o mergeAsk) kit.Work[func() string] {
		if plan = (desk.Plan{}); len(o.Files) == 0 || form.Err() != nil {
			return nil
		}
		return func(ctx context.Context, _ engine.Progress) (func() string, error) {
			p, err := desk.Preview(ctx, ws, o.Files, o.Reading, nil)
			return func() string {
				plan, others = p, slices.ContainsFunc(p.Files, func(f desk.FileReport) bool { return f.Others })
				text := previewText(p)
				if mergeAction(p) == "" && p.Good() == len(p.Files) {
					text += "\nAll of this is here already; there is nothing to merge."
				}
				return text
			}, err
		}
	}
	ask.Do = func(*kit.Dialog, mergeAsk) {
		now := plan
		ask.Try("Merge labels", "Nothing was changed.", func(ctx context.Context, _ *jobs.Progress) (kit.Done, error) {
			if err := ws.BackUpFirst(ctx); err != nil {
				return kit.Done{}, err
			}
			added, err := desk.Merge(ws, now)
			if err != nil {
				return kit.Done{}, err
			}
			title, text := mergedText(added, now)
			return kit.Done{Said: title, Title: title, Text: text}, nil
		})
	}
	ask.Open()
}

var deskPaths = fyne.NewSize(700, 430)

// roundsOfTables are the rounds that tables may be for, the newest first.
func roundsOfTables(rounds []label.Round) []kit.Option {
	list := []kit.Option{{Name: "the round that the table names, else the newest"}}
	newest := func(a, b label.Round) int { return cmp.Compare(b.ID, a.ID) }
	for _, r := range slices.SortedFunc(slices.Values(rounds), newest) {
		list = append(list, kit.Option{Key: r.ID, Name: r.Name})
	}
	return list
}

// openAsk is what is asked before round packages are opened.
type openAsk struct {
	Files []string `required:"" help:"Round packages, a path per line." type:"existingfile" placeholder:"NAME.vround"`
}

// OpenPackageDialog shows what round packages hold and adds them to the workspace on a button.
// Done, which may be nil, is called with the round of the last one.
func OpenPackageDialog(host *kit.Host, ws *store.Workspace, paths []string, done func(roundID string)) {
	whole := false // all files are packages
	ask := &kit.Ask[openAsk]{
		Title: "Open round package", Button: "Open", Size: deskPaths, Form: &kit.Form[openAsk]{Host: host},
		Above: own.Wrapped("A round package brings a round with its matrices from another computer, to be labelled " +
			"here. It keeps its identity, so that the labels can be merged later."),
		Start: func(f *kit.Form[openAsk]) { put(f, "files", option.Join(paths)) },
		Ready: func(openAsk) (string, bool) { return "Open", whole },
		Look: func(o openAsk) kit.Work[func() string] {
			whole = false
			return func(ctx context.Context, _ engine.Progress) (func() string, error) {
				var lines []string
				good := 0
				for _, path := range o.Files {
					about, err := desk.Look(path)
					if err != nil {
						lines = append(lines, sentence(err))
						continue
					}
					lines, good = append(lines, aboutPackage(path, about)), good+1
				}
				return func() string {
					whole = good == len(o.Files)
					return strings.Join(lines, "\n")
				}, ctx.Err()
			}
		},
		Stopped: "It was cancelled; no further package was opened.",
		Run: func(ctx context.Context, o openAsk, p *jobs.Progress) (came kit.Done, err error) {
			for _, path := range o.Files {
				report, err := desk.Open(ctx, ws, path, jobs.Stages{Progress: p})
				if err != nil {
					return came, err
				}
				text := openedText(report)
				came.Title, came.Text = "Opened", strings.TrimPrefix(came.Text+"\n"+text, "\n")
				came.Said = text
				came.Then = func() {
					if done != nil {
						done(report.Round.ID)
					}
				}
			}
			return came, nil
		},
	}
	ask.Open()
}

// SplitDesk sorts paths into round packages, files of labels that desks sent, and the rest, by
// their endings.
func SplitDesk(paths []string) (packages, labels, rest []string) {
	for _, path := range paths {
		switch strings.ToLower(filepath.Ext(path)) {
		case desk.RoundSuffix:
			packages = append(packages, path)
		case desk.LabelsSuffix:
			labels = append(labels, path)
		default:
			rest = append(rest, path)
		}
	}
	return packages, labels, rest
}

// deskFile is a file beside the workspace, named after parts, that is offered to be written.
func deskFile(ws *store.Workspace, suffix string, parts ...string) string {
	return beside(ws.Path(), strings.Trim(durable.FileName(strings.Join(parts, "-")), ". ")+suffix)
}

// withSuffix adds the ending where it was left out.
func withSuffix(path, suffix string) string {
	if strings.EqualFold(filepath.Ext(path), suffix) {
		return path
	}
	return path + suffix
}

// aboutPackage says what a package holds, before it is opened.
func aboutPackage(path string, a desk.About) string {
	text := fmt.Sprintf("%s: round %s, %s, annotators %s", filepath.Base(path), a.RoundName,
		result.Counted(a.Models, "model"), strings.Join(a.Names, ", "))
	if a.Blind {
		text = fmt.Sprintf("%s, blind", text)
	}
	if a.Full {
		return fmt.Sprintf("%s; with model files and images", text)
	}
	return fmt.Sprintf("%s; without model files and images: "+
		"its matrices can be looked at and labelled, not computed anew", text)
}

// openedText says what opening a package did.
func openedText(r store.PackageReport) string {
	switch {
	case r.Created && r.Models > 0:
		return fmt.Sprintf("Round %s was added, with %s that were not here.", r.Round.Name,
			result.Counted(r.Models, "model"))
	case r.Created:
		return fmt.Sprintf("Round %s was added.", r.Round.Name)
	case r.Changed:
		return fmt.Sprintf("Round %s was here already and is up to date now.", r.Round.Name)
	}
	return fmt.Sprintf("Round %s is here already; nothing changed.", r.Round.Name)
}

// previewText says what merging would do, one line per file, then the conflicts.
func previewText(p desk.Plan) string {
	var lines []string
	for _, f := range p.Files {
		name := filepath.Base(f.Path)
		switch {
		case f.Refuse != "":
			lines = append(lines, fmt.Sprintf("%s: refused. %s", name, sentence(fmt.Errorf("%s", f.Refuse))))
		case f.Events == 0:
			lines = append(lines, fmt.Sprintf("%s: no labels", name))
		default:
			lines = append(lines, fmt.Sprintf("%s: round %s, %s, %d new, %d here already\nSHA-256 %s",
				name, f.Round, result.Counted(f.Events, "event"), f.New, f.Known, f.SHA256))
		}
		if f.Taken != "" {
			lines = append(lines, "Read as "+f.Taken)
		}
		if said := f.Uncounted(); said != "" {
			lines = append(lines, said)
		}
	}
	if len(p.Conflicts) > 0 {
		lines = append(lines,
			fmt.Sprintf("%s between desks. All labels are kept; the last one counts until the model is adjudicated:",
				result.Counted(len(p.Conflicts), "conflict")))
	}
	for _, c := range p.Conflicts {
		lines = append(lines, fmt.Sprintf("%s, %s: %s", c.Model, c.Annotator,
			cmp.Or(c.Said(), "hidden while the round is blind")))
	}
	return strings.Join(lines, "\n")
}

// mergeAction is the text of the button that merges, "" when there is nothing to merge.
func mergeAction(p desk.Plan) string {
	switch {
	case p.Added == 0:
		return ""
	case p.Good() < len(p.Files):
		return fmt.Sprintf("Merge %d of %s", p.Good(), result.Counted(len(p.Files), "file"))
	}
	return fmt.Sprintf("Merge %s", result.Counted(p.Added, "event"))
}

// mergedText says what merging did, and what is to know of it.
func mergedText(added int, p desk.Plan) (title, text string) {
	var lines []string
	for _, f := range p.Files {
		if said := f.Uncounted(); said != "" {
			lines = append(lines, fmt.Sprintf("%s: %s.", filepath.Base(f.Path), said))
		}
	}
	if n := len(p.Conflicts); n > 0 {
		lines = append(lines, result.Counted(n, "conflict")+
			" between desks: they come first in the adjudication queue of the Agreement screen.")
	}
	return fmt.Sprintf("Merged %s from %s.", result.Counted(added, "event"), result.Counted(p.Good(), "file")),
		strings.Join(lines, "\n")
}
