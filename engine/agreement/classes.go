package agreement

import "github.com/variscope/variscope/engine/result"

// ClassUnused is why the specific agreement of a class is undefined: nobody gave it to an item with
// two ratings.
var ClassUnused = result.Because("class_unused", "nobody used this class")

// ClassAgreement says how well one class is agreed on.
type ClassAgreement struct {
	Class string
	// Percent is the specific agreement: of the pairs of ratings with at least one of this class,
	// weighted by how often it occurs in them, the share in which both have it. For a pair of
	// raters it is 2 C_kk / (C_k. + C_.k). N counts the items with two ratings of which one or more
	// have this class.
	Percent Estimate
	// Kappa is that of this class against all others: Cohen's for two raters, Fleiss' for more.
	Kappa Estimate
}

// PerClass measures each class by itself (Fleiss 1971, "agreement on individual categories";
// Spitzer and Fleiss 1974 for the specific agreement, with missing ratings as in Gwet's p_a).
// ratings and classes are those of Measure.
func PerClass(ratings [][]int, classes int, opts Options) []ClassAgreement {
	check(ratings, classes, make([]string, len(ratings)))
	names := classNames(opts.Classes, classes)
	list := make([]ClassAgreement, classes)
	for k := range list {
		t := newTable(against(ratings, k), 2, false)
		s := t.whole()
		from := t.slots(opts, s, t.classValues)
		list[k] = ClassAgreement{Class: names[k], Percent: from.share(t.using()), Kappa: from.kappa(s.two, t.support())}
	}
	return list
}

// against is the question "this class or another one": 1 for the class, 0 for the others.
func against(ratings [][]int, class int) [][]int {
	rows := make([][]int, len(ratings))
	for r, row := range ratings {
		rows[r] = make([]int, len(row))
		for i, rating := range row {
			switch rating {
			case Missing:
				rows[r][i] = Missing
			case class:
				rows[r][i] = 1
			}
		}
	}
	return rows
}

// classValues appends the specific agreement of class 1 and its kappa. With n_c ratings of the
// class in items with two ratings and o_cc of Krippendorff's coincidences, the specific agreement
// is o_cc / n_c.
func (t *table) classValues(s *tally, list []Value) []Value {
	specific := undefined(ClassUnused)
	switch {
	case s.two == 0:
		specific = undefined(NoItemTwice)
	case s.paired[1] > 0:
		specific = defined(s.coincidence[3] / float64(s.paired[1]))
	}
	kappa := t.fleiss(s)
	if t.raters == 2 {
		_, _, pair := t.cohen(s.pairs[0])
		kappa = pair[nominal]
	}
	return append(list, specific, kappa)
}

// using counts the items with two ratings of which one or more are of class 1.
func (t *table) using() int {
	n := 0
	for _, p := range t.of {
		if t.patterns[p].rated >= 2 && t.patterns[p].votes[1] > 0 {
			n++
		}
	}
	return n
}
