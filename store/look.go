package store

import (
	"fmt"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
)

// Look is a look at a model under other recipes (spec/recipe.md section 3), as it is kept.
type Look struct {
	Looks   chance.Looks `json:"looks"`
	Classes []int        `json:"classes"` // the suite's, in the model's numbering
}

// lookName names the look at a model on a suite by what it depends on beside the classes; ok is
// false where something says the range or the channels, and for a model that is not understood.
func lookName(m model.Model, suiteHash string) (name string, ok bool) {
	s, err := m.Settings()
	if err != nil || suiteHash == "" || s.By(recipe.OfRange|recipe.OfChannels) != model.ByDefault {
		return "", false
	}
	return fmt.Sprintf("look/1/%s/%s/%s/%s/%s", m.Hash, suiteHash, s.OutputKind, s.Output, s.Recipe.Text()), true
}

// Look reads what a look at a model on a suite has found; found is false where nobody has looked,
// as at a model of which something says the range or the channels. KeepLook keeps it.
func (w *Workspace) Look(m model.Model, suiteHash string) (l Look, found bool, err error) {
	name, ok := lookName(m, suiteHash)
	if !ok {
		return l, false, nil
	}
	found, err = w.KeptValue(name, &l)
	return l, found, err
}

// KeepLook keeps a look until the model's settings change.
func (w *Workspace) KeepLook(m model.Model, suiteHash string, l Look) error {
	name, ok := lookName(m, suiteHash)
	if !ok {
		return nil
	}
	return w.KeepValue(name, l)
}

// Looks is what is known of the recipe that a model looks as if it wants, from a look at it on the
// suite; the zero value where nobody has looked or nothing can be read.
func (w *Workspace) Looks(m model.Model, suiteHash string) chance.Looks {
	l, _, err := w.Look(m, suiteHash)
	if err != nil {
		return chance.Looks{}
	}
	return l.Looks
}
