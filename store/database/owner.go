package database

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/variscope/variscope/store/durable"
)

// ownerPatience is how long a second opener waits for an owner file that is just being written.
const ownerPatience = 200 * time.Millisecond

// Owner says who has the workspace open. The database's lock decides; the file only names its
// holder, so one that a killed process left is written over.
type Owner struct {
	Process int       `json:"process"`
	Host    string    `json:"host"`
	Since   time.Time `json:"since"`
	// Socket is where copies are handed out, empty for beside the database.
	Socket string `json:"socket,omitempty"`
}

// mostOwner bounds the owner file.
const mostOwner = 64 << 10

// ReadOwner reads the owner file of a workspace.
func ReadOwner(path string) (Owner, error) {
	var who Owner
	file, err := durable.OpenRegular(filepath.Join(path, OwnerFile))
	if err != nil {
		return who, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, mostOwner))
	if err != nil {
		return who, err
	}
	err = json.Unmarshal(text, &who)
	who.Host = Clean(who.Host)
	return who, err
}

// OpenElsewhere is the error for a workspace whose lock another process holds.
func OpenElsewhere(path string) error {
	for start := time.Now(); ; time.Sleep(LockPatience / 20) {
		who, err := ReadOwner(path)
		if err == nil {
			return &OpenElsewhereError{Name: NameOf(path), Process: who.Process, Host: who.Host, Since: who.Since}
		}
		if time.Since(start) > ownerPatience {
			return &OpenElsewhereError{Name: NameOf(path)}
		}
	}
}

// Clean is a text of another process as it may be shown: short, without what a terminal takes for
// orders.
func Clean(text string) string {
	const most = 500
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most])
	}
	return text
}

// NameOf is the name of the workspace in a folder: the folder's without .variscope.
func NameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), Suffix) }
