package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/store/durable"
)

// memoryName is the file beside the queue. It lies there, and not among the preferences of the
// window, because it goes with the workspace and because an address may hold a password: the
// queue's folder is for nobody else to read, and no copy or package that Variscope makes takes it
// along.
const memoryName = "others.json"

// maxMemory bounds what is read.
const maxMemory = 64 << 10

// memory is what is remembered of a workspace.
type memory struct {
	Settings
	Allowed bool `json:"allowed"`
	place
}

// place is where a workspace lies. A folder that was copied, handed over or moved by other means
// brings what is remembered along: nobody has asked for other machines there.
type place struct {
	Host   string `json:"host"`   // name of the computer
	Folder string `json:"folder"` // of the queue, absolute
}

// placeOf is that of a folder on this computer, the zero value where the system does not tell.
func placeOf(folder string) place {
	host, err := os.Hostname()
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return place{}
	}
	if whole, err := filepath.EvalSymlinks(folder); err == nil { // it may be missing before there is a queue
		folder = whole
	}
	return place{Host: host, Folder: folder}
}

// remembered reads what was kept. Where nothing was, the settings are the usual ones; where it was
// kept at another place, they are those of there, and nobody is let in.
func remembered(folder string) (m memory, err error) {
	path := filepath.Join(folder, memoryName)
	file, err := durable.OpenRegular(path) // never waits for a pipe: a window reads it before it opens
	if errors.Is(err, fs.ErrNotExist) {
		return memory{}, nil
	}
	if err == nil {
		err = errors.Join(json.NewDecoder(io.LimitReader(file, maxMemory)).Decode(&m), file.Close())
	}
	if err != nil {
		return memory{}, fmt.Errorf("%s, which says how other machines are let in, cannot be read: %w; "+
			"let them in once more, and it is written anew", path, err)
	}
	now := placeOf(folder)
	m.Allowed = m.Allowed && now != place{} && m.place == now
	return m, nil
}

// keep writes it into a folder that is there, with this place.
func (m memory) keep(folder string) error {
	m.place = placeOf(folder)
	return durable.WritePrivateJSON(filepath.Join(folder, memoryName), m)
}
