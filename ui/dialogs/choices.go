package dialogs

import (
	"cmp"
	"fmt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit"
)

// modelChoice is what a dialog about models offers: those that were chosen before it was opened,
// and all.
type modelChoice struct {
	all    []model.Model
	chosen []string // hashes; none where nothing was chosen
}

func readChoice(ws *store.Workspace, chosen []string) (c modelChoice, err error) {
	c.chosen = chosen
	c.all, err = ws.Models()
	return c, err
}

// options are the choices of an option `source:"models"` that is a list, and the usual one.
func (c modelChoice) options() (list []kit.Option, first string) {
	if len(c.chosen) > 0 {
		first = option.Join(c.chosen)
		name := fmt.Sprintf("the %s", result.Counted(len(c.chosen), "chosen model"))
		if id := c.ids(c.chosen)[0]; len(c.chosen) == 1 {
			name = fmt.Sprintf("model %s", id)
		}
		list = append(list, kit.Option{Key: first, Name: name})
	}
	return append(list, kit.Option{Name: fmt.Sprintf("all models (%d)", len(c.all))}), first
}

// ids are the ids of models, which the command line takes, by their hashes.
func (c modelChoice) ids(hashes []string) (ids []string) {
	for _, hash := range hashes {
		id := ""
		for _, m := range c.all {
			if m.Hash == hash {
				id = m.ID
			}
		}
		ids = append(ids, cmp.Or(id, hash))
	}
	return ids
}

// roundOptions are the rounds to choose from, by id. Those of the same name are told apart by the
// end of their id.
func roundOptions(rounds []label.Round) (list []kit.Option) {
	for _, r := range rounds {
		list = append(list, kit.Option{Key: r.ID, Name: roundName(r)})
	}
	return list
}

func roundName(r label.Round) string {
	return fmt.Sprintf("%s (%s)", r.Name, r.ID[max(0, len(r.ID)-6):])
}

// put gives an option of a form that opens a text that it takes; another text stays out.
func put[O any](f *kit.Form[O], name, text string) { _ = f.Put(name, text) }
