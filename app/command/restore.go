package command

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/backup"
)

type restoreCommand struct {
	Workspace string `arg:"" help:"Workspace folder; it must not be open anywhere."`
	Backup    string `arg:"" optional:"" help:"Backup to restore, by its name (default: the newest)."`
	List      bool   `help:"Only list the backups."`
}

func (c *restoreCommand) Run(s *Session) error {
	path := c.Workspace
	if !isWorkspace(path) {
		path = filepath.Clean(path) + ".variscope"
	}
	if Absent(path) {
		return fmt.Errorf("%s: %w: there is no such folder", path, store.ErrNotWorkspace)
	}
	var list []backup.Backup
	var err error
	if c.List {
		list, err = backup.List(path)
	} else {
		list = make([]backup.Backup, 1)
		list[0], err = backup.Restore(s.ctx, path, c.Backup)
	}
	if err != nil {
		return err
	}
	a := answer{Document: s.document("restore", c, backup.Table.Sheet(list))}
	if !c.List {
		a.shown = []any{}
		a.lines = []string{fmt.Sprintf("restored the database of %s; the one that was there is kept among the backups",
			list[0].At.Local().Format(time.DateTime))}
	}
	return s.give(a)
}
