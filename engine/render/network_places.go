package render

import (
	"context"
	"math"
	"math/rand/v2"
)

// The room in which a network is laid out; what comes out is shares of it. A name is thought to be so wide and high there.
const (
	roomWidth, roomHeight = 1200.0, 760.0
	nameLetter, nameLine  = 7.2, 17.0
	nodeRoom              = 17.0 // the largest node's radius
)

// Places lays the network out, each node at x and y from 0 to 1 from the top-left corner: nodes push each other away and links
// draw their ends together, the more the larger their weights are both ways (Fruchterman and Reingold, "Graph Drawing by Force-directed
// Placement", 1991); at the end nodes give way until their names can be read, if there are not too many. The network must have passed
// Check. The same network gets the same places, to the bit. It takes about half a second for 500 nodes and is meant for the
// background; the error is the end of ctx.
func (n Network) Places(ctx context.Context) ([]Point, error) {
	count := len(n.Nodes)
	if count < 2 {
		return centred(count), ctx.Err()
	}
	l := layout{ctx: ctx, at: make([]Point, count), push: make([]Point, count), pulls: n.pulls()}
	r := rand.New(rand.NewPCG(uint64(count), uint64(len(n.Links))))
	for k := range l.at {
		l.at[k] = Point{float64((r.Float64() - 0.5) * roomWidth), float64((r.Float64() - 0.5) * roomHeight)}
	}
	if err := l.settle(); err != nil {
		return nil, err
	}
	l.lieDown()
	l.face(n.Order()[0])
	l.fill()
	if count <= mostNamed {
		l.part(n)
		l.fill()
	}
	for k, p := range l.at {
		l.at[k] = Point{p.X / roomWidth, p.Y / roomHeight}
	}
	return l.at, nil
}

// mostNamed is the number of nodes up to which there is room for all names.
const mostNamed = 150

func centred(count int) []Point {
	places := make([]Point, count)
	for k := range places {
		places[k] = Point{0.5, 0.5}
	}
	return places
}

// pull is what draws two nodes together.
type pull struct {
	a, b   int // a < b
	weight float64
}

// pulls are the links without direction, each with the mean of both ways' weights, in the order of the links.
func (n Network) pulls() []pull {
	var list []pull
	place := map[[2]int]int{}
	for _, l := range n.Links {
		ends := [2]int{min(l.From, l.To), max(l.From, l.To)}
		k, there := place[ends]
		if !there {
			k = len(list)
			place[ends] = k
			list = append(list, pull{a: ends[0], b: ends[1]})
		}
		list[k].weight += l.Weight / 2
	}
	return list
}

// layout moves nodes in the room, whose middle is at 0, 0. Products are rounded before they are added, so that no processor gets
// other places than another.
type layout struct {
	ctx      context.Context
	at, push []Point
	pulls    []pull
}

// settle moves the nodes by their forces, every round by less.
func (l *layout) settle() error {
	count := float64(len(l.at))
	const mostWork = 1.5e8 // pairs of nodes; larger networks get fewer rounds
	rounds := int(min(max(mostWork/(count*count), 40), 500))
	ideal := math.Sqrt(roomWidth * roomHeight / count)
	for round := range rounds {
		if err := l.ctx.Err(); err != nil {
			return err
		}
		for k := range l.push { // towards the middle, so that what hangs on nothing stays near
			l.push[k] = Point{float64(-0.06 * l.at[k].X), float64(-0.06 * l.at[k].Y * (roomWidth / roomHeight))}
		}
		l.repel(ideal)
		l.attract(ideal)
		l.move(float64(0.12 * roomWidth * (1 - float64(round)/float64(rounds))))
	}
	return nil
}

// repel pushes all pairs of nodes apart.
func (l *layout) repel(ideal float64) {
	for a := range l.at {
		p, push := l.at[a], l.push[a]
		for b := a + 1; b < len(l.at); b++ {
			dx, dy := p.X-l.at[b].X, p.Y-l.at[b].Y
			square := float64(dx*dx) + float64(dy*dy)
			if square < 1e-6 { // on top of each other: to the side
				dx, square = 1e-3, 1e-6
			}
			force := float64(ideal*ideal) / square
			push.X += float64(dx * force)
			push.Y += float64(dy * force)
			l.push[b].X -= float64(dx * force)
			l.push[b].Y -= float64(dy * force)
		}
		l.push[a] = push
	}
}

// attract draws the ends of links together.
func (l *layout) attract(ideal float64) {
	for _, p := range l.pulls {
		dx, dy := l.at[p.a].X-l.at[p.b].X, l.at[p.a].Y-l.at[p.b].Y
		force := float64(p.weight*math.Sqrt(float64(dx*dx)+float64(dy*dy))) / ideal
		l.push[p.a].X -= float64(dx * force)
		l.push[p.a].Y -= float64(dy * force)
		l.push[p.b].X += float64(dx * force)
		l.push[p.b].Y += float64(dy * force)
	}
}

// move follows the forces, at most so far.
func (l *layout) move(most float64) {
	for k, f := range l.push {
		share := 1.0
		if length := math.Sqrt(float64(f.X*f.X) + float64(f.Y*f.Y)); length > most {
			share = most / length
		}
		l.at[k].X += float64(f.X * share)
		l.at[k].Y += float64(f.Y * share)
	}
}

// lieDown turns the nodes so that they reach farthest from left to right, as windows and pages do.
func (l *layout) lieDown() {
	var x, y, xx, xy, yy float64
	for _, p := range l.at {
		x += p.X / float64(len(l.at))
		y += p.Y / float64(len(l.at))
	}
	for k, p := range l.at {
		l.at[k] = Point{p.X - x, p.Y - y}
		xx += float64((p.X - x) * (p.X - x))
		xy += float64((p.X - x) * (p.Y - y))
		yy += float64((p.Y - y) * (p.Y - y))
	}
	// The main axis of the scatter: the eigenvector of the larger eigenvalue of ((xx, xy), (xy, yy)).
	half := (xx - yy) / 2
	root := math.Sqrt(float64(half*half) + float64(xy*xy))
	axis := Point{half + root, xy}
	if half < 0 {
		axis = Point{xy, root - half}
	}
	length := math.Sqrt(float64(axis.X*axis.X) + float64(axis.Y*axis.Y))
	if length == 0 {
		return
	}
	c, s := axis.X/length, axis.Y/length
	for k, p := range l.at {
		l.at[k] = Point{float64(p.X*c) + float64(p.Y*s), float64(p.Y*c) - float64(p.X*s)}
	}
}

// face mirrors the nodes so that the most frequent one stands to the right of and above the middle: small changes of a network then
// rarely turn its picture over.
func (l *layout) face(node int) {
	x, y := 1.0, 1.0
	if l.at[node].X < 0 {
		x = -1
	}
	if l.at[node].Y > 0 {
		y = -1
	}
	for k, p := range l.at {
		l.at[k] = Point{x * p.X, y * p.Y}
	}
}

// fill stretches the nodes over the room, from its top-left corner on. A line of nodes stays one, in the middle.
func (l *layout) fill() {
	low, high := l.at[0], l.at[0]
	for _, p := range l.at {
		low = Point{min(low.X, p.X), min(low.Y, p.Y)}
		high = Point{max(high.X, p.X), max(high.Y, p.Y)}
	}
	stretch := func(v, low, high, room float64) float64 {
		if high-low < 1e-9 {
			return room / 2
		}
		return float64((v - low) / (high - low) * room)
	}
	for k, p := range l.at {
		l.at[k] = Point{stretch(p.X, low.X, high.X, roomWidth), stretch(p.Y, low.Y, high.Y, roomHeight)}
	}
}

// part moves nodes until the boxes around them and their names, which stand below, do not overlap.
func (l *layout) part(n Network) {
	half, radii := make([]Point, len(l.at)), n.radii(nodeRoom)
	for k, node := range n.Nodes {
		half[k] = Point{max(radii[k], float64(nameLetter*float64(len([]rune(node.Name)))/2)) + 6, radii[k] + nameLine/2 + 3}
	}
	for range 200 {
		moved := false
		for a := range l.at {
			for b := a + 1; b < len(l.at); b++ {
				dx, dy := l.at[a].X-l.at[b].X, l.at[a].Y-l.at[b].Y
				overX, overY := half[a].X+half[b].X-math.Abs(dx), half[a].Y+half[b].Y-math.Abs(dy)
				if overX <= 0 || overY <= 0 {
					continue
				}
				moved = true
				if overX < overY {
					by := math.Copysign(overX/2+0.5, dx)
					l.at[a].X, l.at[b].X = l.at[a].X+by, l.at[b].X-by
				} else {
					by := math.Copysign(overY/2+0.5, dy)
					l.at[a].Y, l.at[b].Y = l.at[a].Y+by, l.at[b].Y-by
				}
			}
		}
		if !moved {
			return
		}
	}
}
