package variance

import "github.com/variscope/variscope/engine/stats"

// lanes is the number of partial sums of one cell: image k of a block goes to partial sum k mod 4,
// the images after the last whole group of four to the first one.
const lanes = 4

// addRow adds sum_k (a_k - b_jk)^2 to cells[j] for all j, where b_j are the len(a) numbers from
// block[j*stride] on. The block holds three rows more than there are cells, of any content. The
// order of additions is that of squares on every processor, so that the sums have the same bits.
func addRow(cells, a, block []float64, stride int) {
	if !wideLanes {
		addRowPlain(cells, a, block, stride)
		return
	}
	grouped := len(a) / lanes * lanes
	var sums [4 * lanes]float64
	for j := 0; j < len(cells); j += 4 {
		if grouped > 0 {
			squareLanes(&sums, &a[0], &block[j*stride], stride, grouped)
		}
		for x := range min(4, len(cells)-j) {
			b := block[(j+x)*stride:][:len(a)]
			s := sums[x*lanes:][:lanes]
			first := s[0]
			for k := grouped; k < len(a); k++ {
				d := a[k] - b[k]
				first += float64(d * d)
			}
			cells[j+x] += (first + s[1]) + (s[2] + s[3])
		}
	}
}

func addRowPlain(cells, a, block []float64, stride int) {
	for j := range cells {
		cells[j] += stats.SquaredDistance(a, block[j*stride:][:len(a)])
	}
}
