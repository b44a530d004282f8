package store

import (
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/database"
)

// Current is the suite and family that the toolbar shows; the Models screen's thumbnails, states
// and accuracies refer to them (DESIGN.md section 6).
type Current struct {
	Suite  string `json:"suite"`  // content hash
	Family string `json:"family"` // canonical text
}

// Current returns the current suite and family; both are empty in a new workspace.
func (w *Workspace) Current() (Current, error) {
	var c Current
	_, err := w.Setting(database.SettingCurrent, &c)
	return c, err
}

// SetCurrent chooses suite and family. The suite must be in the workspace, or empty; the family
// may be any accepted text, or empty, and is stored canonical.
func (w *Workspace) SetCurrent(c Current) error {
	if c.Family != "" {
		family, err := transform.Parse(c.Family)
		if err != nil {
			return err
		}
		c.Family = family.String()
	}
	if c.Suite != "" {
		if err := w.View(func(tx *database.Tx) error { return needSuite(tx, c.Suite) }); err != nil {
			return err
		}
	}
	if err := w.putSetting(database.SettingCurrent, c); err != nil {
		return err
	}
	w.changes.tell(CurrentChanged, "")
	return nil
}

// Setting decodes the setting of that key; found is false when it was never set, and into is left
// alone then. One that cannot be decoded, as of another version, is found and an error.
func (w *Workspace) Setting(key string, into any) (found bool, err error) {
	err = w.View(func(tx *database.Tx) error {
		found, err = database.Settings.Into(tx, key, into)
		return err
	})
	return found, err
}

// SetSetting stores any value that JSON can hold. In a workspace that cannot be written it is kept
// in the copy that is read, as what is chosen for looking at it (SetCurrent), and goes with that.
func (w *Workspace) SetSetting(key string, v any) error {
	if err := w.putSetting(key, v); err != nil {
		return err
	}
	w.changes.tell(SettingChanged, key)
	return nil
}

func (w *Workspace) putSetting(key string, v any) error {
	put := func(tx *database.Tx) error { return database.Settings.Put(tx, key, v) }
	if w.reading != nil { // another process has the workspace, and settings of its own
		return w.Update(put)
	}
	return w.commit(put)
}
