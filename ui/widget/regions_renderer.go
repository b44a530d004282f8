package widget

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/variscope/variscope/engine/render"
)

// regionRoom is the room around the regions, for the focus ring and the cursor.
const regionRoom = 4

// regionsRenderer lays a picture of n x n pixels over the image: never an object per region but for its number.
type regionsRenderer struct {
	drawn
	r            *Regions
	image, cells *canvas.Image
}

func newRegionsRenderer(r *Regions) *regionsRenderer {
	stretched := func() *canvas.Image {
		return &canvas.Image{FillMode: canvas.ImageFillStretch, ScaleMode: canvas.ImageScalePixels}
	}
	v := &regionsRenderer{r: r, image: stretched(), cells: stretched()}
	v.drawn = drawn{of: r, draw: v.build}
	v.build(r.Size())
	return v
}

// MinSize implements fyne.WidgetRenderer.
func (v *regionsRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(96) }

// build makes the objects anew for a size. The images stay, so that their textures are kept while only the cursor moves.
func (v *regionsRenderer) build(size fyne.Size) {
	st, n := styleOf(v.r), v.r.picture.N
	v.objects = v.objects[:0]
	v.r.area = v.place(size)
	if v.r.area.width < 1 || v.r.area.height < 1 {
		v.r.area = box{}
		return
	}
	if n == 0 {
		v.absent(size, st)
	} else {
		v.pictures()
		v.regions(n, st)
		v.marks(n, st)
	}
	if v.r.focused {
		v.outline(v.r.area, 3, 2, st.primary)
	}
	if v.r.Menu != nil {
		v.objects = append(v.objects, menuSign(size))
	}
}

// place is the largest box in the image's proportions, of whole pixels and in the middle.
func (v *regionsRenderer) place(size fyne.Size) box {
	room := fyne.NewSize(size.Width-2*regionRoom, size.Height-2*regionRoom)
	if v.r.Menu != nil {
		room.Width -= menuSide
	}
	wide, high := float32(1), float32(1)
	if gray := v.r.gray; gray != nil && !gray.Rect.Empty() {
		wide, high = float32(gray.Rect.Dx()), float32(gray.Rect.Dy())
	}
	scale := min(room.Width/wide, room.Height/high)
	b := box{width: whole(wide * scale), height: whole(high * scale)}
	b.x, b.y = regionRoom+whole((room.Width-b.width)/2), regionRoom+whole((room.Height-b.height)/2)
	return b
}

func (v *regionsRenderer) absent(size fyne.Size, st style) {
	area := v.r.area
	v.objects = append(v.objects, hatching(area, max(8, area.width/20), faded(st.faint, 0.45))...)
	v.outline(area, 0, 1, st.line)
	v.objects = append(v.objects, reasonOver(area, v.r.picture.Absent, size.Width, st)...)
}

// pictures puts the image and the cells in place.
func (v *regionsRenderer) pictures() {
	area := v.r.area
	if gray := v.r.gray; gray != nil {
		mode := canvas.ImageScalePixels
		if float32(gray.Rect.Dx()) > area.width { // shrunk, it would lose lines
			mode = canvas.ImageScaleSmooth
		}
		if v.image.Image != image.Image(gray) || v.image.ScaleMode != mode {
			v.image.Image, v.image.ScaleMode = gray, mode
			v.image.Refresh()
		}
		v.stretch(v.image)
	}
	if v.cells.Image != v.r.cells {
		v.cells.Image = v.r.cells
		v.cells.Refresh()
	}
	v.stretch(v.cells)
}

func (v *regionsRenderer) stretch(img *canvas.Image) {
	img.Resize(fyne.NewSize(v.r.area.width, v.r.area.height))
	img.Move(fyne.NewPos(v.r.area.x, v.r.area.y))
	v.objects = append(v.objects, img)
}

// regions draws what lies on the cells: hatching, the lines between them, and the numbers.
func (v *regionsRenderer) regions(n int, st style) {
	area := v.r.area
	for region := 1; region <= n*n; region++ {
		if !math.IsNaN(v.r.value(region)) {
			continue
		}
		cell := area.cell(region, n)
		ground := canvas.NewRectangle(faded(st.background, 0.6))
		ground.Move(fyne.NewPos(cell.x, cell.y))
		ground.Resize(fyne.NewSize(cell.width, cell.height))
		v.objects = append(v.objects, ground)
		v.objects = append(v.objects, hatching(cell, min(8, cell.width/2), faded(st.faint, 0.8))...)
	}
	line := faded(st.background, 0.5)
	for k := 1; k < n; k++ {
		x, y := area.x+area.width*float32(k)/float32(n), area.y+area.height*float32(k)/float32(n)
		v.objects = append(v.objects, newLine(line, x, area.y, x, area.y+area.height), newLine(line, area.x, y, area.x+area.width, y))
	}
	v.outline(area, 0, 1, st.line)
	v.numbers(n, st)
}

// numbers writes every number on a ground in the full colour of its value, in black or white, so that it can be read on any
// image; in small letters where they need it, and not at all where they would not fit either.
func (v *regionsRenderer) numbers(n int, st style) {
	if v.r.picture.Text == nil {
		return
	}
	list := make([]string, n*n)
	for k := range list {
		if value := v.r.value(k + 1); !math.IsNaN(value) {
			list[k] = v.r.picture.Text(value)
		}
	}
	text := v.fitting(list, n, st)
	if text == 0 {
		return
	}
	scale := v.r.picture.Scale.Signed()
	for k, number := range list {
		if number == "" {
			continue
		}
		colour := scale.Color(v.r.value(k + 1))
		cell := v.r.area.cell(k+1, n)
		t := newText(number, render.Legible(colour), text)
		size := t.MinSize()
		at := fyne.NewPos(whole(cell.x+(cell.width-size.Width)/2), whole(cell.y+(cell.height-size.Height)/2))
		ground := canvas.NewRectangle(colour)
		ground.CornerRadius = 3
		ground.Move(at.SubtractXY(3, 0))
		ground.Resize(size.AddWidthHeight(6, 0))
		placeText(t, at.X, at.Y)
		v.objects = append(v.objects, ground, t)
	}
}

// fitting is the size of letters in which all numbers fit into their cells, 0 for none.
func (v *regionsRenderer) fitting(list []string, n int, st style) float32 {
	for _, text := range []float32{st.text, st.caption} {
		var most fyne.Size
		for _, number := range list {
			most = most.Max(measure(number, text, false))
		}
		if most.Width+10 <= v.r.area.width/float32(n) && most.Height+2 <= v.r.area.height/float32(n) {
			return text
		}
	}
	return 0
}

// marks outlines the marked regions and the chosen one, in two tones that are seen on any colour.
func (v *regionsRenderer) marks(n int, st style) {
	for _, region := range v.r.marked {
		if region < 1 || region > n*n {
			continue
		}
		cell := v.r.area.cell(region, n)
		v.outline(cell, -1, 3, st.primary)
		v.outline(cell, -4, 1, st.background)
	}
	if v.r.region < 1 || v.r.region > n*n {
		return
	}
	cell := v.r.area.cell(v.r.region, n)
	v.outline(cell, 1, 1, color.Black)
	v.outline(cell, 0, 1, color.White)
}

// outline draws a frame around a box, so far outside of it.
func (v *regionsRenderer) outline(b box, beyond, width float32, c color.Color) {
	frame := canvas.NewRectangle(color.Transparent)
	frame.StrokeColor, frame.StrokeWidth = c, width
	frame.Move(fyne.NewPos(b.x-beyond, b.y-beyond))
	frame.Resize(fyne.NewSize(b.width+2*beyond, b.height+2*beyond))
	v.objects = append(v.objects, frame)
}
