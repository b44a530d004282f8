package features

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/ui/present"
)

// vacancy is what the screen shows in place of an empty table: why there is nothing, and what to
// do.
type vacancy struct {
	text                 string
	imports, runs, picks bool // import models, run models, choose other matrices
}

// fewReasons is how many of the models left out a vacancy names.
const fewReasons = 6

// vacancy says why nothing was measured; ok is false when something was.
func (a answer) vacancy() (v vacancy, ok bool) {
	switch {
	case a.models == 0:
		return vacancy{text: "This workspace has no models yet. Import some, and a test suite.", imports: true}, true
	case a.current.Suite == "":
		return vacancy{text: "Choose a test suite in the bar above, or import one: features are measured on its images.", imports: true}, true
	case a.current.Family == "":
		return vacancy{text: "Choose a family of transformations in the bar above: features are measured under it."}, true
	case len(a.set.Rows) > 0:
		return v, false
	}
	lines := []string{"No model has all that the features need:"}
	for k, l := range a.set.Left {
		if k == fewReasons {
			lines = append(lines, fmt.Sprintf("and %s more", present.Count(int64(len(a.set.Left)-k))))
			break
		}
		lines = append(lines, l.ID+": "+l.Reason.Text)
	}
	return vacancy{text: strings.Join(lines, "\n"), runs: true, picks: true}, true
}
