package corrupt

// shortestRun is the number of equal weights from which a difference of running sums is cheaper
// than to multiply.
const shortestRun = 12

// band is one row of a kernel: weights that are taken one by one on both sides of a run of equal
// ones. Inside a disk, all are equal.
type band struct {
	left, right     []float64
	leftAt, rightAt int // columns of their first weights
	weight          float64
	from, end       int // columns of the run; both 0 where there is none
}

func newBand(row []float64) band {
	from, end := longestRun(row)
	b := band{weight: row[from], from: from, end: end}
	if end-from < shortestRun {
		b.from, b.end, end = 0, 0, 0
		from = 0
	}
	b.left, b.leftAt = trimmed(row[:from])
	b.right, b.rightAt = trimmed(row[end:])
	b.rightAt += end
	return b
}

// empty tells whether all weights are 0.
func (b band) empty() bool { return len(b.left)+len(b.right) == 0 && b.from == b.end }

// longestRun is the longest part of a row whose weights are the same, leaving zeros out.
func longestRun(row []float64) (from, end int) {
	for start := 0; start < len(row); {
		stop := start + 1
		for stop < len(row) && row[stop] == row[start] {
			stop++
		}
		if row[start] != 0 && stop-start > end-from {
			from, end = start, stop
		}
		start = stop
	}
	return from, end
}

// trimmed cuts the zeros at both ends off.
func trimmed(row []float64) (taps []float64, first int) {
	end := len(row)
	for first < end && row[first] == 0 {
		first++
	}
	for end > first && row[end-1] == 0 {
		end--
	}
	return row[first:end], first
}

// add adds to every out[x] the sum of the band's weights times row[x], row[x+1], ...; sums is room
// for one value more than row.
func (b band) add(out, row, sums []float64) {
	correlate(out, row[b.leftAt:], b.left)
	correlate(out, row[b.rightAt:], b.right)
	if b.from == b.end {
		return
	}
	sum := 0.0
	for i, v := range row {
		sums[i] = sum
		sum += v
	}
	sums[len(row)] = sum
	low, high := sums[b.from:][:len(out)], sums[b.end:][:len(out)]
	for x := range out {
		out[x] += float64(b.weight * (high[x] - low[x]))
	}
}

// correlate adds to every out[x] the sum of taps[k] row[x+k], four taps at a time.
func correlate(out, row, taps []float64) {
	n := len(out)
	for ; len(taps) >= 4; taps, row = taps[4:], row[4:] {
		w0, w1, w2, w3 := taps[0], taps[1], taps[2], taps[3]
		a, b, e, f := row[:n], row[1:][:n], row[2:][:n], row[3:][:n]
		for x := range out {
			out[x] += float64(w0*a[x]) + float64(w1*b[x]) + float64(w2*e[x]) + float64(w3*f[x])
		}
	}
	for k, w := range taps {
		addTimes(out, w, row[k:][:n])
	}
}
