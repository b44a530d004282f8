package others

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

// memoryName is the file beside the queue. It lies there, and not among the preferences of the window, because it goes with the workspace and because an
// address may hold a password: the queue's folder is for nobody else to read, and no copy or package takes it along.
const memoryName = "others.json"

// maxMemory bounds what is read.
const maxMemory = 64 << 10

// memory is what is remembered of a workspace.
type memory struct {
	Settings
	Allowed bool `json:"allowed"`
}

// remembered reads what was kept. Where nothing was, the settings are the usual ones.
func remembered(folder string) (m memory, err error) {
	path := filepath.Join(folder, memoryName)
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return memory{}, nil
	}
	var text []byte
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(file, maxMemory))
		err = errors.Join(err, file.Close())
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return memory{}, fmt.Errorf("%s, which says how other machines are let in, cannot be read: %w; let them in once more, and it is written anew", path, err)
	}
	return m, nil
}

// keep writes it into a folder that is there.
func (m memory) keep(folder string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(folder, memoryName)
	err = durable.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return fmt.Errorf("remember how other machines are let in: %w", err)
	}
	return durable.Private(path)
}
