package preview

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

func subjectOf(t testing.TB, model int, excluded ...int) pane.Subject {
	t.Helper()
	ws := sample.New(t, 6)
	choice := variance.AllImages()
	choice.Excluded = excluded
	return panetest.Subject(t, ws.Workspace, ws.Imported[model].Hash, choice)
}

func TestSheet(t *testing.T) {
	s := subjectOf(t, 3, 41)
	s.First, s.Last = 5, 25
	p := Prepare(s)
	sheet := p.Sheet(41)
	if len(sheet.Frames) != 31 || sheet.Identity != 15 || !sheet.Frames[15].Identity || !sheet.Excluded ||
		sheet.Total != sample.Images {
		t.Fatalf("%d frames, identity %d, excluded %v", len(sheet.Frames), sheet.Identity, sheet.Excluded)
	}
	if sheet.Frames[4].Inside || !sheet.Frames[5].Inside || sheet.Frames[26].Inside || sheet.Frames[0].V != "-15°" {
		t.Errorf("frames %+v", sheet.Frames[:6])
	}
	right := 0
	for i, f := range sheet.Frames {
		if want := int(s.Set.Predictions()[i][41]); f.Guess.Class != sample.Classes[want] ||
			(f.Guess.Verdict == picture.Right) != (want == 2) {
			t.Errorf("frame %d guesses %+v, want class %d", i, f.Guess, want)
		}
		if f.Guess.Verdict == picture.Right {
			right++
		}
	}
	if right == 0 || !strings.HasPrefix(sheet.Title, "bridge/01.png, class bridge: right under ") ||
		!strings.HasSuffix(sheet.Title, "; excluded from the matrices") {
		t.Errorf("title %q", sheet.Title)
	}
	if c := sheet.Confidence.Lines; len(c) != 2 || c[0].Y[3] != float64(s.Set.Confidence[3*60+41]) ||
		c[1].Y[3] != float64(s.Set.Softmax[(3*60+41)*3+2]) {
		t.Errorf("curves of confidence %v", c)
	}
	if line := sheet.Signal.Lines; len(line) != 1 || sheet.Signal.Y.Name != "max@CONF" ||
		line[0].Y[7] != float64(s.Set.Confidence[7*60+41]) {
		t.Errorf("curve of the signal %v", line)
	}
	for _, tt := range []struct{ ask, want int }{{-3, 0}, {60, 59}, {1 << 40, 59}} {
		if got := p.Sheet(tt.ask).Image; got != tt.want {
			t.Errorf("image %d is shown for %d", got, tt.ask)
		}
	}
}

// With more classes than the store keeps a softmax of, the score of the label is there by itself.
func TestLabelScore(t *testing.T) {
	set := signal.Set{Transformations: 2, Images: 3, Classes: 200, TrueScore: []float32{0, 1, 2, 3, 4, 5}}
	if got := labelScore(&set, 1, 7); !slices.Equal(got, []float64{1, 4}) {
		t.Errorf("scores alone: %v", got)
	}
	if labelScore(&set, 1, -1) != nil || labelScore(&signal.Set{Transformations: 2, Images: 3}, 1, 0) != nil {
		t.Error("a score without a label or without scores")
	}
}

func TestSheetWithoutSignals(t *testing.T) {
	s := subjectOf(t, 5)
	sheet := Prepare(s).Sheet(3)
	if len(sheet.Frames) != 31 || sheet.Frames[0].Guess.Class != "" ||
		!strings.HasSuffix(sheet.Title, "the model has no signals yet") {
		t.Errorf("title %q", sheet.Title)
	}
	if len(sheet.Confidence.Lines)+len(sheet.Signal.Lines) != 0 || sheet.Lens.Spec.Height != 6 {
		t.Errorf("lens %+v", sheet.Lens)
	}
	s.Focus.Modality = "nonsense"
	if len(Prepare(s).Sheet(3).Signal.Lines) != 0 {
		t.Error("a curve of no modality")
	}
}

func TestNothingToShow(t *testing.T) {
	good := subjectOf(t, 5)
	for name, change := range map[string]func(*pane.Subject){
		"family": func(s *pane.Subject) { s.Family = "" },
		"suite":  func(s *pane.Subject) { s.Suite.Images = 0 },
		"size": func(s *pane.Subject) {
			s.Model.Graph.Input = model.Input{}
			s.Suite.Shape = [3]int{}
		},
	} {
		s := good
		change(&s)
		p := Prepare(s)
		sheet := p.Sheet(3)
		if sheet.Reason == "" || sheet.Title != sheet.Reason || len(sheet.Frames) != 0 || p.Note(true) != "" {
			t.Errorf("no %s: %+v", name, sheet)
		}
	}
}

func TestNote(t *testing.T) {
	s := subjectOf(t, 1)
	p := Prepare(s)
	if got := p.Note(false); got != "pixels as fitted to the input (6 × 6, gray), before normalisation" {
		t.Errorf("%q", got)
	}
	if got := p.Note(true); got != "what enters the network (6 × 6, gray): (pixel − 0.519) / 0.2443, "+
		"drawn from -2.12444 (black) to 1.96889 (white)" {
		t.Errorf("%q", got)
	}
	set := *s.Set
	set.Spec.Channels, set.Spec.Preprocessing = 3, model.Preprocessing{Mean: []float64{0.5, 0.25, 0}, Std: []float64{1}}
	s.Set = &set
	if got := Prepare(s).Note(true); !strings.Contains(got,
		"color): (pixel − (0.5, 0.25, 0)) / 1, drawn from -0.5 (black) to 1 (white)") {
		t.Errorf("%q", got)
	}
	set.Spec.Preprocessing.Std = []float64{0}
	if got := Prepare(s).Note(true); !strings.Contains(got, "Std") {
		t.Errorf("%q", got)
	}
}

func TestNext(t *testing.T) {
	s := subjectOf(t, 3)
	p := Prepare(s)
	var wrong, changing []int
	for k := range sample.Images {
		if p.guesses.Verdict(15, k) == picture.Wrong {
			wrong = append(wrong, k)
		}
		if p.guesses.Changes(k, 0, 30) {
			changing = append(changing, k)
		}
	}
	if len(wrong) < 2 || len(changing) < 2 {
		t.Fatalf("wrong %v, changing %v", wrong, changing)
	}
	for name, tt := range map[string]struct {
		from, by int
		want     Want
		class    int
		image    int
		ok       bool
	}{
		"forward":             {3, 1, AnyImage, -1, 4, true},
		"back":                {3, -1, AnyImage, -1, 2, true},
		"round the end":       {59, 1, AnyImage, -1, 0, true},
		"round the beginning": {0, -1, AnyImage, -1, 59, true},
		"of a class":          {3, 1, AnyImage, 2, 40, true},
		"back in a class":     {40, -1, AnyImage, 2, 59, true},
		"wrong":               {wrong[0], 1, WrongImage, -1, wrong[1], true},
		"wrong, the last":     {wrong[len(wrong)-1], 1, WrongImage, -1, wrong[0], true},
		"changing":            {changing[0], 1, ChangingImage, -1, changing[1], true},
		"no such class":       {7, 1, AnyImage, 9, 7, false},
	} {
		if image, ok := p.Next(tt.from, tt.by, tt.want, tt.class); image != tt.image || ok != tt.ok {
			t.Errorf("%s: %d, %v, want %d, %v", name, image, ok, tt.image, tt.ok)
		}
	}
	if _, ok := Prepare(pane.Subject{}).Next(0, 1, AnyImage, -1); ok {
		t.Error("a next image of none")
	}
}
