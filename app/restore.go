package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/variscope/variscope/store"
)

type restoreCommand struct {
	Workspace string `arg:"" help:"Workspace folder; it must not be open anywhere."`
	Backup    string `arg:"" optional:"" help:"Backup to restore, by its name (default: the newest)."`
	List      bool   `help:"Only list the backups."`
}

type backupReport struct {
	Name     string    `json:"name"`
	At       time.Time `json:"at"`
	Size     int64     `json:"size"`
	Replaced bool      `json:"replaced"` // put aside by a restore
}

func reportBackup(b store.Backup) backupReport {
	return backupReport{Name: b.Name, At: b.At, Size: b.Size, Replaced: b.Replaced}
}

func (c *restoreCommand) Run(s *session) error {
	path := c.Workspace
	if !strings.HasSuffix(filepath.Clean(path), ".variscope") {
		path = filepath.Clean(path) + ".variscope"
	}
	if c.List {
		return c.list(s, path)
	}
	restored, err := store.Restore(s.ctx, path, c.Backup)
	if err != nil {
		return err
	}
	when := restored.At.Local().Format(time.DateTime)
	return s.print(reportBackup(restored), [][]string{
		{fmt.Sprintf("restored the database of %s; the one that was there is kept among the backups", when)},
	})
}

func (c *restoreCommand) list(s *session, path string) error {
	list, err := store.Backups(path)
	if err != nil {
		return err
	}
	reports, rows := []backupReport{}, [][]string{{"backup", "time", "size", "kind"}}
	for _, b := range list {
		kind := "database"
		if b.Replaced {
			kind = "put aside by a restore"
		}
		reports = append(reports, reportBackup(b))
		rows = append(rows, []string{b.Name, b.At.Local().Format(time.DateTime), store.SizeText(b.Size), kind})
	}
	return s.print(reports, rows)
}
