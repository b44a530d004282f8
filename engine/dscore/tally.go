package dscore

import "math/bits"

// packed holds the hits of every image as bits: those of image k in words[k*width:(k+1)*width]. Bit
// 0 is the model itself, then come the variants, then the shifted suites.
type packed struct {
	words  []uint64
	width  int // words per image
	bits   int // 1 + 2 n*n
	images int
}

const wordBits = 64

func pack(h Hits) packed {
	count := 1 + len(h.Variants) + len(h.Shifted)
	p := packed{width: (count + wordBits - 1) / wordBits, bits: count, images: len(h.Original)}
	p.words = make([]uint64, p.width*p.images)
	p.put(0, h.Original)
	for i := range h.Variants {
		p.put(1+i, h.Variants[i])
		p.put(1+len(h.Variants)+i, h.Shifted[i])
	}
	return p
}

func (p packed) put(bit int, hits []bool) {
	for k, hit := range hits {
		if hit {
			p.words[k*p.width+bit/wordBits] |= 1 << (bit % wordBits)
		}
	}
}

// tally counts, for 64 bits at a time, in how many words each is set: plane j holds bit j of all 64
// counts. Eight words are added at once by carry-save adders, so that a word costs some six
// operations however many bits it has.
type tally struct {
	planes [wordBits]uint64
	used   int // planes that may not be zero
}

// carrySave adds three bits in every place: the sum's lower and upper bit.
func carrySave(a, b, c uint64) (low, high uint64) {
	half := a ^ b
	return half ^ c, a&b | half&c
}

// add counts eight words.
func (t *tally) add(w *[8]uint64) {
	ones, a := carrySave(t.planes[0], w[0], w[1])
	ones, b := carrySave(ones, w[2], w[3])
	twos, e := carrySave(t.planes[1], a, b)
	ones, a = carrySave(ones, w[4], w[5])
	ones, b = carrySave(ones, w[6], w[7])
	twos, f := carrySave(twos, a, b)
	fours, carry := carrySave(t.planes[2], e, f)
	t.planes[0], t.planes[1], t.planes[2] = ones, twos, fours
	j := 3
	for ; carry != 0; j++ {
		t.planes[j], carry = t.planes[j]^carry, t.planes[j]&carry
	}
	t.used = max(t.used, j)
}

// counts writes how often each of the first len(into) bits was set.
func (t *tally) counts(into []int) {
	clear(into)
	for j, plane := range t.planes[:t.used] {
		for ; plane != 0; plane &= plane - 1 {
			if bit := bits.TrailingZeros64(plane); bit < len(into) {
				into[bit] += 1 << j
			}
		}
	}
}
