package runs

import (
	"fmt"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/kit"
)

// answers says what the screen answers.
var answers = kit.About{
	Question: "What is being computed, how far is it, and what could not be computed?",
	Reading: []string{
		"A run puts models through all images of a suite under all transformations of a family. It is cut into " +
			"units: a model and some consecutive images. A unit that is done is kept, so a run that was stopped, " +
			"or did not survive, goes on with what is missing, and a run that repeats another one has nothing to " +
			"do.",
		"A model that fails twice is left out, with the reason in its row; the others go on. Results of the " +
			"models that are done can be looked at while the run goes on: they are those of these models, not of " +
			"all.",
	},
	Worked: worked,
}

// worked is a run of three models on 1000 images, in units of 256, a third of which is done.
func worked() ([]result.Figure, error) {
	const models, units, size, images = 3, 4, 256, 1000
	f := result.Figure{
		Title: "A run of three models on 1000 images", Note: "one model is done, one is at work, one waits",
		X: result.Axis{Name: "images", Format: result.Count, High: images},
		Groups: []result.Group{
			{Name: "done", Look: result.Category(0)},
			{Name: "at work", Look: result.Category(1)},
			{Name: "waits", Look: result.Category(2)},
		},
	}
	for m := range models {
		for u := range units {
			from, to := float64(u*size), float64(min((u+1)*size, images))
			group := 2
			switch at := m*units + u; {
			case at < units+1:
				group = 0
			case at == units+1:
				group = 1
			}
			line := fmt.Sprintf("model %d, images %d to %d: %s", m+1, u*size, int(to)-1, f.Groups[group].Name)
			f.Boxes = append(f.Boxes, result.Box{
				X0: from, X1: to, Y0: float64(m) - 0.4, Y1: float64(m) + 0.4, Name: line, Group: group,
			})
		}
		f.Y.Names, f.Y.Each = append(f.Y.Names, fmt.Sprintf("model %d", m+1)), true
	}
	return []result.Figure{f}, nil
}
