package dialogs

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/variscope/variscope/store"
)

// backups counts the backups of a workspace.
func backups(t *testing.T, ws *store.Workspace) int {
	t.Helper()
	list, err := store.Backups(ws.Path())
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

type failingBackup struct{ err error }

func (f failingBackup) Backup(context.Context) (bool, error) { return false, f.err }

func TestOnlyAFullDiskLetsRemovalGoOnWithoutABackup(t *testing.T) {
	other := errors.New("no backup")
	for _, c := range []struct{ got, want error }{
		{nil, nil}, {fmt.Errorf("back up: %w", store.ErrFull), nil}, {other, other}, {context.Canceled, context.Canceled},
	} {
		if err := backUpFirst(t.Context(), failingBackup{c.got}); !errors.Is(err, c.want) {
			t.Errorf("%v after %v", err, c.got)
		}
	}
}
