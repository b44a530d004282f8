package transform

// The loops here are the hot path of every run. Planes go four at a time where there are four, so
// that a table entry is read once for all; the index checks up front replace those that the
// compiler would make for every access. Products are rounded before they are added (the conversions
// forbid fused multiply-add), so one plane or four, and every processor, give the same bits.

// four are four planes of one size.
type four [4][]float32

func cut(pix []float32, area int) (f four) {
	for k := range f {
		f[k] = pix[k*area : (k+1)*area]
	}
	return f
}

// apply transforms planes of area numbers; len(src) is a multiple of area. ready are those of src
// as Plan.Ready lays them, or nil.
func (t *table) apply(dst, src, ready []float32, area, width int) {
	for wide := t.wide(); wide && len(src) >= lanes*area; dst, src = dst[lanes*area:], src[lanes*area:] {
		t.applyWide(dst, src, ready, area, width)
		if ready != nil {
			ready = ready[lanes*area:]
		}
	}
	for at := 0; at < len(dst); at += area {
		for _, i := range t.holes {
			dst[at+int(i)] = 0
		}
	}
	for ; len(src) >= 4*area; dst, src = dst[4*area:], src[4*area:] {
		d, s := cut(dst, area), cut(src, area)
		t.moves4(&d, &s)
		t.squares4(&d, &s, width)
		for k := range 4 {
			t.patches1(d[k], s[k], width)
		}
		t.rim.apply4(&d, &s)
	}
	for ; len(src) > 0; dst, src = dst[area:], src[area:] {
		d, s := dst[:area], src[:area]
		t.moves1(d, s)
		t.squares1(d, s, width)
		t.patches1(d, s, width)
		t.rim.apply1(d, s)
	}
}

func (t *table) moves1(dst, src []float32) {
	for i := range t.moves {
		m := &t.moves[i]
		dst[m.dst] = src[m.src]
	}
}

func (t *table) moves4(dst, src *four) {
	n := len(src[0])
	s0, s1, s2, s3 := src[0], src[1][:n], src[2][:n], src[3][:n]
	d0, d1, d2, d3 := dst[0][:n], dst[1][:n], dst[2][:n], dst[3][:n]
	for i := range t.moves {
		k, d := int(t.moves[i].src), int(t.moves[i].dst)
		if uint(k) >= uint(n) || uint(d) >= uint(n) {
			panic("transform: table does not fit the image")
		}
		d0[d], d1[d], d2[d], d3[d] = s0[k], s1[k], s2[k], s3[k]
	}
}

func (t *table) squares1(dst, src []float32, width int) {
	if len(t.squares) == 0 {
		return
	}
	lower := src[width:]
	upper := src[:len(lower)]
	for i := range t.squares {
		s := &t.squares[i]
		k := int(s.src)
		if k < 0 || k+1 >= len(lower) {
			panic("transform: table does not fit the image")
		}
		dst[s.dst] = float32(s.w00*upper[k]) + float32(s.w01*upper[k+1]) + float32(s.w10*lower[k]) +
			float32(s.w11*lower[k+1])
	}
}

func (t *table) squares4(dst, src *four, width int) {
	n := len(src[0])
	s0, s1, s2, s3 := src[0], src[1][:n], src[2][:n], src[3][:n]
	d0, d1, d2, d3 := dst[0][:n], dst[1][:n], dst[2][:n], dst[3][:n]
	for i := range t.squares {
		s := &t.squares[i]
		k, d := int(s.src), int(s.dst)
		l := k + width
		if k < 0 || l < 0 || k+1 >= n || l+1 >= n || uint(d) >= uint(n) {
			panic("transform: table does not fit the image")
		}
		w00, w01, w10, w11 := s.w00, s.w01, s.w10, s.w11
		d0[d] = float32(w00*s0[k]) + float32(w01*s0[k+1]) + float32(w10*s0[l]) + float32(w11*s0[l+1])
		d1[d] = float32(w00*s1[k]) + float32(w01*s1[k+1]) + float32(w10*s1[l]) + float32(w11*s1[l+1])
		d2[d] = float32(w00*s2[k]) + float32(w01*s2[k+1]) + float32(w10*s2[l]) + float32(w11*s2[l+1])
		d3[d] = float32(w00*s3[k]) + float32(w01*s3[k+1]) + float32(w10*s3[l]) + float32(w11*s3[l+1])
	}
}

func (t *table) patches1(dst, src []float32, width int) {
	for i := range t.patches {
		p := &t.patches[i]
		sum := float32(0)
		from := int(p.src)
		for _, wy := range p.wy {
			row := src[from : from+4 : len(src)]
			line := float32(p.wx[0]*row[0]) + float32(p.wx[1]*row[1]) + float32(p.wx[2]*row[2]) +
				float32(p.wx[3]*row[3])
			sum += float32(wy * line)
			from += width
		}
		dst[p.dst] = max(0, min(1, sum))
	}
}

func (r *rim) apply1(dst, src []float32) {
	for n, d := range r.dst {
		sum := float32(0)
		for _, t := range r.taps[r.first[n]:r.first[n+1]] {
			sum += float32(t.weight * src[t.src])
		}
		if r.clip {
			sum = max(0, min(1, sum))
		}
		dst[d] = sum
	}
}

func (r *rim) apply4(dst, src *four) {
	m := len(src[0])
	s0, s1, s2, s3 := src[0], src[1][:m], src[2][:m], src[3][:m]
	for n, d := range r.dst {
		var a, b, c, e float32
		for _, t := range r.taps[r.first[n]:r.first[n+1]] {
			k, w := int(t.src), t.weight
			if uint(k) >= uint(m) {
				panic("transform: table does not fit the image")
			}
			a += float32(w * s0[k])
			b += float32(w * s1[k])
			c += float32(w * s2[k])
			e += float32(w * s3[k])
		}
		if r.clip {
			a, b, c, e = max(0, min(1, a)), max(0, min(1, b)), max(0, min(1, c)), max(0, min(1, e))
		}
		dst[0][d], dst[1][d], dst[2][d], dst[3][d] = a, b, c, e
	}
}
