package agreement

// cohen returns n, the percent agreement and the kappa of each weighting from K x K confusion
// counts (spec/agreement.md, "Cohen's kappa").
func (t *table) cohen(cells []int) (n int, percent Value, kappa [weightings]Value) {
	row, column := make([]int, t.classes), make([]int, t.classes)
	for k := range t.classes {
		for l := range t.classes {
			c := cells[k*t.classes+l]
			n += c
			row[k] += c
			column[l] += c
		}
	}
	if n == 0 {
		none := undefined(NoCommonItems)
		return 0, none, [weightings]Value{none, none, none}
	}
	equal := 0
	for k := range t.classes {
		equal += cells[k*t.classes+k]
	}
	total := float64(n) * float64(n)
	for kind := range kappa {
		observed, expected := 0.0, 0.0 // n p_o and n^2 p_e
		for k := range t.classes {
			for l := range t.classes {
				w := t.weights[kind][k*t.classes+l]
				observed += float64(w * float64(cells[k*t.classes+l]))
				expected += float64(w * float64(row[k]*column[l]))
			}
		}
		if total-expected <= 1e-9 {
			kappa[kind] = undefined(ExpectedAgreement)
			continue
		}
		kappa[kind] = defined((float64(float64(n)*observed) - expected) / (total - expected))
	}
	return n, defined(float64(equal) / float64(n)), kappa
}

// meanOf is the mean of the defined values; without any, undefined for the reason of the first.
func meanOf(values []Value) Value {
	sum, n := 0.0, 0
	for _, v := range values {
		if v.Defined() {
			sum += v.Value
			n++
		}
	}
	switch {
	case n > 0:
		return defined(sum / float64(n))
	case len(values) > 0:
		return values[0]
	}
	return undefined(NoCommonItems)
}

// percent is the group's percent agreement.
func (t *table) percent(s *tally) Value {
	if s.two == 0 {
		return undefined(NoItemTwice)
	}
	return defined(s.agree[nominal] / float64(s.two))
}

// fleiss is Fleiss' kappa, generalised to missing ratings.
func (t *table) fleiss(s *tally) Value {
	if s.two == 0 {
		return undefined(NoItemTwice)
	}
	expected := 0.0
	for _, sum := range s.share {
		pi := sum / float64(s.rated)
		expected += float64(pi * pi) // rounded: no fused multiply-add, the same bits everywhere
	}
	if 1-expected < 1e-12 {
		return undefined(ExpectedAgreement)
	}
	return defined((s.agree[nominal]/float64(s.two) - expected) / (1 - expected))
}

// gwet is AC1 for nominal weights and AC2 for the others. The expected agreement is below 1 for
// every K >= 2.
func (t *table) gwet(s *tally, kind int) Value {
	if s.two == 0 {
		return undefined(NoItemTwice)
	}
	total := 0.0
	for _, w := range t.weights[kind] {
		total += w
	}
	spread := 0.0
	for _, sum := range s.share {
		pi := sum / float64(s.rated)
		spread += float64(pi * (1 - pi))
	}
	expected := total * spread / float64(t.classes*(t.classes-1))
	return defined((s.agree[kind]/float64(s.two) - expected) / (1 - expected))
}

// Krippendorff's distances.
const (
	alphaNominal = iota
	alphaOrdinal
	alphaInterval
	distances
)

// distance is delta^2 of classes c < k, with paired the numbers n_c.
func distance(kind, c, k int, paired []int) float64 {
	switch kind {
	case alphaNominal:
		return 1
	case alphaInterval:
		return float64((k - c) * (k - c))
	}
	d := float64(paired[c]+paired[k]) / 2
	for g := c + 1; g < k; g++ {
		d += float64(paired[g])
	}
	return d * d
}

// krippendorff is alpha for one distance: 1 - (n-1) sum o delta^2 / sum n_c n_k delta^2.
func (t *table) krippendorff(s *tally, kind int) Value {
	if s.two == 0 {
		return undefined(NoItemTwice)
	}
	n, used := 0, 0
	for _, v := range s.paired {
		n += v
		if v > 0 {
			used++
		}
	}
	if used < 2 {
		return undefined(ExpectedNoConflict)
	}
	observed, expected := 0.0, 0.0 // halves: the tables are symmetric
	for c := range t.classes {
		for k := c + 1; k < t.classes; k++ {
			d := distance(kind, c, k, s.paired)
			observed += float64(s.coincidence[c*t.classes+k] * d)
			expected += float64(float64(s.paired[c]*s.paired[k]) * d)
		}
	}
	return defined(1 - float64(n-1)*observed/expected)
}
