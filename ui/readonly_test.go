package ui

import (
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/internal/faults"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/durable"
)

// TestAReadOnlyWorkspace: it opens, every screen shows what is there without an error, what changes
// it is off and says why, what is chosen for looking works, and the notice offers a copy.
func TestAReadOnlyWorkspace(t *testing.T) {
	o := open(t, 2, func(d *Deps) {
		path := d.Workspace.Path()
		if err := d.Workspace.Close(); err != nil {
			t.Fatal(err)
		}
		disk := faults.Watch(t, path)
		disk.Refuse(durable.Open, syscall.EROFS)
		read, err := store.Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		d.Workspace = read
		t.Cleanup(func() { _ = read.Close() })
	})
	for p := range places {
		o.Go(p)
		o.idle()
		if n := len(o.banner.notices.list); n != 1 || o.banner.notices.list[0].isError {
			t.Fatalf("%s: %+v", p, o.banner.notices.list)
		}
	}
	if !o.toolbar.add.Disabled() || !o.toolbar.run.Disabled() ||
		!strings.Contains(o.Window.Window().Title(), "read-only") {
		t.Errorf("%q", o.Window.Window().Title())
	}
	for text, off := range map[string]bool{
		"Export": false, "Report": false, "Settings": false, "Import…": true, "Merge labels": true, "Annotators": true,
		"New run": true, "Storage": true,
	} {
		if got := o.menuEntry(t, text).Disabled; got != off {
			t.Errorf("%s is off: %v", text, got)
		}
	}
	for name, do := range map[string]func(){"import": func() { o.Import(nil) }, "round": o.newRound, "run": o.newRun} {
		if o.Say(""); o.Window.Window().Canvas().Overlays().Top() != nil {
			t.Fatal("a dialog is open")
		}
		if do(); !strings.Contains(o.status.message.Text(), "read-only") {
			t.Errorf("%s: %q", name, o.status.message.Text())
		}
	}
	family := o.toolbar.family.Options[len(o.toolbar.family.Options)-1]
	o.toolbar.family.SetSelected(family)
	o.stage.Until("another family is looked at", func() bool {
		return !o.toolbar.storing && o.toolbar.family.Selected == family
	})
	o.press(t, "Save a copy…")
	o.stage.Until("a copy is offered", o.dialogSays("-copy"))
	o.dismiss()
}
