package dialogs

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/store/backup"
)

// TestWorkspaceDialog: a new workspace gets the ending and does not take another one's place; what
// is damaged can be restored; a click on a recent one is its path.
func TestWorkspaceDialog(t *testing.T) {
	r := newRig(t, 0)
	folder, opened, done := t.TempDir(), "", 0
	old := filepath.Join(folder, "old.variscope")
	write(t, filepath.Join(old, "x"), "")
	before := 0
	may := func(open func()) { before++; open() }
	ask := WorkspaceAsk{
		Title: "New workspace", Create: true, Before: may, Opened: func() { done++ },
		Open: func(path string) error { opened = path; return nil },
	}
	WorkspaceDialog(r.host, ask)
	r.press("Create")
	r.saying("Folder must be given.")
	r.entry("a folder").SetText(filepath.Join(folder, "old"))
	r.press("Create")
	r.saying("is there already: open it, or choose another name.")
	r.entry("a folder").SetText(filepath.Join(folder, "new"))
	r.press("Create")
	r.stage.Until("it is made", func() bool { return done == 1 })
	if opened != filepath.Join(folder, "new.variscope") || r.open() {
		t.Errorf("%s is made", opened)
	}
	ask = WorkspaceAsk{
		Title: "Open workspace", Before: may, Opened: func() { done++ }, Recent: RecentWorkspaces([]string{old}, ""),
		Open:    func(path string) error { return &backup.RestorableError{Path: path, Err: errors.New("it is torn")} },
		Restore: func(path string) error { opened = path; return nil },
	}
	WorkspaceDialog(r.host, ask)
	r.press("old")
	r.press("Open")
	r.saying("torn")
	r.looks("workspace-damaged")
	r.press("Restore the backup")
	r.stage.Until("it is restored", func() bool { return done == 2 })
	if opened != old || len(r.failed) > 0 {
		t.Errorf("%s is restored, %v", opened, r.failed)
	}
	if before < done {
		t.Errorf("%d opened, %d asked for before", done, before)
	}
}
