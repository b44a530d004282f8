package dialogs

import (
	"context"
	"errors"

	"github.com/variscope/variscope/store"
)

// backUpFirst backs the database up before something that cannot be taken back. A full disk keeps
// nobody from it: removing is what makes room.
func backUpFirst(ctx context.Context, ws interface {
	Backup(ctx context.Context) (made bool, err error)
},
) error {
	if _, err := ws.Backup(ctx); err != nil && !errors.Is(err, store.ErrFull) {
		return err
	}
	return ctx.Err() // what follows cannot be taken back
}
