package agreement

// vote counts the ratings of one item per class into counts (cleared first), without rater except
// (Missing: nobody).
func vote(counts, ratings []int, except int) {
	clear(counts)
	for r, class := range ratings {
		if class != Missing && r != except {
			counts[class]++
		}
	}
}

// majority returns the most frequent class of counts: under ties Missing, the smallest and the
// largest tied class. All three are Missing when nothing was counted.
func majority(counts []int) (unresolved, lowest, highest int) {
	top := 0
	lowest, highest = Missing, Missing
	for class, n := range counts {
		if n == 0 || n < top {
			continue
		}
		if n > top {
			top, lowest = n, class
		}
		highest = class
	}
	if lowest == highest {
		return lowest, lowest, highest
	}
	return Missing, lowest, highest
}

// majorities computes the three majority columns of ratings (raters x items).
func majorities(ratings [][]int, classes, items int) Majority {
	m := Majority{Unresolved: make([]int, items), Lowest: make([]int, items), Highest: make([]int, items)}
	counts, column := make([]int, classes), make([]int, len(ratings))
	for i := range items {
		for r := range ratings {
			column[r] = ratings[r][i]
		}
		vote(counts, column, Missing)
		m.Unresolved[i], m.Lowest[i], m.Highest[i] = majority(counts)
	}
	return m
}
