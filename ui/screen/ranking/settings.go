package ranking

import (
	"errors"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/predictions"
)

// Settings are what is ranked and how; the workspace remembers them.
type Settings struct {
	Source      string            `json:"source,omitempty"` // content hash of a suite or id of a table; "" for the current suite
	Truth       predictions.Truth `json:"truth,omitempty"`  // "" for that of the suite
	Methods     []rank.Method     `json:"methods"`
	Without     []string          `json:"without,omitempty"` // models that take no part, see keyOf
	Budget      int               `json:"budget,omitempty"`  // labels for the sampled rankers; 0 for max(30, models)
	Repetitions int               `json:"repetitions"`
	Seed        uint64            `json:"seed"`
}

// newSettings are those of a workspace that was never ranked: all rankers that say something of
// their own.
func newSettings() Settings {
	var o rank.Options
	option.SetDefaults(&o)
	return Settings{Truth: predictions.OfSuite, Repetitions: o.Repetitions, Seed: o.Seed, Methods: rank.Usual()}
}

// valid are the settings without what this program does not know: they may come from another
// version.
func (s Settings) valid() Settings {
	known := rank.Methods()
	s.Methods = slices.DeleteFunc(slices.Clone(s.Methods), func(m rank.Method) bool { return !slices.Contains(known, m) })
	if len(s.Methods) == 0 {
		s.Methods = newSettings().Methods
	}
	if !slices.Contains([]predictions.Truth{predictions.OfSuite, predictions.ByHand, predictions.NoTruth}, s.Truth) {
		s.Truth = predictions.OfSuite
	}
	if o := s.options(); option.Check(&o) != nil {
		s.Budget, s.Repetitions = 0, newSettings().Repetitions
	}
	return s
}

// options are the settings as the engine takes them, with the methods in the order of tables.
func (s Settings) options() rank.Options {
	var methods []rank.Method
	for _, m := range rank.Methods() {
		if slices.Contains(s.Methods, m) {
			methods = append(methods, m)
		}
	}
	return rank.Options{Methods: methods, LaF: "exact", Budget: s.Budget, Repetitions: s.Repetitions, Seed: s.Seed}
}

// same tells whether two settings ask the same of the same data.
func (s Settings) same(o Settings) bool {
	return s.Source == o.Source && s.Truth == o.Truth && s.Budget == o.Budget && s.Repetitions == o.Repetitions && s.Seed == o.Seed &&
		slices.Equal(s.Methods, o.Methods) && slices.Equal(s.Without, o.Without)
}

// keyOf names a model in the settings: its hash, or its name where it is not in the workspace.
func keyOf(m rank.Model) string {
	if m.Hash != "" {
		return m.Hash
	}
	return m.ID
}

// read sets an option to the text of a form; an empty text leaves its default. The error is for
// people.
func read(o *rank.Options, name, text string) error {
	for _, f := range option.Fields(o) {
		if f.Name == name && strings.TrimSpace(text) != "" {
			if err := f.Set(text); err != nil {
				return errors.New(option.Said(err))
			}
		}
	}
	return nil
}
