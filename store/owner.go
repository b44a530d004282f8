package store

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/variscope/variscope/store/durable"
)

// ownerPatience is how long a second opener waits for an owner file that is just being written.
const ownerPatience = 200 * time.Millisecond

// owner says who has the workspace open. The database's lock decides; the file only names its
// holder, so one that a killed process left is written over.
type owner struct {
	Process int       `json:"process"`
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
	// Socket is where copies are handed out, empty for beside the database.
	Socket string `json:"socket,omitempty"`
}

// mostOwner bounds the owner file.
const mostOwner = 64 << 10

func (w *Workspace) putOwner() error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	who := owner{Process: os.Getpid(), Host: host, Since: time.Now().UTC().Truncate(time.Second)}
	if w.shared != nil && filepath.Dir(w.shared.place) != w.path {
		who.Socket = w.shared.place
	}
	text, err := json.Marshal(who)
	if err != nil {
		return err
	}
	return w.write(filepath.Join(w.path, ownerFile), func(out io.Writer) error {
		_, err := out.Write(append(text, '\n'))
		return err
	})
}

func readOwner(path string) (owner, error) {
	var who owner
	file, err := durable.OpenRegular(filepath.Join(path, ownerFile))
	if err != nil {
		return who, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, mostOwner))
	if err != nil {
		return who, err
	}
	err = json.Unmarshal(text, &who)
	who.Host = clean(who.Host)
	return who, err
}

// elsewhere is the error for a workspace whose lock another process holds.
func elsewhere(path string) error {
	for start := time.Now(); ; time.Sleep(lockPatience / 20) {
		who, err := readOwner(path)
		if err == nil {
			return &OpenElsewhereError{Name: nameOf(path), Process: who.Process, Host: who.Host, Since: who.Since}
		}
		if time.Since(start) > ownerPatience {
			return &OpenElsewhereError{Name: nameOf(path)}
		}
	}
}
