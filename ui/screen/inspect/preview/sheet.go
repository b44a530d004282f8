// Package preview shows an image of the suite under the whole family as the model sees it, with
// what the model says about each transformation.
package preview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// Sheet is everything that is said about one image. It is immutable.
type Sheet struct {
	Image    int
	Total    int // images of the suite
	Frames   []Frame
	Identity int // index of the identity's frame
	Title    string
	Excluded bool
	Reason   string // why there is nothing to show; "" where there is
	// Confidence and Signal are what the model says and feels over V.
	Confidence, Signal result.Figure
	Lens               picture.Lens
}

// Frame is the image under one transformation.
type Frame struct {
	V        string // value with unit
	Identity bool
	Inside   bool // the sub-interval that the matrices show
	Guess    picture.Guess
}

// Prepared is what all sheets of a subject share: it is made once per subject.
type Prepared struct {
	subject pane.Subject
	family  transform.Family
	values  []float64
	guesses picture.Guesses
	lens    picture.Lens
	reason  string
}

// Prepare makes a subject ready; it takes no time worth mentioning.
func Prepare(s pane.Subject) Prepared {
	p := Prepared{subject: s, guesses: picture.NewGuesses(s)}
	family, err := transform.Parse(s.Family)
	if err != nil {
		p.reason = evidence.Choose(s.Suite.Hash, s.Family)
		return p
	}
	p.family, p.values = family, family.Values()
	var spec signal.Spec
	if s.Set != nil {
		spec = s.Set.Spec
	} else if spec, err = engine.ViewSpec(s.Model, s.Suite, s.Family); err != nil {
		p.reason = present.Sentence(err)
		return p
	}
	if s.Suite.Images == 0 {
		p.reason = evidence.Choose(s.Suite.Hash, s.Family)
	}
	p.lens = picture.Lens{Suite: s.Suite.Hash, Root: s.Suite.Root, Spec: spec}
	return p
}

// Sheet describes an image; numbers outside of the suite take the nearest one inside.
func (p Prepared) Sheet(image int) Sheet {
	s := Sheet{Reason: p.reason, Total: p.subject.Suite.Images, Lens: p.lens, Identity: p.family.Identity()}
	if p.reason != "" {
		s.Title = p.reason
		return s
	}
	s.Image = max(0, min(image, s.Total-1))
	s.Excluded = slices.Contains(p.subject.Images.Excluded, s.Image)
	right, judged := 0, 0
	for i, v := range p.values {
		f := Frame{
			V: result.Digits(v, 6) + p.family.Unit(), Identity: i == s.Identity,
			Inside: i >= p.subject.First && i <= p.subject.Last, Guess: p.guesses.Of(i, s.Image),
		}
		s.Frames = append(s.Frames, f)
		switch f.Guess.Verdict {
		case picture.Right:
			right, judged = right+1, judged+1
		case picture.Wrong:
			judged++
		}
	}
	s.Title = p.title(s, right, judged)
	s.Confidence, s.Signal = p.confidence(s.Image), p.signal(s.Image)
	return s
}

// title is "bird/03.png, class bird: right under 28 of 31 transformations".
func (p Prepared) title(s Sheet, right, judged int) string {
	text := p.subject.ImageName(s.Image)
	if class := p.guesses.Class(s.Image); class != "" {
		text = fmt.Sprintf("%s, class %s", text, class)
	}
	switch {
	case p.subject.Set == nil:
		text = fmt.Sprintf("%s: no predictions, the model has no signals yet", text)
	case judged > 0:
		text = fmt.Sprintf("%s: right under %d of %d transformations", text, right, judged)
	}
	if s.Excluded {
		text = fmt.Sprintf("%s; excluded from the matrices", text)
	}
	return text
}

// confidence are the confidence of the prediction, and the score of the label where the whole
// softmax is there, over V.
func (p Prepared) confidence(image int) result.Figure {
	f := p.figure(image, result.Axis{Name: "confidence", Format: result.Share, High: 1}, "no predictions")
	set := p.subject.Set
	if set == nil || set.Confidence == nil {
		return f
	}
	line := result.Line{Name: "prediction", X: p.values}
	for i := range p.values {
		line.Y = append(line.Y, p.guesses.Confidence(i, image))
	}
	f.Lines = append(f.Lines, line)
	if score := labelScore(set, image, p.guesses.Wanted(image)); score != nil {
		f.Lines = append(f.Lines, result.Line{Name: "label", X: p.values, Y: score})
	}
	return f
}

// figure begins a figure over V about an image.
func (p Prepared) figure(image int, y result.Axis, empty string) result.Figure {
	return result.Figure{
		Title: fmt.Sprintf("%s of image %d under %s", y.Name, image, p.subject.Model.ID), Empty: empty, Y: y,
		X: result.Axis{Name: p.family.Name(), Unit: p.family.Unit(), Ticks: p.values},
	}
}

// labelScore are an image's scores of its label's class over V, nil where the set was read without
// them.
func labelScore(set *signal.Set, image, class int) (score []float64) {
	if class < 0 {
		return nil
	}
	for i := range set.Transformations {
		switch {
		case set.Softmax != nil:
			score = append(score, float64(set.Softmax[(i*set.Images+image)*set.Classes+class]))
		case set.TrueScore != nil:
			score = append(score, float64(set.TrueScore[i*set.Images+image]))
		}
	}
	return score
}

// signal is the image's signal of the modality in focus over V: what the matrix is made of.
func (p Prepared) signal(image int) result.Figure {
	name := p.subject.Focus.Modality
	if name == "" && len(p.subject.Evidence.Tiles) > 0 {
		name = p.subject.Evidence.Tiles[0].Modality
	}
	f := p.figure(image, result.Axis{Name: name}, fmt.Sprintf("no signals of %s", name))
	m, err := signal.ParseModality(name)
	if err != nil || p.subject.Set == nil {
		return f
	}
	rows, err := p.subject.Set.Signals(m)
	if err != nil {
		return f
	}
	line := result.Line{X: p.values}
	for i := range p.values {
		line.Y = append(line.Y, float64(rows[i][image]))
	}
	f.Lines = []result.Line{line}
	return f
}

// Note says what the pictures show: pixels, or the numbers that enter the network and how they are
// drawn.
func (p Prepared) Note(normalised bool) string {
	if p.reason != "" {
		return ""
	}
	s := p.lens.Spec
	size := fmt.Sprintf("%d × %d, %s", s.Width, s.Height,
		map[bool]string{true: "gray", false: "color"}[s.Channels == 1])
	if !normalised {
		return fmt.Sprintf("pixels as fitted to the input (%s), before normalisation", size)
	}
	view, err := engine.NewView(s)
	if err != nil {
		return present.Sentence(err)
	}
	low, high := view.Span()
	if s.Preprocessing.Recipe != "" {
		size += ", after " + s.Preprocessing.Recipe
	}
	return fmt.Sprintf("what enters the network (%s): (pixel − %s) / %s, drawn from %s (black) to %s (white)",
		size, list(s.Preprocessing.Mean), list(s.Preprocessing.Std), result.Digits(float64(low), 6),
		result.Digits(float64(high), 6))
}

// list writes numbers per channel: "0.5" or "(0.49, 0.48, 0.45)".
func list(numbers []float64) string {
	texts := make([]string, len(numbers))
	for k, v := range numbers {
		texts[k] = result.Digits(v, 6)
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// Want is which images the keys and buttons stop at.
type Want int

// The wants.
const (
	AnyImage Want = iota
	WrongImage
	ChangingImage
)

// Next is the image after another one (by 1), or before it (by -1), among those of a class (-1:
// any) that are wanted; it goes round at the ends. ok is false where there is none.
func (p Prepared) Next(from, by int, want Want, class int) (image int, ok bool) {
	total := p.subject.Suite.Images
	image = from
	for range total {
		image = (image + by + total) % total
		if p.wanted(image, want, class) {
			return image, true
		}
	}
	return from, false
}

// Any is the image that stands at a share (0 <= share < 1) of those of a class.
func (p Prepared) Any(share float64, class int) (image int, ok bool) {
	var all []int
	for k := range p.subject.Suite.Images {
		if p.wanted(k, AnyImage, class) {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	return all[min(len(all)-1, int(share*float64(len(all))))], true
}

func (p Prepared) wanted(k int, want Want, class int) bool {
	if class >= 0 && p.guesses.Label(k) != class {
		return false
	}
	switch want {
	case WrongImage:
		return p.guesses.Verdict(p.family.Identity(), k) == picture.Wrong
	case ChangingImage:
		return p.guesses.Changes(k, p.subject.First, p.subject.Last)
	}
	return true
}
