package agreement

// pattern is one distinct combination of ratings with all that an item of this form adds to the
// tables. Items of a round fall into few patterns, so leaving out one item at a time takes one
// measurement per pattern instead of one per item.
type pattern struct {
	votes   []int // n_ik, one per class
	rated   int   // n_i
	cells   []int // per pair of raters: cell of the K x K confusion, or Missing
	against []int // per rater: cell of the confusion with the majority, or Missing
	agree   [weightings]float64
}

// The agreement weights of spec/agreement.md.
const (
	nominal = iota
	linear
	quadratic
	weightings
)

// weight is W_kl for K classes.
func weight(kind, k, l, classes int) float64 {
	if k == l {
		return 1
	}
	if kind == nominal {
		return 0
	}
	d := float64(k-l) / float64(classes-1)
	if kind == linear {
		return 1 - max(d, -d)
	}
	return 1 - d*d
}

// weights returns the K x K matrices of the three weightings, row-major.
func weights(classes int) [weightings][]float64 {
	var w [weightings][]float64
	for kind := range w {
		w[kind] = make([]float64, classes*classes)
		for k := range classes {
			for l := range classes {
				w[kind][k*classes+l] = weight(kind, k, l, classes)
			}
		}
	}
	return w
}

// table is a set of ratings made ready for measuring any selection of its items.
type table struct {
	raters, classes, items int
	weights                [weightings][]float64
	patterns               []pattern
	of                     []int // pattern of each item
	leaveOneOut            bool
	seen                   map[string]int // pattern of a combination of ratings
}

// newTable groups the items of ratings (raters x items) by pattern, in order of first appearance.
func newTable(ratings [][]int, classes int, leaveOneOut bool) *table {
	t := emptyTable(len(ratings), classes, leaveOneOut)
	if t.raters > 0 {
		t.include(ratings, len(ratings[0]))
	}
	return t
}

func emptyTable(raters, classes int, leaveOneOut bool) *table {
	return &table{
		raters: raters, classes: classes, weights: weights(classes), leaveOneOut: leaveOneOut, seen: map[string]int{},
	}
}

// include adds the items of ratings that follow those which the table has, up to a number of items.
func (t *table) include(ratings [][]int, items int) {
	key := make([]byte, 0, 4*t.raters)
	for i := t.items; i < items; i++ {
		key = key[:0]
		for r := range ratings {
			c := ratings[r][i]
			key = append(key, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
		}
		p, ok := t.seen[string(key)]
		if !ok {
			p = len(t.patterns)
			t.seen[string(key)] = p
			column := make([]int, t.raters)
			for r := range ratings {
				column[r] = ratings[r][i]
			}
			t.patterns = append(t.patterns, t.newPattern(column, t.leaveOneOut))
		}
		t.of = append(t.of, p)
	}
	t.items = max(t.items, items)
}

func (t *table) newPattern(ratings []int, leaveOneOut bool) pattern {
	p := pattern{votes: make([]int, t.classes)}
	vote(p.votes, ratings, Missing)
	for _, n := range p.votes {
		p.rated += n
	}
	for a := range ratings {
		for b := a + 1; b < len(ratings); b++ {
			p.cells = append(p.cells, t.cell(ratings[a], ratings[b]))
		}
	}
	others := make([]int, t.classes)
	for r := range ratings {
		except := Missing
		if leaveOneOut {
			except = r
		}
		vote(others, ratings, except)
		unresolved, _, _ := majority(others)
		p.against = append(p.against, t.cell(ratings[r], unresolved))
	}
	if p.rated >= 2 {
		for kind := range p.agree {
			p.agree[kind] = t.agreementOf(p.votes, p.rated, kind)
		}
	}
	return p
}

func (t *table) cell(a, b int) int {
	if a == Missing || b == Missing {
		return Missing
	}
	return a*t.classes + b
}

// agreementOf is one item's sum_k n_ik (n*_ik - 1) / (n_i (n_i - 1)) with n*_ik = sum_l W_kl n_il;
// for nominal weights this is the item's percent agreement.
func (t *table) agreementOf(votes []int, rated, kind int) float64 {
	sum := 0.0
	for k, n := range votes {
		if n == 0 {
			continue
		}
		weighted := 0.0
		for l, m := range votes {
			weighted += float64(t.weights[kind][k*t.classes+l] * float64(m))
		}
		sum += float64(float64(n) * (weighted - 1))
	}
	return sum / float64(rated*(rated-1))
}

// tally holds the sums over a selection of items, from which every measure follows.
type tally struct {
	rated, two  int                 // items with n_i >= 1 and n_i >= 2
	pairs       [][]int             // per pair: K*K confusion counts
	against     [][]int             // per rater: K*K confusion counts with the majority
	agree       [weightings]float64 // sums over items with n_i >= 2
	share       []float64           // per class: sum of n_ik / n_i
	coincidence []float64           // K*K: Krippendorff's o_ck
	paired      []int               // per class: Krippendorff's n_c, ratings in items with n_i >= 2
}

func (t *table) newTally() *tally {
	s := &tally{
		share: make([]float64, t.classes), paired: make([]int, t.classes),
		coincidence: make([]float64, t.classes*t.classes),
	}
	for range t.raters * (t.raters - 1) / 2 {
		s.pairs = append(s.pairs, make([]int, t.classes*t.classes))
	}
	for range t.raters {
		s.against = append(s.against, make([]int, t.classes*t.classes))
	}
	return s
}

func (s *tally) reset() {
	s.rated, s.two, s.agree = 0, 0, [weightings]float64{}
	for _, cells := range s.pairs {
		clear(cells)
	}
	for _, cells := range s.against {
		clear(cells)
	}
	clear(s.share)
	clear(s.paired)
	clear(s.coincidence)
}

// without makes s the tally of all items, whole, less one item of a pattern.
func (t *table) without(s, whole *tally, p *pattern) {
	s.rated, s.two, s.agree = whole.rated, whole.two, whole.agree
	for q, cells := range whole.pairs {
		copy(s.pairs[q], cells)
	}
	for r, cells := range whole.against {
		copy(s.against[r], cells)
	}
	copy(s.share, whole.share)
	copy(s.paired, whole.paired)
	copy(s.coincidence, whole.coincidence)
	t.add(s, p, -1)
}

// count fills the tally for a selection in which pattern p appears times[p] times.
func (t *table) count(s *tally, times []int) {
	s.reset()
	for k := range t.patterns {
		if times[k] > 0 {
			t.add(s, &t.patterns[k], times[k])
		}
	}
}

func (t *table) add(s *tally, p *pattern, times int) {
	if p.rated == 0 {
		return
	}
	n := float64(times)
	s.rated += times
	for k, v := range p.votes {
		s.share[k] += n * float64(v) / float64(p.rated)
	}
	for r, cell := range p.against {
		if cell != Missing {
			s.against[r][cell] += times
		}
	}
	if p.rated < 2 {
		return
	}
	s.two += times
	for q, cell := range p.cells {
		if cell != Missing {
			s.pairs[q][cell] += times
		}
	}
	for kind, a := range p.agree {
		s.agree[kind] += float64(n * a)
	}
	for c, v := range p.votes {
		if v == 0 {
			continue
		}
		s.paired[c] += times * v
		for k, w := range p.votes {
			ordered := v * w
			if c == k {
				ordered = v * (v - 1)
			}
			s.coincidence[c*t.classes+k] += n * float64(ordered) / float64(p.rated-1)
		}
	}
}
