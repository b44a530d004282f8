package variance

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// Which says whether the model's prediction under the identity decides if an image counts.
type Which int

// The choices of spec/variance.md section 5.
const (
	All     Which = iota
	Correct       // prediction under the identity equals the label
	Wrong         // it does not
)

var whichNames = []string{"all", "correct", "wrong"}

// String is the spec's word.
func (w Which) String() string {
	if w < 0 || int(w) >= len(whichNames) {
		return fmt.Sprintf("which %d", int(w))
	}
	return whichNames[w]
}

// AnyClass is the Class of a choice that is not limited to one.
const AnyClass = -1

// ErrNoLabels says that a choice needs labels which the suite does not have.
var ErrNoLabels = errors.New("the suite has no labels; only all images can be chosen")

// Images chooses the images that count. The parts combine by intersection. Use AllImages as the
// starting point: the zero value is not a valid choice, since its share is 0.
type Images struct {
	Which    Which
	Class    int     // label in the suite's numbering, AnyClass for any
	Share    float64 // 0 < r <= 1
	Seed     uint64  // of the share
	Excluded []int   // images left out, in any order
}

// AllImages is the default choice.
func AllImages() Images { return Images{Class: AnyClass, Share: 1, Seed: 1} }

// Choose returns the chosen images in ascending order. labels has one entry per image of the suite,
// -1 without label; it may be nil where no label is needed, the number of images is then that of
// predictedIdentity. predictedIdentity are the predictions under the identity in the model's
// numbering, needed for correct and wrong only; classes maps a label to the model's class as in
// Accuracy. An image without label is neither correct nor wrong.
//
// A share below 1 draws floor(r m) images without replacement from all m images of the suite,
// before any other condition, so the same seed gives the same images for every model, position and
// modality (spec/variance.md section 5); r counts as the decimal number that it is written as.
//
// Errors: ErrNoImages, ErrNoLabels.
func (f Images) Choose(labels []int, predictedIdentity []int32, classes []int) ([]int, error) {
	total := len(labels)
	if labels == nil {
		total = len(predictedIdentity)
	}
	if err := f.check(labels, predictedIdentity, total); err != nil {
		return nil, err
	}
	excluded := make(map[int]bool, len(f.Excluded))
	for _, k := range f.Excluded {
		excluded[k] = true
	}
	var chosen []int
	for _, k := range f.draw(total) {
		if !excluded[k] && f.takes(k, labels, predictedIdentity, classes) {
			chosen = append(chosen, k)
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%w for %s", ErrNoImages, f)
	}
	return chosen, nil
}

func (f Images) check(labels []int, predicted []int32, total int) error {
	if !(f.Share > 0 && f.Share <= 1) {
		return fmt.Errorf("share %v of the images is not above 0 and at most 1", f.Share)
	}
	if f.Which != All && len(predicted) != total {
		return fmt.Errorf("%d predictions for %d images", len(predicted), total)
	}
	needs := f.Which != All || f.Class != AnyClass
	if needs && !slices.ContainsFunc(labels, func(label int) bool { return label >= 0 }) {
		return ErrNoLabels
	}
	return nil
}

func (f Images) takes(k int, labels []int, predicted []int32, classes []int) bool {
	if f.Class != AnyClass && labels[k] != f.Class {
		return false
	}
	if f.Which == All {
		return true
	}
	if labels[k] < 0 {
		return false
	}
	want := ClassOf(labels[k], classes)
	right := want >= 0 && int(predicted[k]) == want
	return right == (f.Which == Correct)
}

// draw returns the images of the share in ascending order: the first floor(r m) places of a
// Fisher-Yates shuffle.
func (f Images) draw(total int) []int {
	all := stats.UpTo(total)
	if f.Share == 1 {
		return all
	}
	count := ShareCount(f.Share, total)
	random := rand.New(rand.NewPCG(f.Seed, 0))
	taken := make([]bool, total) // marks are put in order faster than numbers are sorted
	for k := range count {
		other := k + random.IntN(total-k)
		all[k], all[other] = all[other], all[k]
		taken[all[k]] = true
	}
	drawn := make([]int, 0, count)
	for k, mine := range taken {
		if mine {
			drawn = append(drawn, k)
		}
	}
	return drawn
}

// ShareCount is floor(r m) with r read as decimal text: 0.29 of 100 are 29, though the float64
// product is below.
func ShareCount(share float64, total int) int {
	r, ok := new(big.Rat).SetString(result.Number.Write(share))
	if !ok {
		return int(math.Floor(share * float64(total)))
	}
	r.Mul(r, big.NewRat(int64(total), 1))
	return int(new(big.Int).Quo(r.Num(), r.Denom()).Int64())
}

// String is the canonical text, for keys and captions: "all",
// "correct;class=3;share=0.5;seed=1;excluded=4,17". Equal choices have equal texts: exclusions are
// sorted, and the seed is named only where something is drawn.
func (f Images) String() string {
	parts := []string{f.Which.String()}
	if f.Class != AnyClass {
		parts = append(parts, "class="+strconv.Itoa(f.Class))
	}
	if f.Share != 1 {
		parts = append(parts, "share="+result.Number.Write(f.Share), "seed="+strconv.FormatUint(f.Seed, 10))
	}
	if len(f.Excluded) > 0 {
		excluded := slices.Compact(slices.Sorted(slices.Values(f.Excluded)))
		texts := make([]string, len(excluded))
		for i, k := range excluded {
			texts[i] = strconv.Itoa(k)
		}
		parts = append(parts, "excluded="+strings.Join(texts, ","))
	}
	return strings.Join(parts, ";")
}

// ParseImages reads what String writes; parts may come in any order after the first.
func ParseImages(text string) (Images, error) {
	f := AllImages()
	which, rest, more := strings.Cut(strings.TrimSpace(text), ";")
	i := slices.Index(whichNames, which)
	if i < 0 {
		return Images{}, fmt.Errorf("choice of images %q must begin with all, correct or wrong", text)
	}
	f.Which = Which(i)
	seen := map[string]bool{}
	for more {
		var part string
		part, rest, more = strings.Cut(rest, ";")
		key, value, _ := strings.Cut(part, "=")
		if seen[key] {
			return Images{}, fmt.Errorf("choice of images %q has %s twice", text, key)
		}
		seen[key] = true
		if err := f.set(key, value); err != nil {
			return Images{}, fmt.Errorf("choice of images %q: %w", text, err)
		}
	}
	return f, nil
}

func (f *Images) set(key, value string) (err error) {
	switch key {
	case "class":
		f.Class, err = wholeNumber(key, value)
	case "share":
		f.Share, err = strconv.ParseFloat(value, 64)
		if err != nil || !(f.Share > 0 && f.Share <= 1) {
			err = fmt.Errorf("share %q is not a number above 0 and at most 1", value)
		}
	case "seed":
		if f.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			err = fmt.Errorf("seed %q is not a whole number", value)
		}
	case "excluded":
		for part := range strings.SplitSeq(value, ",") {
			k, err := wholeNumber("excluded image", part)
			if err != nil {
				return err
			}
			f.Excluded = append(f.Excluded, k)
		}
		slices.Sort(f.Excluded)
		f.Excluded = slices.Compact(f.Excluded)
	default:
		err = fmt.Errorf("%q is none of class, share, seed, excluded", key)
	}
	return err
}

func wholeNumber(what, text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%s %q is not a whole number from 0", what, text)
	}
	return int(n), nil
}
