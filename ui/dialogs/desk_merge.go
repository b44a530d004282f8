package dialogs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// pathsDialog takes the paths of files, shows what would be done with them as they are typed, and
// does it on a button.
type pathsDialog struct {
	host   *kit.Host
	sheet  *kit.Dialog
	latest background.Latest
	entry  *widget.Entry
	found  *widget.Label
	start  *widget.Button
	cancel *widget.Button
	below  fyne.CanvasObject // more that is asked, nil for nothing
	// look is called on the main goroutine for what looks at the files in the background.
	look func(paths []string) func(ctx context.Context) (looked, error)
	act  func()
	verb string // what the button says while there is nothing to do
	say  string // while there are no paths
}

// looked is what a dialog shows about files: a text, and what the button does with them, "" for
// nothing. Keep is called on the main goroutine when it is shown, not when newer paths were typed
// meanwhile.
type looked struct {
	text, action string
	keep         func()
}

func (d *pathsDialog) open(title, hint string, paths []string, extensions ...string) {
	d.sheet = d.host.NewDialog(title, fyne.NewSize(700, 430))
	d.entry = widget.NewMultiLineEntry()
	d.entry.SetPlaceHolder(hint)
	d.entry.Wrapping = fyne.TextWrapBreak
	d.entry.SetMinRowsVisible(3)
	d.found = wrapped(d.say)
	d.found.Selectable = true
	d.start = widget.NewButton(d.verb, func() { d.act() })
	d.start.Importance = widget.HighImportance
	d.start.Disable()
	d.cancel = d.sheet.CloseButton("Cancel")
	browse := d.host.BrowseFile(func(path string) {
		d.entry.SetText(strings.TrimSpace(d.entry.Text + "\n" + path))
	}, extensions...)
	d.entry.OnChanged = func(string) { d.refresh() }
	scroll := container.NewVScroll(d.found)
	scroll.SetMinSize(fyne.NewSize(0, 200))
	top := container.NewBorder(nil, nil, nil, browse, d.entry)
	d.show(container.NewBorder(top, d.below, nil, nil, scroll))
	d.sheet.DropInto(d.entry)
	d.sheet.Present(d.entry)
	d.entry.SetText(strings.Join(paths, "\n"))
}

func (d *pathsDialog) show(content fyne.CanvasObject) { d.sheet.Show(content, d.cancel, d.start) }

// refresh looks at the files that are named now.
func (d *pathsDialog) refresh() {
	paths := kit.Paths(d.entry.Text)
	d.start.SetText(d.verb)
	d.start.Disable()
	if len(paths) == 0 {
		d.latest.Next()
		d.found.SetText(d.say)
		return
	}
	background.LoadTyped(d.host.Work, &d.latest, "look at files", d.look(paths), func(l looked, err error) {
		if d.sheet.Closed() {
			return
		}
		if err != nil {
			l = looked{text: sentence(err)}
		}
		d.found.SetText(l.text)
		if l.keep != nil {
			l.keep()
		}
		if l.action != "" {
			d.start.SetText(l.action)
			d.start.Enable()
		}
	})
}

// finish shows the outcome of the work, which text says where all went well.
func (d *pathsDialog) finish(text string, err error) {
	deskDone(d.sheet, err, "Nothing was changed.", text, wrapped(text))
}

// deskDone shows what came of the work of a dialog: in it, or at the foot of the window where it was
// closed. Nothing says what a cancel leaves, said what was done, and outcome shows that.
func deskDone(d *kit.Dialog, err error, nothing, said string, outcome fyne.CanvasObject) {
	switch {
	case cancelled(err):
		d.Close()
		d.Host.Say(nothing)
		return
	case err != nil && d.Closed():
		d.Host.Fail(err)
	case err != nil:
		outcome = wrapped(sentence(err))
	default:
		d.Host.Say(said)
	}
	d.Show(outcome, d.CloseButton("Close"))
}

// MergeDialog shows what merging files of labels would do and merges them on a button; it cannot
// be taken back, since labels are only ever added.
func MergeDialog(host *kit.Host, ws *store.Workspace, paths []string) {
	d := &pathsDialog{host: host, verb: "Merge", say: ("Merging adds the labels that are not here yet. It cannot be taken back; merging a file " +
		"twice, or in another order, makes no difference.")}
	rounds, err := ws.Rounds()
	if err != nil {
		host.Fail(err)
		return
	}
	form := &kit.Form[desk.Reading]{
		Host: host, Rows: true, OnChange: func(desk.Reading) { d.refresh() },
		Choices: func(string) ([]kit.Option, string) { return roundsOfTables(rounds), "" },
	}
	form.Make()
	form.Offer()
	d.below = titled("Tables that others made", form.Object())
	d.below.Hide()
	var plan desk.Plan
	d.look = func(paths []string) func(context.Context) (looked, error) {
		how, wrong := form.Options(), form.Err()
		return func(ctx context.Context) (looked, error) {
			p, err := desk.Preview(ctx, ws, paths, how, nil)
			if err = errors.Join(wrong, err); err != nil {
				return looked{}, err
			}
			others := slices.ContainsFunc(p.Files, func(f desk.FileReport) bool { return f.Others })
			l := looked{text: previewText(p), action: mergeAction(p), keep: func() {
				plan = p
				own.Show(d.below, others)
			}}
			if l.action == "" && p.Good() == len(p.Files) {
				l.text = fmt.Sprintf("%s\nAll of this is here already; there is nothing to merge.", l.text)
			}
			return l, nil
		}
	}
	d.act = func() {
		now, added := plan, 0
		d.sheet.Work("Merge labels", func(ctx context.Context, _ *background.Progress) (err error) {
			if err := backUpFirst(ctx, ws); err != nil {
				return err
			}
			added, err = desk.Merge(ws, now)
			return err
		}, func(err error) {
			d.finish(mergedText(added, now), err)
		})
	}
	d.open("Merge labels", "Files, one per line: NAME.vlabels that annotators have sent, labels_long.csv, or tables of labels that others made", paths, desk.LabelsSuffix, ".csv", ".tsv", ".json")
}

// roundsOfTables are the rounds that tables may be for, the newest first.
func roundsOfTables(rounds []label.Round) []kit.Option {
	rounds = slices.SortedFunc(slices.Values(rounds), func(a, b label.Round) int { return strings.Compare(b.ID, a.ID) })
	list := []kit.Option{{Name: "the round that the table names, else the newest"}}
	for _, r := range rounds {
		list = append(list, kit.Option{Key: r.ID, Name: r.Name})
	}
	return list
}

// OpenPackageDialog shows what round packages hold and adds them to the workspace on a button.
// Done, which may be nil, is called with the round of the last one.
func OpenPackageDialog(host *kit.Host, ws *store.Workspace, paths []string, done func(roundID string)) {
	d := &pathsDialog{host: host, verb: "Open", say: ("A round package brings a round with its matrices from another computer, to be labelled here. " +
		"It keeps its identity, so that the labels can be merged later.")}
	var chosen []string
	d.look = func(paths []string) func(context.Context) (looked, error) {
		return func(ctx context.Context) (looked, error) {
			var lines []string
			good := 0
			for _, path := range paths {
				about, err := desk.Look(path)
				if err != nil {
					lines = append(lines, sentence(err))
					continue
				}
				lines, good = append(lines, aboutPackage(path, about)), good+1
			}
			l := looked{text: strings.Join(lines, "\n"), keep: func() { chosen = paths }}
			if good == len(paths) {
				l.action = "Open"
			}
			return l, ctx.Err()
		}
	}
	d.act = func() {
		files, lines, last := chosen, []string{}, ""
		d.sheet.Work("Open round package", func(ctx context.Context, p *background.Progress) error {
			for _, path := range files {
				report, err := desk.Open(ctx, ws, path, background.Stages{Progress: p})
				if err != nil {
					return errors.Join(err, afterSome(lines))
				}
				lines, last = append(lines, openedText(report)), report.Round.ID
			}
			return nil
		}, func(err error) {
			d.finish(openedAll(lines, err))
			if last != "" && done != nil {
				done(last)
			}
		})
	}
	d.open("Open round package", fmt.Sprintf("Files, one per line: NAME%s", desk.RoundSuffix), paths, desk.RoundSuffix)
}

// openedAll is what is said of packages in the end. A cancel takes back none of those that were
// opened before it.
func openedAll(lines []string, err error) (string, error) {
	text := strings.Join(lines, "\n")
	if cancelled(err) && len(lines) > 0 {
		return text + "\n" + "Then it was cancelled; the other packages were not opened.", nil
	}
	return text, err
}

// afterSome says which packages were opened before one failed.
func afterSome(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	return fmt.Errorf("before that: %s", strings.Join(lines, " "))
}
