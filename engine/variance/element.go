package variance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
)

// Known is what is known of the images of a suite beside their signals.
type Known struct {
	Labels      []int     // of each image, -1 for none; nil where the suite has none
	Classes     []int     // maps a label to the model's class as in Accuracy
	Names       []string  // of the labels
	Files       []string  // of the images; nil for images of one data file
	Predictions [][]int32 // a row per transformation, in the model's numbering
}

// right tells whether image k is predicted right under a transformation; known is false without a
// label.
func (n Known) right(transformation, k int) (right, known bool) {
	if n.label(k) < 0 || transformation >= len(n.Predictions) {
		return false, false
	}
	want := ClassOf(n.Labels[k], n.Classes)
	return want >= 0 && int(n.Predictions[transformation][k]) == want, true
}

func (n Known) label(k int) int {
	if k >= len(n.Labels) {
		return -1
	}
	return n.Labels[k]
}

// class is the name of a label, its number where it has none, "" for no label.
func (n Known) class(label int) string {
	switch {
	case label < 0:
		return ""
	case label < len(n.Names):
		return n.Names[label]
	}
	return strconv.Itoa(label)
}

// Cut is what is known for the transformations first..last alone, both included.
func (n Known) Cut(first, last int) Known {
	if last < len(n.Predictions) {
		n.Predictions = n.Predictions[first : last+1]
	}
	return n
}

// Pair is an image under the two transformations of an element: a row of Pairs.
type Pair struct {
	Model, Modality string
	V               [2]float64
	Image           int
	File, Class     string     // "" where they are not known
	Signals         [2]float64 // NaN for a vector modality
	Difference      float64    // d_ij of the image; of a vector modality it has no sign
	Share, Sum      float64    // of the sum of squares: the image's, and that of all images down to it
	Right           [2]float64 // 1 where the prediction is the image's class, 0 for another, NaN without label
}

// Group is how many of the images that make half of an element are of a class.
type Group struct {
	Class string
	// Half are those among the images that make half, Images all that count.
	Half, Images int
}

// Element is what makes an element of a matrix, or a whole matrix, what it is: a row of Explained.
type Element struct {
	Model, Modality string
	V               [2]float64 // sampling values; of a whole matrix the identity's, and that of the least accuracy
	Unit            string     // of V
	Whole, Diagonal bool       // it is about the whole matrix, or about a transformation beside itself
	Delta           float64    // the element; NaN for a whole matrix
	Low, High       float64    // its interval of 95 % over Resamples of the images; NaN for none
	Resamples       int
	Images          int // that count
	// Half is the least number of images whose squared differences make half of the sum over all
	// images, 0 where all are 0. If all images differed alike it were half of them.
	Half   int
	Groups []Group // of the images of Half, most of them first; nil where the images are of one class or none
	// Accuracy is the share of right predictions under both transformations among the images with a
	// label, NaN without any. Alone are the images that are right under one of both only, HalfAlone
	// those of them among the images of Half.
	Accuracy         [2]float64
	Alone, HalfAlone [2]int
	Pairs            []Pair // largest share first; nil for a whole matrix
}

// Explain tells which of the images (ascending) make the element between transformations i and j:
// each image's share is d_ij(k)^2 / sum of d_ij(k')^2. The error is a *NotFiniteError, or
// ErrNoImages. Model, Modality, V, Unit and the interval are the caller's to fill in with Name.
func (d Differences) Explain(images []int, i, j int, known Known) (Element, error) {
	for _, k := range images {
		if v := d.At(i, j, k); v-v != 0 {
			return Element{}, d.notFinite(i, j, k)
		}
	}
	e, ranked, err := explain(images, d.Cell(images, i, j), [2]int{i, j}, known)
	if err != nil {
		return e, err
	}
	e.Diagonal = i == j
	squares, sum := 0.0, 0.0
	for _, share := range ranked {
		p := Pair{
			Image: share.Image, Class: known.class(known.label(share.Image)), Share: share.Share,
			Signals: [2]float64{math.NaN(), math.NaN()}, Difference: d.At(i, j, share.Image),
		}
		sum += share.Share
		squares += float64(p.Difference * p.Difference)
		p.Sum = min(sum, 1)
		for side, t := range []int{i, j} {
			if p.Right[side] = math.NaN(); d.signals != nil {
				p.Signals[side] = float64(d.signals[t][share.Image])
			}
			if right, is := known.right(t, share.Image); is {
				p.Right[side] = 0
				if right {
					p.Right[side] = 1
				}
			}
		}
		if share.Image < len(known.Files) {
			p.File = known.Files[share.Image]
		}
		e.Pairs = append(e.Pairs, p)
	}
	e.Delta = math.Sqrt(squares / float64(len(images)))
	return e, nil
}

// ElementOf explains an element of a modality's matrix from a set of signals, with its interval
// over the resamples, where there are enough images for one. The errors are those of DifferencesOf
// and Explain.
func ElementOf(
	ctx context.Context, set *signal.Set, m signal.Modality, images []int, at [2]int, known Known, b Bootstrap,
) (Element, error) {
	d, err := DifferencesOf(set, m)
	if err != nil {
		return Element{}, err
	}
	e, err := d.Explain(images, at[0], at[1], known)
	if err != nil || e.Diagonal || b.Resamples == 0 {
		return e, err
	}
	band, err := d.Pair(max(at[0], at[1]), min(at[0], at[1])).Band(ctx, images, b, nil)
	switch {
	case errors.Is(err, ErrFewImages):
		return e, nil
	case err != nil:
		return e, err
	}
	e.Low, e.High, e.Resamples = band.Low.At(1, 0), band.High.At(1, 0), b.Resamples
	return e, nil
}

// notFinite is the error about image k between two transformations.
func (d Differences) notFinite(i, j, k int) error {
	if d.signals == nil {
		return &NotFiniteError{Transformation: -1, Image: k, Value: d.At(i, j, k)}
	}
	if v := float64(d.signals[i][k]); v-v != 0 {
		j = i
	}
	return &NotFiniteError{Transformation: j, Image: k, Value: float64(d.signals[j][k])}
}

// ExplainWhole tells the same of the whole matrix, by the shares of Whole. The transformations
// whose accuracies it has are the middle one, which is the identity, and that of the least
// accuracy.
func (d Differences) ExplainWhole(images []int, known Known) (e Element, at [2]int, err error) {
	shares := d.Whole(images)
	if !slices.ContainsFunc(shares, func(s float64) bool { return s > 0 }) { // zero, or something is not finite
		if _, err := d.Matrix(images); err != nil {
			return e, at, err
		}
	}
	at = [2]int{(d.n - 1) / 2, (d.n - 1) / 2}
	if known.Labels != nil && len(known.Predictions) == d.n {
		accuracy, _ := Accuracy(known.Predictions, known.Labels, known.Classes, images)
		for t, a := range accuracy {
			if a < accuracy[at[1]] {
				at[1] = t
			}
		}
	}
	e, _, err = explain(images, shares, at, known)
	e.Whole, e.Delta = true, math.NaN()
	return e, at, err
}

// explain is what elements and whole matrices have in common; shares[x] belongs to images[x].
func explain(images []int, shares []float64, at [2]int, known Known) (e Element, ranked []Share, err error) {
	if len(images) == 0 {
		return e, nil, ErrNoImages
	}
	e = Element{Images: len(images), Low: math.NaN(), High: math.NaN(), Accuracy: [2]float64{math.NaN(), math.NaN()}}
	ranked = Rank(shares, images)
	e.Half = half(ranked)
	labelled, right := 0, [2]int{}
	groups := map[int]*Group{}
	for x, share := range ranked {
		k := share.Image
		label := known.label(k)
		if groups[label] == nil {
			groups[label] = &Group{Class: known.class(label)}
		}
		groups[label].Images++
		if x < e.Half {
			groups[label].Half++
		}
		first, is := known.right(at[0], k)
		second, _ := known.right(at[1], k)
		if !is {
			continue
		}
		labelled++
		for side, yes := range []bool{first, second} {
			if !yes {
				continue
			}
			right[side]++
			if first != second {
				e.Alone[side]++
				if x < e.Half {
					e.HalfAlone[side]++
				}
			}
		}
	}
	if labelled > 0 {
		e.Accuracy = [2]float64{float64(right[0]) / float64(labelled), float64(right[1]) / float64(labelled)}
	}
	if len(groups) > 1 {
		for label, g := range groups {
			if g.Half > 0 && label >= 0 {
				e.Groups = append(e.Groups, *g)
			}
		}
		slices.SortFunc(e.Groups, func(a, b Group) int {
			return cmp.Or(cmp.Compare(b.Half, a.Half), cmp.Compare(a.Class, b.Class))
		})
	}
	return e, ranked, nil
}

// half is how many of ranked shares make half of their sum; 0 where all are 0.
func half(ranked []Share) int {
	const rounding = 1e-9 // shares that are equal may sum to a little less
	sum := 0.0
	for x, share := range ranked {
		if sum += share.Share; sum >= 0.5-rounding {
			return x + 1
		}
	}
	return 0
}

// Name says of an element what it is of.
func (e *Element) Name(model, modality string, v [2]float64, unit string) {
	e.Model, e.Modality, e.V, e.Unit = model, modality, v, unit
	for x := range e.Pairs {
		e.Pairs[x].Model, e.Pairs[x].Modality, e.Pairs[x].V = model, modality, v
	}
}

// At is a sampling value with its unit: side 0 is V_i, 1 is V_j.
func (e Element) At(side int) string { return result.Digits(e.V[side], 6) + e.Unit }

// Title says which element it is, and how large.
func (e Element) Title() string {
	from := result.Counted(e.Images, "image")
	if e.Whole {
		return fmt.Sprintf("%s, whole matrix: %s", e.Modality, from)
	}
	text := fmt.Sprintf("%s between %s and %s: δ = %s from %s",
		e.Modality, e.At(0), e.At(1), result.Significant(e.Delta, 3), from)
	if e.Resamples > 0 {
		text = fmt.Sprintf("%s, 95 %% of %s between %s and %s", text, result.Counted(e.Resamples, "resample"),
			result.Significant(e.Low, 3), result.Significant(e.High, 3))
	}
	return text
}

// Sentence says which images make the element, of which classes they are, and where accuracy goes.
// It warns where there are too few images to tell.
func (e Element) Sentence() string {
	what := "δ²"
	if e.Whole {
		what = "the squared matrix"
	}
	switch {
	case e.Diagonal:
		return fmt.Sprintf("The element compares %s with itself: it is 0 for every model.", e.At(0))
	case e.Half == 0 && e.Whole:
		return fmt.Sprintf("%s the same signal under all transformations.", e.each())
	case e.Half == 0:
		return fmt.Sprintf("%s the same signal at %s and at %s.", e.each(), e.At(0), e.At(1))
	}
	share := float64(e.Half) / float64(e.Images)
	text := fmt.Sprintf("Half of %s comes from %s of %s (%s; half of the images if all differed alike)",
		what, result.Whole(e.Half), result.Counted(e.Images, "image"), result.Share.Say(share, 0))
	if e.Images < LeastImages {
		text = fmt.Sprintf("%s, too few to tell", text)
	}
	if groups := e.groups(); groups != "" {
		text += ": " + groups
	}
	return text + "." + e.accuracy()
}

func (e Element) each() string {
	if e.Images == 1 {
		return "The one image has"
	}
	return fmt.Sprintf("All %s images have", result.Whole(e.Images))
}

// groups names the classes of most of the images of Half.
func (e Element) groups() string {
	const most = 3
	var parts []string
	rest := e.Half
	for _, g := range e.Groups[:min(len(e.Groups), most)] {
		parts = append(parts, fmt.Sprintf("%s of the %s of %s", result.Whole(g.Half), result.Whole(g.Images), g.Class))
		rest -= g.Half
	}
	if len(parts) > 0 && rest > 0 {
		parts = append(parts, result.Whole(rest)+" of others")
	}
	return strings.Join(parts, ", ")
}

// accuracy says how accurate the model is under both transformations, and which images make the
// difference.
func (e Element) accuracy() string {
	if math.IsNaN(e.Accuracy[0]) || math.IsNaN(e.Accuracy[1]) {
		return ""
	}
	text := fmt.Sprintf(" Accuracy is %s at %s and %s at %s", result.Share.Say(e.Accuracy[0], 0), e.At(0),
		result.Share.Say(e.Accuracy[1], 0), e.At(1))
	switch {
	case e.Whole && e.V[0] == e.V[1]:
		return fmt.Sprintf(" Accuracy is %s at %s and nowhere less.", result.Share.Say(e.Accuracy[0], 0), e.At(0))
	case e.Whole:
		text += ", where it is least"
	}
	if e.Alone == [2]int{} {
		return fmt.Sprintf("%s, with the same images right.", text)
	}
	return fmt.Sprintf("%s: %s right only at %s and %s only at %s; of those that make half, %s and %s.", text,
		result.Counted(e.Alone[0], "image"), e.At(0), result.Whole(e.Alone[1]), e.At(1),
		result.Whole(e.HalfAlone[0]), result.Whole(e.HalfAlone[1]))
}

// Histogram is how the differences of the images are distributed, with the element to both sides of
// 0.
func (e Element) Histogram() result.Figure {
	f := result.Figure{
		Title: fmt.Sprintf("Differences of %s between %s and %s", e.Modality, e.At(0), e.At(1)),
		X:     result.Axis{Name: "difference, " + e.Modality, Format: result.Number},
		Y:     result.Axis{Name: "images", Format: result.Count}, Empty: "no image differs",
		Groups: []result.Group{{Name: "images", Look: result.Category(0)}},
	}
	low, high := 0.0, 0.0
	for _, p := range e.Pairs {
		low, high = min(low, p.Difference), max(high, p.Difference)
	}
	if low == high {
		return f
	}
	const fewest, most = 12, 48
	bins := min(most, max(fewest, len(e.Pairs)/4))
	counts := make([]int, bins)
	for _, p := range e.Pairs {
		counts[min(bins-1, int((p.Difference-low)/(high-low)*float64(bins)))]++
	}
	f.Boxes = result.Stacked(result.Edges(low, high, bins), [][]int{counts})
	for _, at := range []float64{-e.Delta, e.Delta} {
		if at >= low && at <= high {
			f.Rules = append(f.Rules, result.Rule{Name: "δ", X: at})
		}
	}
	return f
}

// group is that of an image in the figure of signals: 1 where its prediction is right under one of
// both transformations only.
func (p Pair) group() int {
	if math.Abs(p.Right[0]-p.Right[1]) == 1 {
		return 1
	}
	return 0
}

// Scatter has the signal of each image under V_j over that under V_i; on the line the image does
// not differ. A point has the ID of its row in Pairs. A vector modality has no signals to show.
func (e Element) Scatter() result.Figure {
	axis := func(side int) result.Axis {
		return result.Axis{Name: "at " + e.At(side), Format: result.Number}
	}
	f := result.Figure{
		Title: fmt.Sprintf("Signals of %s at %s and %s", e.Modality, e.At(0), e.At(1)), X: axis(0), Y: axis(1),
		Groups: []result.Group{
			{Name: "same verdict", Look: result.Category(0)}, {Name: "right at one only", Look: result.LookVariant},
		},
		Empty: fmt.Sprintf("%s compares whole tensors: an image has a distance and no signals", e.Modality),
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range e.Pairs {
		if math.IsNaN(p.Signals[0]) {
			return f
		}
		name := "image " + strconv.Itoa(p.Image)
		if p.Class != "" {
			name += ", " + p.Class
		}
		f.Points = append(f.Points, result.Point{
			Name: name, ID: Pairs.ID(p), X: p.Signals[0], Y: p.Signals[1], Group: p.group(),
		})
		low, high = min(low, p.Signals[0], p.Signals[1]), max(high, p.Signals[0], p.Signals[1])
	}
	f.Trends = []result.Trend{{X: []float64{low, high}, Y: []float64{low, high}}}
	return f
}
