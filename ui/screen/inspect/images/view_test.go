package images

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/uitest/panetest"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

const conf = "max@CONF"

func subjectOf(t testing.TB, model int, images variance.Images) pane.Subject {
	t.Helper()
	ws := sample.New(t, 6)
	return panetest.Subject(t, ws.Workspace, ws.Imported[model].Hash, images)
}

func numbers(entries []Entry) (list []int) {
	for _, e := range entries {
		list = append(list, e.Image)
	}
	return list
}

func TestRankingOfACell(t *testing.T) {
	s := panetest.Focused(subjectOf(t, 2, variance.AllImages()), conf, 30, 2)
	r := Rank(s, Request{})
	if len(r.Entries) != sample.Images || r.Reason != "" {
		t.Fatalf("%d entries, reason %q", len(r.Entries), r.Reason)
	}
	sum, last := 0.0, math.Inf(1)
	for x, e := range r.Entries {
		sum += e.Share
		d := r.Details(x)
		want := float64(s.Set.Confidence[30*60+e.Image]) - float64(s.Set.Confidence[2*60+e.Image])
		if e.Place != x+1 || e.Share > last || math.Abs(e.Sum-sum) > 1e-9 || d.D != want || d.I != 30 || d.J != 2 {
			t.Fatalf("entry %d is %+v, dif %v, want %v", x, e, d.D, want)
		}
		last = e.Share
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("shares sum to %v", sum)
	}
	tile := s.Evidence.Tiles[0].Matrix
	if math.Abs(r.element.Delta-tile.At(30, 2)) > 1e-9 {
		t.Errorf("δ is %v, the matrix says %v", r.element.Delta, tile.At(30, 2))
	}
	if !strings.HasPrefix(r.Title, "max@CONF between 15° and -13°: δ = ") ||
		!strings.HasSuffix(r.Title, " from 60 images") {
		t.Errorf("title %q", r.Title)
	}
	if !strings.HasPrefix(r.Why, "Half of δ² comes from ") || !strings.Contains(r.Why, " at 15° and ") {
		t.Errorf("why %q", r.Why)
	}
	d := r.Details(0)
	if d.V != [2]string{"15°", "-13°"} || d.Class != sample.Classes[d.Image/sample.PerClass] ||
		!strings.HasSuffix(d.Name, ".png") {
		t.Errorf("details %+v", d)
	}
}

func TestOrders(t *testing.T) {
	s := panetest.Focused(subjectOf(t, 3, variance.AllImages()), "mean@CONV-1", 0, 30)
	for _, whole := range []bool{false, true} {
		base := Rank(s, Request{Whole: whole})
		for order := ByShare; order <= WrongFirst; order++ {
			r := Rank(s, Request{Whole: whole, Order: order})
			images := numbers(r.Entries)
			sorted := slices.Sorted(slices.Values(images))
			if len(images) != sample.Images || sorted[0] != 0 || sorted[59] != 59 {
				t.Fatalf("order %d lost images: %v", order, images)
			}
			for x := 1; x < len(images); x++ {
				a, b := r.Entries[x-1], r.Entries[x]
				before := false
				switch order {
				case ByShare:
					before = a.Place < b.Place
				case ByNumber:
					before = a.Image < b.Image
				case ByConfidence:
					before = base.confidenceDifference(a.Image) >= base.confidenceDifference(b.Image)
				case WrongFirst:
					before = base.wrong(a.Image) > base.wrong(b.Image) || base.wrong(a.Image) == base.wrong(b.Image) &&
						a.Place < b.Place
				}
				if !before {
					t.Fatalf("whole %v, order %s: %+v before %+v", whole, orderNames[order], a, b)
				}
			}
		}
	}
}

func TestRankingOfAWholeMatrix(t *testing.T) {
	s := subjectOf(t, 2, variance.AllImages())
	s.First, s.Last = 5, 25
	r := Rank(s, Request{Whole: true})
	if r.Modality != conf || r.Focus.Cell() || !strings.Contains(r.Title, "whole matrix: 60 images") ||
		!strings.Contains(r.Why, " at 0° and ") {
		t.Fatalf("modality %q, title %q, why %q", r.Modality, r.Title, r.Why)
	}
	signals := make([][]float32, 21)
	for i := range signals {
		signals[i] = s.Set.Confidence[(5+i)*60 : (6+i)*60]
	}
	want := variance.Rank(variance.ScalarDifferences(signals).Whole(s.Chosen), s.Chosen)
	for x, e := range r.Entries {
		if e.Image != want[x].Image || math.Abs(e.Share-want[x].Share) > 1e-12 {
			t.Fatalf("place %d is %+v, want %+v", x, e, want[x])
		}
		d := r.Details(x)
		if d.I < 5 || d.I > 25 || d.J < 5 || d.J > 25 || d.I <= d.J {
			t.Fatalf("the pair %d, %d lies outside of the sub-interval", d.I, d.J)
		}
	}
}

func TestNothingToRank(t *testing.T) {
	whole := subjectOf(t, 4, variance.AllImages())
	none := subjectOf(t, 5, variance.AllImages())
	empty := subjectOf(t, 1, variance.AllImages())
	empty.Chosen = nil
	for name, tt := range map[string]struct {
		s    pane.Subject
		want string
	}{
		"no signals":      {none, "no signals"},
		"absent position": {panetest.Focused(whole, "max@CONV-2", 1, 0), "position"},
		"no modality":     {panetest.Focused(whole, "nonsense", 1, 0), "nonsense"},
		"no images":       {empty, "no images left"},
		"not loaded":      {panetest.Focused(whole, "L2@CONV-1", 1, 0), "absent"},
	} {
		r := Rank(tt.s, Request{})
		if len(r.Entries) != 0 || !strings.Contains(r.Reason, tt.want) || r.Title != r.Reason {
			t.Errorf("%s: %d entries, reason %q", name, len(r.Entries), r.Reason)
		}
		if report := Examine(tt.s, Request{}); report.Reason == "" || report.Before.Matrix.N != 0 {
			t.Errorf("%s: a report without a reason", name)
		}
	}
	far := Rank(panetest.Focused(whole, conf, 99, 0), Request{})
	if far.Focus.Cell() || len(far.Entries) != sample.Images {
		t.Errorf("a cell outside of the matrix: %+v", far.Focus)
	}
}

func TestReportOfExtremes(t *testing.T) {
	s := subjectOf(t, 0, variance.AllImages())
	s = panetest.WithSignal(s, conf, 4, 17, 9)
	s.View = evidence.View{Preset: evidence.Own, Own: label.Range{High: 0.2}, Map: "gray"}
	r := Examine(s, Request{Order: ByNumber})
	if !slices.Equal(r.Removed, []int{17}) || !slices.Equal(r.Suspects, []int{17}) || r.Kept != 59 {
		t.Fatalf("removed %v, suspects %v, kept %d", r.Removed, r.Suspects, r.Kept)
	}
	if r.Before.Scale != r.After.Scale || r.Before.Scale.High != 0.2 ||
		!(r.After.Matrix.Max() < r.Before.Matrix.Max()/5) {
		t.Errorf("before %v, after %v", r.Before.Matrix.Max(), r.After.Matrix.Max())
	}
	d, counts, last := r.Distribution, map[int]float64{}, 0.0 // by group
	for _, b := range d.Boxes {
		if b.Y1 > result.LogCount(0) {
			counts[b.Group] += math.Round(math.Pow(10, b.Y1))
		}
		last = max(last, b.X1)
	}
	if counts[0] != 60 || counts[1] != 1 || len(d.Rules) != 1 || !(d.Rules[0].X > 0 && d.Rules[0].X < last) ||
		d.Check() != nil {
		t.Errorf("distribution of %v, limit %v of %v", counts, d.Rules, last)
	}
	if len(r.Lines) != 3 || !strings.HasPrefix(r.Lines[0], "Without 1 image (# 17), 59 are left") ||
		!strings.Contains(r.Lines[2], " after (-") {
		t.Errorf("lines %q", r.Lines)
	}
	for _, e := range r.Entries {
		if e.Flagged != (e.Image == 17) {
			t.Errorf("entry %+v", e)
		}
	}
}

func TestReportWithoutExtremes(t *testing.T) {
	s := subjectOf(t, 2, variance.AllImages())
	s.First, s.Last = 10, 20
	r := Examine(s, Request{})
	if len(r.Removed) != 0 || r.After.Matrix.N != 0 || r.Before.Matrix.N != 11 || len(r.Before.Axis.Values) != 11 {
		t.Errorf("removed %v, matrix of %d", r.Removed, r.Before.Matrix.N)
	}
	if len(r.Lines) != 1 || !strings.HasPrefix(r.Lines[0], "No image is extreme") ||
		!strings.Contains(r.Lines[0], "flags from 33.3 % on") {
		t.Errorf("lines %q", r.Lines)
	}
	few := s
	few.Chosen = s.Chosen[:30]
	if r := Examine(few, Request{}); !strings.Contains(r.Lines[0], "at least 40") || len(r.Distribution.Rules) > 0 {
		t.Errorf("lines %q, rules %v", r.Lines, r.Distribution.Rules)
	}
}

// TestRankingOfAVectorModality: distances rank as signals do, by their squares.
func TestRankingOfAVectorModality(t *testing.T) {
	s := panetest.Focused(subjectOf(t, 2, variance.AllImages()), "L1@CONF", 3, 30)
	set := *s.Set
	set.Spec.Vectors = []string{"L1@CONF"}
	set.PairDistances = [][]float32{make([]float32, signal.Pairs(31)*60)}
	for i := range 31 {
		for j := range i {
			for k := range 60 {
				set.PairDistances[0][signal.Pair(i, j)*60+k] = float32(math.Abs(float64(set.Confidence[i*60+
					k] - set.Confidence[j*60+k])))
			}
		}
	}
	s.Set = &set
	for _, whole := range []bool{false, true} {
		got := Rank(s, Request{Whole: whole})
		want := Rank(panetest.Focused(s, conf, 3, 30), Request{Whole: whole})
		if got.Reason != "" || len(got.Entries) != len(want.Entries) {
			t.Fatalf("%d entries, reason %q", len(got.Entries), got.Reason)
		}
		for x := range want.Entries {
			if math.Abs(got.Entries[x].Share-want.Entries[x].Share) > 1e-6 {
				t.Errorf("whole %v: place %d has share %v, want %v",
					whole, x, got.Entries[x].Share, want.Entries[x].Share)
			}
		}
		if d := got.Details(0); d.D < 0 {
			t.Errorf("a distance below 0: %v", d.D)
		}
	}
	if r := Examine(s, Request{}); r.Reason != "" || r.Before.Matrix.N != 31 {
		t.Errorf("reason %q", r.Reason)
	}
}

func TestGuesses(t *testing.T) {
	s := subjectOf(t, 3, variance.AllImages())
	g := picture.NewGuesses(s)
	right, wrong := 0, 0
	for k := range sample.Images {
		switch g.Verdict(15, k) {
		case picture.Right:
			right++
		case picture.Wrong:
			wrong++
		}
	}
	if right == 0 || wrong == 0 || math.Abs(float64(right)/60-s.Evidence.Accuracy[15]) > 1e-9 {
		t.Errorf("%d right, %d wrong, accuracy %v", right, wrong, s.Evidence.Accuracy[15])
	}
	if got := g.Of(15, 3); got.Class != sample.Classes[1] || got.Verdict != picture.Wrong ||
		!strings.HasSuffix(got.Text(), " % ✗") {
		t.Errorf("image 3 is guessed as %+v", got)
	}
	if g.Of(99, 3).Class != "" || g.Class(99) != "" || g.Of(99, 3).Text() != "no prediction" {
		t.Error("a guess about nothing")
	}
	s.Mapping = []int{2, 0, -1}
	g = picture.NewGuesses(s)
	if g.Verdict(15, 50) != picture.Wrong {
		t.Error("a class that the model does not have was predicted rightly")
	}
	changes := false
	for k := range sample.Images {
		changes = changes || g.Changes(k, 0, 30)
		if g.Changes(k, 4, 4) {
			t.Error("one transformation changes nothing")
		}
	}
	if !changes {
		t.Error("no prediction changes")
	}
}
