package choose

import (
	"fmt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

// plainName says how scenes are chosen, as the command names selections.
func plainName(c background.Choice) string {
	name := fmt.Sprintf("%s-%d", c.Method, c.N)
	if c.Jitter {
		name += "-jitter"
	}
	if c.Jitter || c.Method == background.Random {
		name += fmt.Sprintf("-seed-%d", c.Seed)
	}
	return name
}

// nameOf is a name for what is asked for that no selection has.
func nameOf(ask scenes.Ask, there []store.SelectionRecord) string {
	name := plainName(ask.Choice)
	if n := len(ask.Vetoed); n > 0 {
		name += fmt.Sprintf("-without-%d", n)
	}
	if ask.Feather > 0 {
		name += fmt.Sprintf("-feather-%g", ask.Feather)
	}
	if ask.Align != "" && ask.Align != background.Keep {
		name += "-" + string(ask.Align)
	}
	if !taken(name, there) {
		return name
	}
	for k := 2; ; k++ {
		if next := fmt.Sprintf("%s-%d", name, k); !taken(next, there) {
			return next
		}
	}
}

func taken(name string, there []store.SelectionRecord) bool {
	for _, r := range there {
		if r.Name == name {
			return true
		}
	}
	return false
}
