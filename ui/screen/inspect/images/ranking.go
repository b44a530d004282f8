// Package images shows which images make a matrix what it is: those behind a cell, and the extreme
// ones behind a whole matrix, each as the pair of transformed images that differ, with what the
// model says about both.
package images

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/matrixfile"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// Order is how the images of a ranking are sorted.
type Order int

// The orders.
const (
	ByShare      Order = iota // contribution, largest first
	ByConfidence              // difference of the two confidences, largest first
	ByNumber
	WrongFirst // images with the most wrong predictions first
)

// orderNames are the menu's words.
var orderNames = []string{"share", "confidence", "number", "wrong first"}

// Entry is one image of a ranking.
type Entry struct {
	Image    int
	Place    int     // 1 for the largest contribution
	Share    float64 // of the sum of squares
	Sum      float64 // of the shares down to this place
	Flagged  bool    // extreme by the rule of spec/variance.md section 8, in the whole matrix
	Excluded bool    // left out of the matrix; Place, Share and Sum are 0
}

// Ranking are the images of a subject in an order. It is immutable.
type Ranking struct {
	Modality string
	Focus    pane.Focus // the cell, in the family's numbering; not a cell: the whole matrix
	Entries  []Entry
	Excluded int    // number of excluded images
	Reason   string // why there is nothing to rank; "" where there is
	Title    string // what is ranked and from how many images, or the reason
	Why      string // which images make it, in a sentence; "" for excluded images
	Values   []float64
	Unit     string
	element  variance.Element // without images for excluded ones
	guesses  picture.Guesses
	all      variance.Differences // over the whole family
	part     variance.Differences // over the sub-interval
	first    int                  // of the sub-interval
	subject  pane.Subject
}

// Request is what is asked about a subject.
type Request struct {
	Whole    bool // the whole matrix, wherever the focus is
	Excluded bool // the images left out, in place of those that count
	Order    Order
}

// Rank answers a question; it takes milliseconds for 10,000 images and is safe for many goroutines.
func Rank(s pane.Subject, q Request) Ranking {
	r := Ranking{Focus: s.Focus, subject: s, guesses: picture.NewGuesses(s), first: s.First}
	if r.Focus.Modality == "" && len(s.Evidence.Tiles) > 0 {
		r.Focus.Modality = s.Evidence.Tiles[0].Modality
	}
	r.Modality = r.Focus.Modality
	if family, err := transform.Parse(s.Family); err == nil {
		r.Values, r.Unit = family.Values(), family.Unit()
	}
	switch {
	case s.Set == nil && s.Evidence.State != "":
		r.Reason = s.Evidence.State
	case s.Set == nil:
		r.Reason = "no signals for this suite and family yet; run the model"
	default:
		r.Reason = r.load()
	}
	r.Excluded = len(r.excluded())
	if q.Whole {
		r.Focus.I, r.Focus.J = -1, -1
	}
	if r.Reason == "" {
		if q.Excluded {
			for _, k := range r.excluded() {
				r.Entries = append(r.Entries, Entry{Image: k, Excluded: true})
			}
		} else {
			r.rank()
		}
		switch q.Order {
		case ByNumber:
			slices.SortFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(a.Image, b.Image) })
		case ByConfidence:
			r.sortBy(r.confidenceDifference)
		case WrongFirst:
			r.sortBy(func(k int) float64 { return float64(r.wrong(k)) })
		}
	}
	r.Title = r.title()
	return r
}

func (r *Ranking) load() (reason string) {
	m, err := signal.ParseModality(r.Modality)
	if err != nil {
		return present.Sentence(err)
	}
	set := r.subject.Set
	r.all, err = variance.DifferencesOf(set, m)
	if err != nil {
		return present.Sentence(err)
	}
	last := min(r.subject.Last, set.Transformations-1)
	r.first = max(0, min(r.subject.First, last))
	r.part = r.all.Cut(r.first, last)
	if i, j := r.Focus.I, r.Focus.J; i >= set.Transformations || j >= set.Transformations {
		r.Focus = pane.Whole(r.Modality)
	}
	return ""
}

// excluded are the images left out that the set knows, ascending, each once.
func (r *Ranking) excluded() []int {
	total := r.subject.Suite.Images
	if r.subject.Set != nil {
		total = r.subject.Set.Images
	}
	list := slices.Clone(r.subject.Images.Excluded)
	slices.Sort(list)
	return slices.DeleteFunc(slices.Compact(list), func(k int) bool { return k < 0 || k >= total })
}

// rank fills the entries in the order of their contributions.
func (r *Ranking) rank() {
	chosen := r.subject.Chosen
	if len(chosen) == 0 {
		r.Reason = "no images left; choose a wider filter or include images again"
		return
	}
	whole := r.part.Whole(chosen)
	shares := whole
	if r.Focus.Cell() {
		shares = r.all.Cell(chosen, r.Focus.I, r.Focus.J)
	}
	flagged := map[int]bool{}
	for x, k := range chosen {
		if limit := variance.FlagLimit(len(chosen)); limit > 0 && whole[x] >= limit {
			flagged[k] = true
		}
	}
	sum := 0.0
	r.explain()
	r.Entries = make([]Entry, len(chosen))
	for x, share := range variance.Rank(shares, chosen) {
		sum += share.Share
		r.Entries[x] = Entry{
			Image: share.Image, Place: x + 1, Share: share.Share, Sum: min(sum, 1), Flagged: flagged[share.Image],
		}
	}
}

// sortBy sorts by a number of each image, largest first.
func (r *Ranking) sortBy(number func(k int) float64) {
	numbers := make(map[int]float64, len(r.Entries))
	for _, e := range r.Entries {
		numbers[e.Image] = number(e.Image)
	}
	slices.SortStableFunc(r.Entries, func(a, b Entry) int { return cmp.Compare(numbers[b.Image], numbers[a.Image]) })
}

// confidenceDifference is that of the cell's two confidences, of the largest and the least for the
// whole matrix.
func (r *Ranking) confidenceDifference(k int) float64 {
	if r.Focus.Cell() {
		return math.Abs(r.guesses.Confidence(r.Focus.I, k) - r.guesses.Confidence(r.Focus.J, k))
	}
	least, most := math.Inf(1), math.Inf(-1)
	for i := range r.part.N() {
		c := r.guesses.Confidence(r.first+i, k)
		least, most = min(least, c), max(most, c)
	}
	return most - least
}

// wrong counts wrong predictions, in the cell's two transformations or in all of the sub-interval.
func (r *Ranking) wrong(k int) int {
	places := []int{r.Focus.I, r.Focus.J}
	if !r.Focus.Cell() {
		places = nil
		for i := range r.part.N() {
			places = append(places, r.first+i)
		}
	}
	count := 0
	for _, i := range places {
		if r.guesses.Verdict(i, k) == picture.Wrong {
			count++
		}
	}
	return count
}

// Details is everything that a card says about an entry.
type Details struct {
	Entry
	Name    string // of the image in its suite
	Class   string // "" without label
	I, J    int    // the transformations of the pair, in the family's numbering
	V       [2]string
	Guesses [2]picture.Guess
	D       float64 // d_ij of the image
}

// Details are those of entry x. For a whole matrix the pair is the one that differs most.
func (r *Ranking) Details(x int) Details {
	e := r.Entries[x]
	d := Details{
		Entry: e, Name: r.subject.ImageName(e.Image), Class: r.guesses.Class(e.Image), I: r.Focus.I, J: r.Focus.J,
	}
	if !r.Focus.Cell() {
		d.I, d.J = r.part.Widest(e.Image)
		d.I, d.J = d.I+r.first, d.J+r.first
	}
	d.D = r.all.At(d.I, d.J, e.Image)
	for side, i := range []int{d.I, d.J} {
		d.Guesses[side] = r.guesses.Of(i, e.Image)
		d.V[side] = r.value(i)
	}
	return d
}

// value is V_i with its unit.
func (r *Ranking) value(i int) string {
	if i < 0 || i >= len(r.Values) {
		return "t" + result.Whole(i)
	}
	return result.Digits(r.Values[i], 6) + r.Unit
}

// explain says which images make the element, or the whole matrix.
func (r *Ranking) explain() {
	s, at := r.subject, [2]int{r.Focus.I, r.Focus.J}
	known := matrixfile.Known(s.Suite, s.Set, s.Mapping)
	var err error
	if r.Focus.Cell() {
		r.element, err = r.all.Explain(s.Chosen, at[0], at[1], known)
	} else {
		r.element, at, err = r.part.ExplainWhole(s.Chosen, known.Cut(r.first, r.first+r.part.N()-1))
		at = [2]int{at[0] + r.first, at[1] + r.first}
	}
	if err != nil { // one of the images has no finite signal: it can be found and left out
		r.Why = present.Sentence(err)
		return
	}
	s.Named(&r.element, r.Modality, at)
	r.Why = r.element.Sentence()
}

// title is "max@CONF between -15° and 3°: δ = 0.213 from 1,000 images".
func (r *Ranking) title() string {
	switch {
	case r.Reason != "":
		return r.Reason
	case r.element.Images > 0:
		return r.element.Title()
	}
	text := fmt.Sprintf("%s, whole matrix", r.Modality)
	if r.Focus.Cell() {
		text = fmt.Sprintf("%s between %s and %s", r.Modality, r.value(r.Focus.I), r.value(r.Focus.J))
	}
	what := "image"
	if len(r.Entries) == 0 || r.Entries[0].Excluded {
		what = "excluded image"
	}
	return text + ": " + result.Counted(len(r.Entries), what)
}
