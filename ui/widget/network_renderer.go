package widget

import (
	"image"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
)

// networkRenderer draws the links into one raster of the widget's real pixels, anew only when
// these or their look have changed; nodes and names are canvas objects.
type networkRenderer struct {
	drawn
	n     *Network
	lines *canvas.Raster
	links []linkLayer
	scale float32 // width of the widget that the links were made for
}

// linkLayer are links of one colour, copied so that the raster never reads the widget.
type linkLayer struct {
	colour color.NRGBA
	arrows []render.Arrow
}

func newNetworkRenderer(n *Network) *networkRenderer {
	r := &networkRenderer{n: n}
	r.drawn = drawn{of: n, draw: r.build}
	r.lines = canvas.NewRaster(func(w, h int) image.Image { return drawLinks(r.links, r.scale, w, h) })
	r.build(n.Size())
	return r
}

// MinSize implements fyne.WidgetRenderer.
func (r *networkRenderer) MinSize() fyne.Size { return fyne.NewSize(200, 150) }

func (r *networkRenderer) build(size fyne.Size) {
	st := styleOf(r.n)
	r.objects = nil
	switch _, _, width, height := r.n.room(); {
	case len(r.n.data.Nodes) == 0:
		r.objects = append(r.objects, emptyText(r.n.data.Empty, size, st))
		return
	case !r.n.laidOut():
		r.objects = append(r.objects, emptyText("Finding places for the nodes…", size, st))
		return
	case width < 60 || height < 60:
		r.objects = append(r.objects, emptyText(tooSmall, size, st))
		return
	}
	r.raster(size, st)
	r.nodes(size, st)
	r.names(size, st)
	if r.n.Menu != nil {
		r.objects = append(r.objects, menuSign(size))
	}
	if r.n.focused {
		edge := canvas.NewRectangle(color.Transparent)
		edge.StrokeColor, edge.StrokeWidth = st.focus, 2
		edge.Resize(size)
		r.objects = append(r.objects, edge)
	}
}

// raster has the links drawn anew where they have changed.
func (r *networkRenderer) raster(size fyne.Size, st style) {
	links := r.layers(st)
	same := r.scale == size.Width && slices.EqualFunc(r.links, links, func(a, b linkLayer) bool {
		return a.colour == b.colour && slices.Equal(a.arrows, b.arrows)
	})
	r.links, r.scale = links, size.Width
	r.lines.Resize(size)
	if !same {
		r.lines.Refresh()
	}
	r.objects = append(r.objects, r.lines)
}

// linkShades is how many opacities links have: those of one shade are drawn at once.
const linkShades = 5

// layers are the links that are shown, dimmed ones below, then by rising strength, those by hand
// above, the one under the pointer on top.
func (r *networkRenderer) layers(st style) []linkLayer {
	const kinds = 3 // plain, around the selected node, by hand
	var shades [kinds][linkShades]linkLayer
	dim := linkLayer{colour: seeThrough(st.foreground, 0.05)}
	if len(r.n.data.Links) > crowdedLinks {
		dim.colour.A /= 2
	}
	for k, l := range r.n.data.Links {
		if l.Weight < r.n.least || k == r.n.link {
			continue
		}
		if r.n.dimmed(k) {
			dim.arrows = append(dim.arrows, r.n.arrow(k))
			continue
		}
		shade := min(int(l.Weight*linkShades), linkShades-1)
		kind := 0
		if l.Marked {
			kind = 2
		} else if r.n.near != nil {
			kind = 1
		}
		layer := &shades[kind][shade]
		layer.colour = r.linkColour(kind, shade, st)
		layer.arrows = append(layer.arrows, r.n.arrow(k))
	}
	layers := []linkLayer{dim}
	for _, kind := range shades {
		layers = append(layers, kind[:]...)
	}
	if r.n.link >= 0 {
		arrow := r.n.arrow(r.n.link)
		arrow.Width += 1.5
		layers = append(layers, linkLayer{seeThrough(st.primary, 1), []render.Arrow{arrow}})
	}
	return layers
}

// linkColour is the colour of a shade of links: of the text, and orange for those by hand;
// stronger around the selected node.
func (r *networkRenderer) linkColour(kind, shade int, st style) color.NRGBA {
	_, opacity := render.LinkLook((float64(shade) + 0.75) / linkShades)
	if len(r.n.data.Links) > crowdedLinks && kind == 0 {
		opacity *= 0.4
	}
	switch kind {
	case 1:
		return seeThrough(st.foreground, 0.25+opacity)
	case 2:
		return seeThrough(colourOf(result.LookVariant, st.background), 0.3+opacity)
	}
	return seeThrough(st.foreground, opacity)
}

// seeThrough is a colour of an opacity.
func seeThrough(c color.Color, opacity float64) color.NRGBA {
	s := solid(c)
	s.A = uint8(min(opacity, 1)*0xff + 0.5)
	return s
}

// drawLinks draws the links into w x h pixels that stand for a widget of this width.
func drawLinks(layers []linkLayer, width float32, w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	if width <= 0 {
		return img
	}
	scale := float64(w) / float64(width)
	for _, layer := range layers {
		arrows := make([]render.Arrow, len(layer.arrows))
		for k, a := range layer.arrows {
			arrows[k] = render.Arrow{
				From: render.Point{X: a.From.X * scale, Y: a.From.Y * scale}, To: render.Point{X: a.To.X * scale, Y: a.To.Y * scale},
				FromRadius: a.FromRadius * scale, ToRadius: a.ToRadius * scale, Bow: a.Bow, Width: a.Width * scale,
			}
		}
		render.Arrows(img, arrows, layer.colour)
	}
	return img
}

// hiddenNode tells whether a node lies outside of the widget.
func hiddenNode(p fyne.Position, radius float32, size fyne.Size) bool {
	return p.X < -radius || p.Y < -radius || p.X > size.Width+radius || p.Y > size.Height+radius
}

// nodes draws the nodes, small ones over large ones, with a halo where they were searched for and
// a ring where they are selected or meant.
func (r *networkRenderer) nodes(size fyne.Size, st style) {
	fill := colourOf(result.LookInvariant, st.background)
	for _, k := range r.n.order {
		p, radius := r.n.place(k), float32(r.n.radius(k))
		if hiddenNode(p, radius+8, size) {
			continue
		}
		if r.n.found[k] {
			r.disc(p, radius+6, seeThrough(colourOf(result.LookVariant, st.background), 0.45), color.Transparent, 0)
		}
		colour := solid(fill)
		if r.n.near != nil && r.n.near[k] < 0 {
			colour = mixed(fill, st.background, 0.25)
		}
		r.disc(p, radius, colour, st.background, 1)
		switch {
		case k == r.n.selected:
			r.disc(p, radius+3, color.Transparent, st.foreground, 2.5)
		case k == r.n.node:
			r.disc(p, radius+2, color.Transparent, st.foreground, 1.2)
		}
	}
}

// mixed is a share of one colour over another one.
func mixed(c, ground color.Color, share float64) color.NRGBA {
	a, b := solid(c), solid(ground)
	mix := func(a, b uint8) uint8 { return uint8(float64(a)*share + float64(b)*(1-share) + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

func (r *networkRenderer) disc(at fyne.Position, radius float32, fill, stroke color.Color, width float32) {
	circle := canvas.NewCircle(fill)
	circle.StrokeColor, circle.StrokeWidth = stroke, width
	circle.Resize(fyne.NewSquareSize(2 * radius))
	circle.Move(at.SubtractXY(radius, radius))
	r.objects = append(r.objects, circle)
}

// longestName is how wide a name may be, in letters of the usual size.
const longestName = 150

// names writes the names for which there is room, those first that matter most now.
func (r *networkRenderer) names(size fyne.Size, st style) {
	order, must := r.ranked()
	names := make([]render.Name, len(r.n.data.Nodes))
	list := make([]*canvas.Text, len(names))
	for k, node := range r.n.data.Nodes {
		p, radius := r.n.place(k), r.n.radius(k)
		names[k] = render.Name{At: render.Point{X: float64(p.X), Y: float64(p.Y)}, Radius: radius, Faint: r.n.near != nil && r.n.near[k] < 0}
		if k == r.n.selected {
			names[k].Radius += 4 // its ring
		}
		if hiddenNode(p, 0, size) {
			continue
		}
		text := newText("", st.foreground, st.caption)
		text.TextStyle.Bold = k == r.n.selected
		text.Text = shorten(node.Name, st.caption, min(longestName*Grown(), size.Width), text.TextStyle.Bold)
		if r.n.near != nil && r.n.near[k] < 0 {
			text.Color = mixed(st.foreground, st.background, 0.4)
		}
		box := text.MinSize()
		names[k].Width, names[k].Height = float64(box.Width), float64(box.Height)
		list[k] = text
	}
	boxes := render.PlaceNames(names, order, must, float64(size.Width), float64(size.Height))
	for k, text := range list {
		if text == nil || text.Text == "" || !boxes[k].Shown {
			continue
		}
		placeText(text, float32(boxes[k].X), float32(boxes[k].Y))
		ground := canvas.NewRectangle(faded(st.background, 0.75))
		ground.CornerRadius = 3
		ground.Resize(text.Size().AddWidthHeight(2, -1))
		ground.Move(text.Position().AddXY(-1, 0.5))
		r.objects = append(r.objects, ground, text)
	}
}

// ranked are the nodes in the order in which they get their names: selected, under the pointer,
// searched for, near the selected one, then by their count. The first `must` of them always get
// theirs.
func (r *networkRenderer) ranked() (order []int, must int) {
	n := r.n
	rank := func(k int) int {
		switch {
		case k == n.selected:
			return 0
		case k == n.node:
			return 1
		case n.found[k]:
			return 2
		case n.near != nil && n.near[k] >= 0:
			return 3 + n.near[k]
		}
		return 4 + n.hops
	}
	order = slices.Clone(n.order)
	slices.SortStableFunc(order, func(a, b int) int { return rank(a) - rank(b) })
	for _, k := range order {
		if rank(k) > 1 {
			break
		}
		must++
	}
	return order, must
}
