package ratings

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/result"
)

// Options say how the words of a table of ratings are read, as the commands take them.
type Options struct {
	Map []string `help:"Of a table of ratings: words and the labels that they stand for, such as ok=invariant,bad=variant (WORD= is no label), or a CSV file with a word and a label in a row." placeholder:"WORD=LABEL" label:"Words"`
}

// Coded are the ratings of a table as numbers of classes.
type Coded struct {
	Classes []string // in their order
	Ours    bool     // the classes are label.Words
	Ordered bool     // their order means something
	Ratings [][]int  // raters x items; label.Missing for none
	Taken   string   // which words were taken for what
}

// Values are the labels of ratings in our classes, raters x items, "" for none.
func (c Coded) Values() [][]label.Value {
	all := make([][]label.Value, len(c.Ratings))
	for r, row := range c.Ratings {
		all[r] = make([]label.Value, len(row))
		for i, class := range row {
			if class != label.Missing {
				all[r][i] = label.Value(c.Classes[class])
			}
		}
	}
	return all
}

// Code finds out what the words of a table stand for, in this order: what the options say;
// invariant, borderline and variant, or beginnings of them (i, inv); 0, 1 and 2 in this order, 0
// and 1 (or FALSE and TRUE) for invariant and variant where there are two classes. Classes is 2 or
// 3, or 0 for as many as the words show: then 1 and 2 without a 0 are words like all others. Other
// words are classes of their own, in the order of numbers, else by their bytes; ordered are
// consecutive whole numbers. An error names the words.
func (o Options) Code(t Table, classes int) (Coded, error) {
	change, err := o.changes()
	if err != nil {
		return Coded{}, err
	}
	words, places := []string{}, map[string]int{} // by their small letters
	var said []string
	ratings := make([][]int, len(t.Words))
	for r, row := range t.Words {
		ratings[r] = make([]int, len(row))
		for i, word := range row {
			key := strings.ToLower(word)
			if to, ok := change[key]; ok {
				word, key = to, strings.ToLower(to)
			}
			if ratings[r][i] = label.Missing; missing(word) {
				continue
			}
			at, ok := places[key]
			if !ok {
				if at = len(words); at == maxWords {
					return Coded{}, fmt.Errorf("%s: there are more than %d different labels, such as %s; is a column "+
						"something else than a rater?", t.Name, maxWords, result.Some(words))
				}
				places[key], words = at, append(words, word)
			}
			ratings[r][i] = at
		}
	}
	for _, from := range slices.Sorted(maps.Keys(change)) {
		said = append(said, fmt.Sprintf("%s as %s", from, or(change[from], "no label")))
	}
	if len(words) == 0 {
		return Coded{}, fmt.Errorf("%s holds no labels", t.Name)
	}
	c := Coded{Ratings: ratings}
	values, err := ours(words, classes)
	switch {
	case err == nil:
		c.ours(words, values, classes, &said)
	case classes != 0:
		return Coded{}, fmt.Errorf("%s: %w", t.Name, err)
	default:
		c.others(words, &said)
	}
	c.Taken = strings.Join(said, ", ")
	return c, nil
}

// ours are our labels of words; the error says which word is none.
func ours(words []string, classes int) ([]label.Value, error) {
	values := make([]label.Value, len(words))
	number := func(word string) int {
		switch strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(word, ".0"), ",0")) {
		case "0", "false":
			return 0
		case "1", "true":
			return 1
		case "2":
			return 2
		}
		return -1
	}
	spoken := func(word string) label.Value {
		for _, v := range label.Values(3) {
			if strings.HasPrefix(string(v), strings.ToLower(word)) {
				return v
			}
		}
		return ""
	}
	numbers := number(words[0]) >= 0
	has := func(n int) bool {
		return slices.ContainsFunc(words, func(word string) bool { return number(word) == n && !truthWord(word) })
	}
	if classes == 3 && has(1) && !has(2) {
		return nil, errors.New("without a 2 the number 1 may be borderline or variant; " +
			"say what it stands for with --map 1=LABEL")
	}
	three, zero := classes == 3 || classes == 0 && has(2), classes != 0 || has(0) ||
		slices.ContainsFunc(words, truthWord)
	for k, word := range words {
		n, truth := number(word), truthWord(word)
		switch {
		case numbers && zero && n >= 0 && n < len(label.Values(2)) && (!three || truth):
			values[k] = label.Values(2)[n]
		case numbers && zero && n >= 0 && three && !truth:
			values[k] = label.Values(3)[n]
		case !numbers:
			values[k] = spoken(word)
		}
		if _, ok := values[k].Index(cmp.Or(classes, 3)); !ok {
			return nil, fmt.Errorf("%q is no label of %d classes (%s, their initials, or 0 to %d); say what it "+
				"stands for with --map %s=LABEL (in the window: under Words)",
				word, cmp.Or(classes, 3), strings.Join(label.Words(cmp.Or(classes, 3)), ", "), cmp.Or(classes, 3)-1,
				word)
		}
	}
	return values, nil
}

func truthWord(word string) bool {
	return strings.EqualFold(word, "true") || strings.EqualFold(word, "false")
}

// ours takes words for our labels.
func (c *Coded) ours(words []string, values []label.Value, classes int, said *[]string) {
	n := classes
	if n == 0 {
		n = 2
		if slices.Contains(values, label.Borderline) {
			n = 3
		}
	}
	c.Classes, c.Ours, c.Ordered = label.Words(n), true, true
	for k, word := range words {
		if word != string(values[k]) {
			*said = append(*said, fmt.Sprintf("%s as %s", word, values[k]))
		}
	}
	c.renumber(func(k int) int { class, _ := values[k].Index(n); return class })
}

// others takes words for classes of their own.
func (c *Coded) others(words []string, said *[]string) {
	number := func(word string) (float64, bool) {
		v, err := strconv.ParseFloat(strings.Replace(word, ",", ".", 1), 64)
		return v, err == nil
	}
	c.Classes = slices.Clone(words)
	slices.SortFunc(c.Classes, func(a, b string) int {
		x, first := number(a)
		y, second := number(b)
		if first && second && x != y {
			return cmp.Compare(x, y)
		}
		return cmp.Compare(a, b)
	})
	c.Ordered = true
	for k, word := range c.Classes {
		v, ok := number(word)
		first, _ := number(c.Classes[0])
		c.Ordered = c.Ordered && ok && v == first+float64(k)
	}
	*said = append(*said, strings.Join(c.Classes, ", ")+" as they are")
	c.renumber(func(k int) int { return slices.Index(c.Classes, words[k]) })
}

func (c *Coded) renumber(class func(word int) int) {
	for _, row := range c.Ratings {
		for i, word := range row {
			if word != label.Missing {
				row[i] = class(word)
			}
		}
	}
}

// changes are the words that the options name, in small letters, and what they stand for.
func (o Options) changes() (map[string]string, error) {
	change := map[string]string{}
	add := func(word, to string) error {
		word, to = strings.TrimSpace(word), strings.TrimSpace(to)
		before, twice := change[strings.ToLower(word)]
		if word == "" || twice && before != to {
			return fmt.Errorf("the word %q is empty or stands for two labels", word)
		}
		if v := strings.ToLower(to); v == string(label.Invariant) || v == string(label.Borderline) ||
			v == string(label.Variant) {
			to = v
		}
		if missing(to) {
			to = ""
		}
		change[strings.ToLower(word)] = to
		return nil
	}
	for _, pair := range o.Map {
		word, to, ok := strings.Cut(pair, "=")
		var err error
		if ok {
			err = add(word, to)
		} else {
			err = eachPair(pair, add)
		}
		if err != nil {
			return nil, fmt.Errorf("--map %s: %w", pair, err)
		}
	}
	return change, nil
}

// eachPair reads a file with a word and a label in a row, with or without a header word, label.
func eachPair(path string, add func(word, to string) error) error {
	f, err := outside.Open(path, outside.Table)
	if err != nil {
		return fmt.Errorf("it is neither WORD=LABEL nor a file: %w", err)
	}
	defer func() { _ = f.Close() }()
	r := csvfile.Foreign(io.LimitReader(f, csvfile.MaxRow))
	for first := true; ; first = false {
		row, err := r.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(row) != 2:
			return fmt.Errorf("a row has %d cells; it needs a word and a label", len(row))
		case first && strings.EqualFold(strings.TrimSpace(row[0]), "word"):
			continue
		}
		if err := add(row[0], row[1]); err != nil {
			return err
		}
	}
}
