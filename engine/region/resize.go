package region

import "github.com/variscope/variscope/engine/resample"

// side is the filter of one side of an image that is padded and resized back to size entries:
// outputs first..first+count-1 see the image, all others are zero. Every output has the same number
// of taps, so that loops need no bounds of their own; some weights at the ends are 0 for it.
type side struct {
	size         int
	first, count int
	taps         int
	starts       []int     // per output that sees the image: its first entry of the unpadded side
	weights      []float64 // taps per such output
	three        []three   // the same once more where taps is 3, and where it is 4: the usual settings
	four         []four
}

type three struct {
	start   int
	weights [3]float64
}

type four struct {
	start   int
	weights [4]float64
}

// span is the part of a filter that lies on the image.
type span struct {
	start   int
	weights []float64
}

func newSide(size, before, after int) side {
	s := side{size: size}
	var spans []span
	for o, f := range resample.Triangle(size+before+after, size) {
		seen := onImage(f, before, size)
		if len(seen.weights) == 0 {
			continue
		}
		if s.count == 0 {
			s.first = o
		}
		s.count++
		s.taps = max(s.taps, len(seen.weights))
		spans = append(spans, seen)
	}
	for _, seen := range spans {
		start := min(seen.start, size-s.taps)
		weights := make([]float64, s.taps)
		copy(weights[seen.start-start:], seen.weights)
		s.starts, s.weights = append(s.starts, start), append(s.weights, weights...)
		switch s.taps {
		case 3:
			s.three = append(s.three, three{start, [3]float64(weights)})
		case 4:
			s.four = append(s.four, four{start, [4]float64(weights)})
		}
	}
	return s
}

// onImage leaves out the zero fill before and after the image, and weights of 0 at the ends.
func onImage(f resample.Filter, before, size int) span {
	from, to := max(0, before-f.First), min(len(f.Weights), before+size-f.First)
	for from < to && f.Weights[from] == 0 {
		from++
	}
	for from < to && f.Weights[to-1] == 0 {
		to--
	}
	if from >= to {
		return span{}
	}
	return span{start: f.First + from - before, weights: f.Weights[from:to]}
}

// resize applies both sides to every channel. scratch has room for an image's rows of columns.count
// entries.
func resize[P Pixel](dst, src []P, scratch []float64, channels int, rows, columns side) {
	area := rows.size * columns.size
	dst, src = dst[:channels*area], src[:channels*area]
	scratch = scratch[:rows.size*columns.count]
	for c := range channels {
		across(scratch, src[c*area:(c+1)*area], columns)
		down(dst[c*area:(c+1)*area], scratch, rows, columns)
	}
}

// across resizes every row of src; a row of dst holds the columns that see the image.
func across[P Pixel](dst []float64, src []P, s side) {
	switch s.taps {
	case 3:
		across3(dst, src, s)
	case 4:
		across4(dst, src, s)
	default:
		acrossAny(dst, src, s)
	}
}

func acrossAny[P Pixel](dst []float64, src []P, s side) {
	for ; len(src) > 0; src, dst = src[s.size:], dst[s.count:] {
		for x, start := range s.starts {
			sum := 0.0
			from := src[start : start+s.taps]
			for k, w := range s.weights[x*s.taps:][:len(from)] {
				sum += float64(w * float64(from[k]))
			}
			dst[x] = sum
		}
	}
}

func across3[P Pixel](dst []float64, src []P, s side) {
	for ; len(src) > 0; src, dst = src[s.size:], dst[s.count:] {
		out := dst[:len(s.three)]
		for x := range s.three {
			t := &s.three[x]
			from, w := src[t.start:t.start+3], &t.weights
			out[x] = float64(w[0]*float64(from[0])) + float64(w[1]*float64(from[1])) + float64(w[2]*float64(from[2]))
		}
	}
}

func across4[P Pixel](dst []float64, src []P, s side) {
	for ; len(src) > 0; src, dst = src[s.size:], dst[s.count:] {
		out := dst[:len(s.four)]
		for x := range s.four {
			t := &s.four[x]
			from, w := src[t.start:t.start+4], &t.weights
			out[x] = float64(w[0]*float64(from[0])) + float64(w[1]*float64(from[1])) +
				float64(w[2]*float64(from[2])) + float64(w[3]*float64(from[3]))
		}
	}
}

// down resizes every column of src, whose rows are what across wrote, and puts zero where nothing
// sees the image.
func down[P Pixel](dst []P, src []float64, rows, columns side) {
	clear(dst[:rows.first*columns.size])
	clear(dst[(rows.first+rows.count)*columns.size:])
	for y, start := range rows.starts {
		line := dst[(rows.first+y)*columns.size:][:columns.size]
		clear(line[:columns.first])
		clear(line[columns.first+columns.count:])
		line = line[columns.first:][:columns.count]
		from, w := src[start*columns.count:], rows.weights[y*rows.taps:][:rows.taps]
		switch rows.taps {
		case 3:
			down3(line, from, w)
		case 4:
			down4(line, from, w)
		default:
			downAny(line, from, w)
		}
	}
}

func downAny[P Pixel](dst []P, src, weights []float64) {
	for x := range dst {
		sum := 0.0
		for k, w := range weights {
			sum += float64(w * src[k*len(dst)+x])
		}
		dst[x] = P(sum)
	}
}

func down3[P Pixel](dst []P, src, weights []float64) {
	n := len(dst)
	a, b, c := src[:n], src[n:2*n], src[2*n:3*n]
	u, v, w := weights[0], weights[1], weights[2]
	for x := range dst {
		dst[x] = P(float64(u*a[x]) + float64(v*b[x]) + float64(w*c[x]))
	}
}

func down4[P Pixel](dst []P, src, weights []float64) {
	n := len(dst)
	a, b, c, d := src[:n], src[n:2*n], src[2*n:3*n], src[3*n:4*n]
	u, v, w, z := weights[0], weights[1], weights[2], weights[3]
	for x := range dst {
		dst[x] = P(float64(u*a[x]) + float64(v*b[x]) + float64(w*c[x]) + float64(z*d[x]))
	}
}
