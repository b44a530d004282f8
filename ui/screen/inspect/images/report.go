package images

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/widget"
)

// Report is what the extreme images of a matrix do to it (spec/variance.md section 8). It is
// immutable.
type Report struct {
	Ranking
	Distribution result.Figure
	Suspects     []int // flagged in the whole choice, or removed by the rule, by contribution
	Removed      []int // what the rule removes, in the order of removal
	Kept         int   // images left after that
	Before       widget.Picture
	After        widget.Picture // its matrix is empty where nothing is removed
	Lines        []string       // the change in words
}

// Examine finds the extreme images of the matrix in focus, and the matrix without them. It is safe
// for many goroutines.
func Examine(s pane.Subject, q Request) Report {
	q.Whole = true
	r := Report{Ranking: Rank(s, q)}
	if r.Reason != "" {
		return r
	}
	kept, removed := r.part.Clean(s.Chosen)
	r.Kept = len(kept)
	for _, e := range removed {
		r.Removed = append(r.Removed, e.Image)
	}
	gone := map[int]bool{}
	for _, k := range r.Removed {
		gone[k] = true
	}
	byPlace := make([]int, len(r.Entries))
	for x := range r.Entries {
		e := &r.Entries[x]
		e.Flagged = e.Flagged || gone[e.Image]
		byPlace[e.Place-1] = x
	}
	for _, x := range byPlace {
		if r.Entries[x].Flagged {
			r.Suspects = append(r.Suspects, r.Entries[x].Image)
		}
	}
	before, err := r.part.Matrix(s.Chosen)
	if err != nil {
		r.Reason = present.Sentence(err)
		return r
	}
	scale, axis := s.View.Scale(r.Modality), r.axis()
	r.Before = widget.NewPicture(before, scale, axis)
	if len(removed) > 0 {
		after, err := r.part.Matrix(kept)
		if err != nil {
			r.Reason = present.Sentence(err)
			return r
		}
		r.After = widget.NewPicture(after, scale, axis)
	}
	r.Distribution = r.part.TypicalFigure(r.Modality, s.Chosen, r.Suspects)
	r.Lines = r.lines()
	return r
}

// axis is that of the sub-interval.
func (r *Report) axis() render.Axis {
	axis := r.subject.Evidence.Axis()
	axis.Values = nil
	if r.first+r.part.N() <= len(r.Values) {
		axis.Values = r.Values[r.first : r.first+r.part.N()]
	}
	return axis
}

// lines tell what the rule found and what changes without it.
func (r *Report) lines() []string {
	total := len(r.subject.Chosen)
	switch {
	case variance.FlagLimit(total) == 0:
		return []string{fmt.Sprintf("The rule for extreme images needs at least 40 images; there are %s.",
			result.Whole(total))}
	case len(r.Removed) == 0:
		largest := slices.MaxFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(a.Share, b.Share) }).Share
		return []string{fmt.Sprintf("No image is extreme: the largest contribution is %s, the rule flags from %s on.",
			shareText(largest), shareText(variance.FlagLimit(total)))}
	}
	before, after := r.Before.Matrix, r.After.Matrix
	lines := []string{
		fmt.Sprintf("Without %s (%s), %s are left:", result.Counted(len(r.Removed), "image"), named(r.Removed),
			result.Whole(r.Kept)),
		fmt.Sprintf("mean δ %s", change(before.Mean(), after.Mean())),
		fmt.Sprintf("largest δ %s", change(before.Max(), after.Max())),
	}
	if more := len(r.Suspects) - len(r.Removed); more > 0 {
		lines = append(lines, fmt.Sprintf("%s above the limit: the rule removes at most 1 %% of the images.",
			result.Counted(more, "more image")))
	}
	return lines
}

// mostNamed is how many removed images are named; the cards show all.
const mostNamed = 5

// named lists images by their numbers: "# 33, # 5, ...".
func named(images []int) string {
	texts := make([]string, 0, mostNamed+1)
	for _, k := range images[:min(len(images), mostNamed)] {
		texts = append(texts, "# "+strconv.Itoa(k))
	}
	if len(images) > mostNamed {
		texts = append(texts, "…")
	}
	return strings.Join(texts, ", ")
}

// shareText is a share of a sum with three significant digits, since most are small: "0.0251 %".
func shareText(share float64) string { return result.Significant(100*share, 3) + " %" }

// change is "0.123 before, 0.110 after (-10.6 %)".
func change(before, after float64) string {
	text := fmt.Sprintf("%s before, %s after", result.Significant(before, 3), result.Significant(after, 3))
	if before > 0 {
		text += " (" + result.Share.Say(after/before-1, 0) + ")"
	}
	return text
}
