package intake

import (
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/suite"
)

func TestDetailsOfASuite(t *testing.T) {
	many := suite.Manifest{Images: 28}
	for i := range 14 {
		many.Classes, many.Counts = append(many.Classes, strconv.Itoa(i)), append(many.Counts, 2)
	}
	for want, m := range map[string]suite.Manifest{
		"3 images without labels": {Images: 3},
		"1 image, 1 class: cat 1": {Images: 1, Classes: []string{"cat"}, Counts: []int{1}},
		"5 images, 2 classes: cat 3, dog 2; 1 corrupt image left out": {
			Images: 5, Classes: []string{"cat", "dog"}, Counts: []int{3, 2}, Skipped: []suite.Skipped{{Path: "a.png"}},
		},
		"1 image without labels; 3 not taken: ending .xml 2 (a/1.xml, …), no ending 1 (x); read as UTF-16": {
			Images: 1, Passed: []suite.Passed{
				{Reason: "ending .xml", Count: 2, Paths: []string{"a/1.xml", "a/2.xml"}},
				{Reason: "no ending", Count: 1, Paths: []string{"x"}},
			},
			Notes: []string{"read as UTF-16"},
		},
		"28 images, 14 classes: " +
			"0 2, 1 2, 2 2, 3 2, 4 2, 5 2, 6 2, 7 2, 8 2, 9 2, 10 2, 11 2, 2 more with 4 images": many,
	} {
		if got := strings.Join(suiteOutcome(m).Details, "; "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
