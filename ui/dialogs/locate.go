package dialogs

import (
	"context"
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/ui/background"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
)

// Relocator knows where suites lie; *store.Workspace is one.
type Relocator interface {
	Suite(hash string) (suite.Manifest, error)
	RelocateSuite(ctx context.Context, hash, root string) error
}

// LocateDialog asks where the images of a suite are now and notes it in the workspace, if they are
// the same images. Did gets the change and may be nil. For a suite that is made from another one
// it is that one's images that are looked for.
func LocateDialog(host *kit.Host, ws Relocator, suiteHash string, did func(history.Step)) {
	m, err := ws.Suite(suiteHash)
	if err == nil && m.Derived != nil {
		m, err = ws.Suite(m.Derived.Of)
	}
	if err != nil {
		host.Fail(err)
		return
	}
	l := &locating{host: host, ws: ws, suite: m, did: did, entry: widget.NewEntry(), problem: widget.NewLabel("")}
	l.sheet = host.NewDialog("Locate images", fyne.NewSize(600, 240))
	l.entry.SetPlaceHolder("path of the folder")
	l.problem.Importance = widget.DangerImportance
	l.problem.Wrapping = fyne.TextWrapWord
	l.start = widget.NewButton("Locate", l.locate)
	l.start.Importance = widget.HighImportance
	l.start.Disable()
	l.entry.OnChanged = func(text string) {
		l.problem.SetText("")
		l.start.Disable()
		if len(kit.Paths(text)) == 1 {
			l.start.Enable()
		}
	}
	l.entry.OnSubmitted = func(string) {
		if !l.start.Disabled() {
			l.locate()
		}
	}
	hint := widget.NewLabel(fmt.Sprintf("The images of suite %s were in %s. Choose the folder that they are in now; they are compared with those of the import.", m.Name, m.Root))
	hint.Wrapping = fyne.TextWrapWord
	l.sheet.Show(container.NewVBox(hint, host.FolderRow(l.entry), l.problem), l.sheet.CloseButton("Cancel"), l.start)
	l.sheet.Present(l.entry)
}

// locating is the dialog at work.
type locating struct {
	host    *kit.Host
	ws      Relocator
	suite   suite.Manifest
	did     func(history.Step)
	sheet   *kit.Dialog
	entry   *widget.Entry
	problem *widget.Label
	start   *widget.Button
}

func (l *locating) locate() {
	root := kit.Paths(l.entry.Text)[0]
	l.start.Disable()
	l.host.Work.Start(fmt.Sprintf("locate the images of suite %s", l.suite.Name), func(ctx context.Context, _ *background.Progress) error {
		return l.ws.RelocateSuite(ctx, l.suite.Hash, root)
	}, func(err error) {
		switch {
		case err == nil:
			l.done(root)
		case l.sheet.Closed():
			l.host.Fail(err)
		default:
			l.start.Enable()
			l.problem.SetText(sentence(err))
		}
	})
}

func (l *locating) done(root string) {
	l.sheet.Close()
	l.host.Say(fmt.Sprintf("the images of suite %s are found", l.suite.Name))
	if l.did == nil {
		return
	}
	ws, hash, before := l.ws, l.suite.Hash, l.suite.Root
	l.did(history.Step{
		Title: fmt.Sprintf("place of suite %s", l.suite.Name),
		Undo:  func(ctx context.Context) error { return ws.RelocateSuite(ctx, hash, before) },
		Redo:  func(ctx context.Context) error { return ws.RelocateSuite(ctx, hash, root) },
	})
}
