package ranking

import (
	"slices"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/predictions"
)

// Settings are what is ranked and how. The line above the tabs asks for source and truth, dialogs
// for the rest.
type Settings struct {
	Source  string            `help:"Suite or table of predictions whose images the models are ranked on." source:"sources" label:"Rank on"`
	Truth   predictions.Truth `help:"Where true classes come from." enum:"suite,hand,none" default:"suite" label:"true classes"`
	Without []string          `help:"Models that take no part: hashes, or names of those that are not in the workspace."`
	rank.Options
}

// asked are the rankers that are asked: those of the options, without them all that say something
// of their own.
func (s Settings) asked() []rank.Method {
	if len(s.Methods) == 0 {
		return rank.Usual()
	}
	return s.Methods
}

// options are the settings as the engine takes them, with the methods in the order of tables.
func (s Settings) options() rank.Options {
	o := s.Options
	o.Methods = slices.DeleteFunc(rank.Methods(), func(m rank.Method) bool { return !slices.Contains(s.asked(), m) })
	return o
}

// keyOf names a model in the settings: its hash, or its name where it is not in the workspace.
func keyOf(m rank.Model) string {
	if m.Hash != "" {
		return m.Hash
	}
	return m.ID
}
