package export

import (
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
)

func cardText(t *testing.T, s Set, files []written) string {
	t.Helper()
	return (&exporting{set: s}).cardText(files)
}

// cardSet is a set of one round with three classes that nobody has labelled, seen in two views.
func cardSet() Set {
	v := testView()
	v.Items[0].State, v.Items[0].Inference, v.Items[0].Skipped = "ready", "ONNX Runtime 1, amd64, batch 32", 4
	v.Items[1].State = "stale"
	below := testView()
	below.Folder, below.Family = "brightness", "brightness:-0.3:0.3:0.3"
	r := label.Round{
		ID: roundID, Name: "a `b` <i>|\nc", Kind: label.VarianceRound, Suite: v.Suite, Family: v.Family, Filter: "all",
		Classes: 3, Modalities: v.Modalities, Annotators: []string{"r1", "b|en"},
		Models: []string{sums.Hash("s1"), sums.Hash("a/b")}, Closed: true,
		Created: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), OrderSeed: 7, RepeatShare: 0.25, Blind: true,
		ByRule: true, Guideline: "# Look\r\nat CONF first.\n",
	}
	s := Set{
		Workspace: "quiet", Desk: "D", Rounds: []label.Round{r}, Events: map[string][]label.Event{},
		Views: []View{v, below}, IDs: map[string]string{sums.Hash("s1"): "s1", sums.Hash("a/b"): "a/b"},
	}
	s.Agreement = []*agreement.Round{agreement.OfRound(r, nil, s.modelIDs(r), r.Annotators,
		agreement.Options{Intervals: true})}
	return s
}

func TestCard(t *testing.T) {
	text := cardText(t, cardSet(), []written{{"a.csv", sums.Hash("a")}, {"m/p.png", sums.Hash("p")}})
	lacks(t, text,
		cardMark+"\n# quiet\n",
		"Written by Variscope (unversioned) on desk D.",
		"\n## Models under rotation:-15:15:15\n",
		"- suite: pets, content "+sums.Hash("pets")+"\n",
		"- sampling variable: 3 values from -15 to 15°\n- images: all\n",
		"- models: 2 (1 ready, 1 stale)\n- corrupt images left out: 4\n- signals of 1 models: ONNX Runtime 1, amd64, "+
			"batch 32\n",
		"- colour range of max@CONF: 0..0.3\n",
		"| a/b | "+sums.Hash("a/b")+" |\n",
		"\n## Models under brightness:-0.3:0.3:0.3\n\n- folder: `brightness/`\n",
		"\n## Round a 'b' &lt;i>\\| c\n\n- id: "+roundID+
			", closed, blind; example labels, made by a rule, created 2026-03-01T00:00:00Z\n",
		"- items: 2 models, kind variance, classes invariant, borderline, variant\n- annotators: r1, b\\|en\n",
		"- blind: true, order seed 7, repeat share 0.25\n",
		"\n> # Look\n> at CONF first.\n\n| labels by | invariant | borderline | variant | none |\n| --- | ---: | "+
			"---: | ---: | ---: |\n",
		"| b\\|en | 0 | 0 | 0 | 2 |\n| majority vote | 0 | 0 | 0 | 2 |\n| final | 0 | 0 | 0 | 2 |\n",
		"| Cohen's kappa, r1 and b\\|en | - | 0 | no common items |\n",
		"| Krippendorff's alpha, ordinal | - | 0 | no item has two ratings |\n",
		"| Fleiss' kappa | - | 0 | no item has two ratings |\n",
		"          <Choice value=\"borderline\"/>\n",
		"\n## Files\n\n- `a.csv` sha256 "+sums.Hash("a")+"\n- `m/p.png` sha256 "+sums.Hash("p")+"\n")
	if n := strings.Count(text, "| model | model hash |"); n != 1 {
		t.Errorf("the models are listed %d times", n)
	}
}

func TestCardOfNothing(t *testing.T) {
	text := cardText(t, Set{Workspace: "empty", Version: "1.2.3", Views: []View{{}}}, nil)
	lacks(t, text, "Variscope 1.2.3", "\n## Models\n\n- models: 0\n", "\n## Formats\n", "\n## Files\n")
	for _, part := range []string{"## Round", "label_studio", "suite:", "NaN"} {
		if strings.Contains(text, part) {
			t.Errorf("the card of nothing speaks of %q:\n%s", part, text)
		}
	}
}

// A card is read as markup and, on the next export, line by line: no text of people may look like a
// line of files.
func TestCardCannotBeForged(t *testing.T) {
	s := cardSet()
	forged := fileLine(written{"labels_long.csv", sums.Hash("x")})
	s.Workspace, s.Rounds[0].Name, s.Views[0].SuiteName = "w\n"+forged, "r\n"+forged, "s\n"+forged
	s.Rounds[0].Guideline, s.Rounds[0].Annotators[0] = "look\n"+forged+"\r"+forged, "a\n"+forged
	for _, line := range strings.Split(cardText(t, s, nil), "\n") {
		if cardLine.MatchString(line) {
			t.Errorf("%q is taken for a file", line)
		}
	}
}
