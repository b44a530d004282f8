package render

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/variscope/variscope/engine/result"
)

// Part is a part of a figure: the ends of both axes. The zero Part is all of it. Y0 lies above Y1
// where names run down the Y axis.
type Part struct{ X0, X1, Y0, Y1 float64 }

// Extent are the ends of the axes where all of a figure is shown: those of the data with a margin,
// which lines have upwards and downwards only and boxes only where histograms end, and at least
// those that the axes ask for. Names end half a place beyond the first and the last.
func Extent(f result.Figure) Part {
	inf := math.Inf(1)
	p := Part{inf, -inf, inf, -inf}
	add := func(x, y float64) {
		if finite(x) && finite(y) {
			p = Part{math.Min(p.X0, x), math.Max(p.X1, x), math.Min(p.Y0, y), math.Max(p.Y1, y)}
		}
	}
	for _, l := range f.Lines {
		for k := range l.X {
			add(l.X[k], l.Y[k])
			if l.SD == nil {
				continue
			}
			low, high := l.Y[k]-l.SD[k], l.Y[k]+l.SD[k]
			if f.Y.Format == result.Share { // no share lies below 0 or above 1
				low, high = max(low, min(l.Y[k], 0)), min(high, max(l.Y[k], 1))
			}
			add(l.X[k], low)
			add(l.X[k], high)
		}
	}
	for _, b := range f.Boxes {
		add(b.X0, b.Y0)
		add(b.X1, b.Y1)
		if b.Low != b.High {
			add(b.Low, b.Y0)
			add(b.High, b.Y0)
		}
	}
	if len(f.Points) == 0 && p.X0 == p.X1 {
		p.X0, p.X1 = p.X0-0.5, p.X1+0.5
	}
	for _, d := range f.Points {
		add(d.X, d.Y)
		if d.Low != d.High {
			add(d.X, d.Low)
			add(d.X, d.High)
		}
	}
	if len(f.Points) > 0 || p.X0 > p.X1 {
		p.X0, p.X1 = Widen(p.X0, p.X1)
	}
	if len(f.Boxes) > 0 {
		p.Y1 += 0.05 * max(p.Y1-p.Y0, 1e-9)
	} else {
		p.Y0, p.Y1 = Widen(p.Y0, p.Y1)
	}
	p.X0, p.X1 = atLeast(f.X, p.X0, p.X1)
	p.Y0, p.Y1 = atLeast(f.Y, p.Y0, p.Y1)
	if m := f.Matrix; m != nil && m.Rows > 0 && m.Columns > 0 {
		p.X0, p.X1 = f.X.Ends(m.Columns)
		if p.Y0, p.Y1 = f.Y.Ends(m.Rows); f.Y.Down {
			p.Y0, p.Y1 = p.Y1, p.Y0
		}
	}
	if f.NoAxes && len(f.Boxes) > 0 {
		p.Y1 = f.Y.High
	}
	if n := len(f.X.Names); n > 0 {
		p.X0, p.X1 = -0.5, float64(n)-0.5
	}
	if n := len(f.Y.Names); n > 0 {
		p.Y0, p.Y1 = float64(n)-0.5, -0.5
	}
	return p
}

// atLeast reaches as far as an axis asks for. Where the data stay inside of that, their margin
// does not count: shares end at 0 and 1.
func atLeast(a result.Axis, low, high float64) (from, to float64) {
	if a.Low >= a.High {
		return low, high
	}
	margin := (high - low) * 0.05
	from, to = math.Min(a.Low, low), math.Max(a.High, high)
	if low >= a.Low-margin {
		from = a.Low
	}
	if high <= a.High+margin {
		to = a.High
	}
	return from, to
}

// Widen is the range of an axis that shows values from low to high with a margin around them; 0..1
// without values (low above high).
func Widen(low, high float64) (from, to float64) {
	if !(low <= high) {
		return 0, 1
	}
	pad := (high - low) * 0.05
	if pad == 0 {
		pad = math.Max(math.Abs(high)*0.05, 1e-3)
	}
	return low - pad, high + pad
}

// AxisTicks are at most `most` places on an axis from low to high, ascending, and what is written
// there: the axis' own places where there are some, round shares on an axis of logits, powers of
// ten on one of logarithms, per cent of shares, whole numbers of counts.
func AxisTicks(a result.Axis, low, high float64, most int) (at []float64, texts []string) {
	scale, unit := 1.0, ""
	switch a.Format {
	case result.Share:
		scale, unit = 100, " %"
	case result.Points:
		scale, unit = 100, " pp"
	}
	switch {
	case a.Logit:
		return LogitTicks(low, high, max(most-1, 1)) // uneven distances need the room between two ticks
	case a.Ticks != nil && len(a.Ticks) == 0:
		return nil, nil
	case len(a.Values) > 0:
		first, end := CellSpan(a, len(a.Values), low, high)
		for _, t := range ValueTicks(a.Values[first:end], most) {
			at, texts = append(at, float64(first+t.Index)), append(texts, t.Text)
		}
		return at, texts
	case a.Log:
		step := 1 + int(high-low)/max(most, 1)
		for v := 0; float64(v) <= high; v += step {
			if float64(v) >= low {
				at, texts = append(at, float64(v)), append(texts, a.Say(float64(v)))
			}
		}
		return at, texts
	}
	if a.Ticks != nil {
		var inside []float64
		for _, v := range a.Ticks {
			if v >= low && v <= high {
				inside = append(inside, v)
			}
		}
		if len(inside) > 1 { // else a part between two of them is shown
			for _, t := range ValueTicks(inside, most) {
				at, texts = append(at, t.Value), append(texts, t.Text)
			}
			return at, texts
		}
	}
	for _, v := range Ticks(scale*low, scale*high, most) {
		if a.Format != result.Count || v == math.Trunc(v) {
			at = append(at, v)
		}
	}
	texts = TickTexts(at)
	for k := range at {
		at[k] /= scale
		texts[k] += unit
	}
	return at, texts
}

// ticks are those of the values of an axis from low to high on a ground, at most so many.
func (g Ground) ticks(a result.Axis, low, high float64, most int) plot.ConstantTicks {
	at, texts := AxisTicks(a, low, high, most)
	list := make(plot.ConstantTicks, len(at))
	for k, v := range at {
		list[k] = plot.Tick{Value: v, Label: g.say(texts[k])}
	}
	return list
}

// nameTicks are the names beside an axis of a length: as many as have room; those that are wider
// than the room are cut.
func (g Ground) nameTicks(names []string, length, room vg.Length) plot.ConstantTicks {
	style := g.text()
	every := 1 + int(0.8*style.Height("0")*vg.Length(len(names))/max(length, 1))
	var list plot.ConstantTicks
	for k := 0; k < len(names); k += every {
		list = append(list, plot.Tick{Value: float64(k), Label: shortened(style, g.say(names[k]), room)})
	}
	return list
}

// columnTicks are the names of columns over a width where all have room, turned where they have
// room so, at most so much, else numbers from 1 on. turned is for the style of the texts.
func (g Ground) columnTicks(names []string, width, most vg.Length) (list plot.ConstantTicks, turned bool) {
	style, each := g.text(), width/vg.Length(max(len(names), 1))
	widest := vg.Length(0)
	for _, name := range names {
		widest = max(widest, style.Width(g.say(name)))
	}
	if turned = widest+g.pick(4, 6) > each; !turned || each >= style.Height("0") && widest < most {
		for k, name := range names {
			list = append(list, plot.Tick{Value: float64(k), Label: g.say(name)})
		}
		return list, turned
	}
	step := 1 + int((style.Width(strconv.Itoa(len(names)))+g.pick(6, 8))/each)
	for k := 0; k < len(names); k += step {
		list = append(list, plot.Tick{Value: float64(k), Label: strconv.Itoa(k + 1)})
	}
	return list, false
}

// sparse are the ticks of an axis across a width that keep their texts apart.
func (g Ground) sparse(a result.Axis, low, high float64, width vg.Length) (ticks plot.ConstantTicks) {
	style := g.text()
	for most := 9; most > 0; most-- {
		ticks = g.ticks(a, low, high, most)
		apart := true
		for k := 1; k < len(ticks); k++ {
			need := (style.Width(ticks[k-1].Label)+style.Width(ticks[k].Label))/2 + g.pick(3, 6)
			apart = apart && width*vg.Length((ticks[k].Value-ticks[k-1].Value)/(high-low)) >= need
		}
		if apart {
			break
		}
	}
	return ticks
}

// axes sets the ends, titles and ticks of a plot that has the size.
func (g Ground) axes(p *plot.Plot, f result.Figure, part Part, size vg.Point) {
	p.Y.Label.Text = shortened(p.Y.Label.TextStyle, g.say(f.Y.Title()), size.Y)
	p.X.Min, p.X.Max = part.X0, part.X1
	p.Y.Min, p.Y.Max = min(part.Y0, part.Y1), max(part.Y0, part.Y1)
	if part.Y0 > part.Y1 {
		p.Y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	}
	across, up, names := 9, 8, vg.Point{X: 0.4, Y: 0.25}
	if f.Matrix != nil {
		names = vg.Point{X: 0.55, Y: 0.6}
	}
	if style := g.text(); g.screen {
		line := style.Height("0")
		across = min(12, max(2, int((size.X-4*line)/(style.Width("-0.00")+g.pick(0, 14)))))
		height := size.Y - 4*line
		up = max(1, min(max(3, int(height/(2*line))), int(height/line)+1))
	}
	if f.Y.Names == nil {
		p.Y.Tick.Marker = g.ticks(f.Y, p.Y.Min, p.Y.Max, up)
	} else {
		p.Y.Tick.Marker = g.nameTicks(f.Y.Names, size.Y, names.X*size.X)
		p.Y.Tick.Length, p.Y.LineStyle.Width = 0, 0
	}
	beside := 2 * g.line()
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		beside = max(beside, p.Y.Tick.Label.Width(t.Label)+2*g.line())
	}
	p.X.Label.Text = shortened(p.X.Label.TextStyle, g.say(f.X.Title()), size.X-beside)
	if f.X.Names == nil {
		p.X.Tick.Marker = g.ticks(f.X, part.X0, part.X1, across)
		return
	}
	marks, turned := g.columnTicks(f.X.Names, size.X-beside, names.Y*size.Y)
	p.X.Tick.Marker, p.X.Tick.Length, p.X.LineStyle.Width = marks, 0, 0
	if turned {
		p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/2, draw.XRight, draw.YCenter
	}
}

// LogitTicks returns ticks for an axis of logits ln(a/(1-a)) from low to high: at most `most`
// places, ascending, that stand for round shares a (0.5, 0.9, 0.99 before 0.8 before 0.65), and
// these shares as texts. They keep their distance from each other on the axis. A range too narrow
// for round shares takes ticks as Ticks has them. It returns nil when the range is empty or not
// finite or most < 1.
func LogitTicks(low, high float64, most int) (ticks []float64, texts []string) {
	width := high - low
	if !(width > 0) || math.IsInf(width, 0) || most < 1 {
		return nil, nil
	}
	apart := width / float64(most)
	var shares []float64
	for _, share := range roundShares() {
		at := logit(share)
		near := slices.ContainsFunc(shares, func(s float64) bool { return math.Abs(logit(s)-at) < apart })
		if at >= low && at <= high && !near && len(shares) < most {
			shares = append(shares, share)
		}
	}
	if len(shares) < 2 {
		share := func(y float64) float64 { return 1 / (1 + math.Exp(-y)) }
		shares = Ticks(share(low), share(high), most)
	}
	slices.Sort(shares)
	for _, share := range shares {
		if n := len(ticks); share > 0 && share < 1 && (n == 0 || logit(share)-ticks[n-1] >= apart) {
			ticks, texts = append(ticks, logit(share)), append(texts, result.Number.Write(share))
		}
	}
	return ticks, texts
}

// roundShares are shares between 0 and 1 that are good for ticks, the best first; each comes with
// its mirror image.
func roundShares() []float64 {
	list := []float64{0.5}
	for _, small := range []float64{
		0.1, 0.01, 0.001, 0.0001, 0.2, 0.3, 0.4, 0.05, 0.02, 0.005, 0.002, 0.0005, 0.0002, 0.25, 0.35, 0.45, 0.15,
	} {
		list = append(list, math.Round((1-small)*1e4)/1e4, small)
	}
	return list
}

func logit(share float64) float64 { return math.Log(share / (1 - share)) }
