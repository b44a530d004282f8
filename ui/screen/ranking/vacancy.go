package ranking

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/ui/present"
)

// vacancy is what the screen shows in place of an empty table: why there is nothing, and what to
// do.
type vacancy struct {
	text          string
	imports, runs bool // import something, run models
}

// fewReasons is how many of the models left out a vacancy names.
const fewReasons = 6

// noSource says that there is nothing to rank on.
func noSource() vacancy {
	return vacancy{
		text:    "Models are ranked by what they predict for the images of a test suite. Import models and a suite, or predictions that were made elsewhere.",
		imports: true,
	}
}

// tooFew says that a source has too few models to rank, and why the others are left out.
func tooFew(why error, left []rank.LeftOut) vacancy {
	lines := []string{present.Sentence(why)}
	for k, l := range left {
		if k == fewReasons {
			lines = append(lines, fmt.Sprintf("and %s more", present.Count(int64(len(left)-k))))
			break
		}
		lines = append(lines, l.String())
	}
	return vacancy{text: strings.Join(lines, "\n"), imports: true, runs: len(left) > 0}
}

// runnable are the hashes of models that were left out and could be run.
func runnable(left []rank.LeftOut) []string {
	var hashes []string
	for _, l := range left {
		if l.Hash != "" {
			hashes = append(hashes, l.Hash)
		}
	}
	return hashes
}
