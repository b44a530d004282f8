package store

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/variscope/variscope/store/database"
)

func (w *Workspace) putOwner() error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	who := database.Owner{Process: os.Getpid(), Host: host, Since: time.Now().UTC().Truncate(time.Second)}
	if w.shared != nil && filepath.Dir(w.shared.place) != w.path {
		who.Socket = w.shared.place
	}
	text, err := json.Marshal(who)
	if err != nil {
		return err
	}
	return w.WriteFile(filepath.Join(w.path, database.OwnerFile), func(out io.Writer) error {
		_, err := out.Write(append(text, '\n'))
		return err
	})
}
