package dialogs

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// annotatorTable is the table of who labels.
var annotatorTable = result.Table[store.Annotator]{
	Name: "annotators", Title: "Annotators", Noun: "annotator", ID: func(a store.Annotator) string { return a.ID },
	Columns: []result.Column[store.Annotator]{
		result.Texts("annotator", "id", "what labels and files have", func(a store.Annotator) string { return a.ID }),
		result.Texts("name", "name", "what screens show", func(a store.Annotator) string { return a.Name }),
		result.Texts("state", "state", "who is retired is not offered for new rounds", func(a store.Annotator) string {
			return map[bool]string{false: "active", true: "retired"}[a.Retired]
		}),
	},
}

// annotatorName is what the dialog of a name asks for.
type annotatorName struct {
	Name string `required:"" help:"What screens show in place of the id."`
}

// AnnotatorsDialog renames, retires and brings back annotators. Every change is stored at once and
// given to report, which may be nil.
func AnnotatorsDialog(host *kit.Host, from *store.Workspace, report func(history.Step)) {
	d := &annotatorsDialog{host: host, from: from, did: report}
	d.list = &kit.Records[store.Annotator]{
		Host: host, Table: annotatorTable, OnOpen: d.rename,
		Empty: "There are no annotators yet: they come with a round. Make one on the Label screen.",
	}
	retired := func(a store.Annotator) bool { return a.Retired }
	retire := func(a store.Annotator) {
		after := a
		after.Retired = !a.Retired
		host.Quietly("annotator", func() error { return from.PutAnnotator(after) }, func() { d.changed(a, after) })
	}
	d.list.Actions = []kit.Action[store.Annotator]{
		kit.One("Rename…", theme.SettingsIcon(), func(store.Annotator) bool { return true }, d.rename),
		kit.One("Retire", theme.ContentRemoveIcon(), func(a store.Annotator) bool { return !a.Retired }, retire),
		kit.One("Bring back", theme.ContentAddIcon(), retired, retire),
	}
	hint := "A name is what screens show; the id stays in labels and files. Retired annotators are not offered for " +
		"new rounds; what they labelled stays."
	d.read(func() {
		sheet := host.NewDialog("Annotators", fyne.NewSize(620, 420))
		sheet.Show(container.NewBorder(own.Wrapped(hint), nil, nil, nil, d.list.Object()), sheet.CloseButton("Close"))
		sheet.Present(nil)
		d.list.Focus()
	})
}

type annotatorsDialog struct {
	host *kit.Host
	from *store.Workspace
	did  func(history.Step)
	list *kit.Records[store.Annotator]
}

func (d *annotatorsDialog) read(then func()) {
	var all []store.Annotator
	d.host.Quietly("annotators", func() (err error) {
		all, err = d.from.Annotators()
		return err
	}, func() {
		d.list.Set(all)
		then()
	})
}

func (d *annotatorsDialog) rename(a store.Annotator) {
	ask := &kit.Ask[annotatorName]{
		Title: "Name of " + a.ID, Button: "Rename", Size: fyne.NewSize(420, 160),
		Form:  &kit.Form[annotatorName]{Host: d.host},
		Start: func(f *kit.Form[annotatorName]) { put(f, "name", a.Name) },
	}
	ask.Do = func(_ *kit.Dialog, o annotatorName) {
		after := a
		after.Name = strings.TrimSpace(o.Name)
		ask.Quick("annotator", func() (kit.Done, error) {
			return kit.Done{Then: func() { d.changed(a, after) }}, d.from.PutAnnotator(after)
		})
	}
	ask.Open()
}

// changed reports a change that is stored, and reads the list again.
func (d *annotatorsDialog) changed(before, after store.Annotator) {
	did(d.did, history.Step{
		Title: annotatorStep(before, after),
		Undo:  func(context.Context) error { return d.from.PutAnnotator(before) },
		Redo:  func(context.Context) error { return d.from.PutAnnotator(after) },
	})
	d.read(func() {})
}

// annotatorStep names a change in the words of the Undo entry.
func annotatorStep(before, after store.Annotator) string {
	switch {
	case after.Retired && !before.Retired:
		return fmt.Sprintf("retirement of %s", before.Name)
	case before.Retired && !after.Retired:
		return fmt.Sprintf("return of %s", before.Name)
	}
	return fmt.Sprintf("new name of %s", before.Name)
}
