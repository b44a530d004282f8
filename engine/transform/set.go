package transform

import (
	"errors"
	"fmt"
	"strings"
)

// A transformation set is a named list of image changes whose first is the identity, without a
// sampling variable (DESIGN.md section 1). It shares the type Family, its plan and its place in
// keys; it has no Values, interpolation or border, and no variance matrix. Parse refuses it;
// ParseAny takes families and sets.

// The transformation sets: the images as they are, for predictions alone; rotations by 90, 180 and
// 270 degrees counter-clockwise, exact permutations of the pixels of a square image; the luminance
// in all three channels (spec/ei.md).
const (
	Plain     = "plain"
	Rot90     = "rot90"
	Grayscale = "grayscale"
)

// ErrSet says that a transformation set stands where a family is needed.
var ErrSet = errors.New("a transformation set has no sampling variable and so no variance matrix; choose a family, " +
	"such as rotation:-15:15:1")

// sets is the one table of transformation sets.
var sets = []set{
	{name: Plain, usual: Plain, words: "images as they are", steps: []string{"identity"}, still: true},
	{
		name: Rot90, usual: Rot90, words: "rotation by 90, 180 and 270 degrees",
		steps: []string{"identity", "rot90 90°", "rot90 180°", "rot90 270°"}, square: true, apply: quarterTurns,
	},
	{
		name: Grayscale, usual: Grayscale, words: "colours turned into grey", steps: []string{"identity", "grayscale"},
		coloured: true, apply: luminance,
	},
	{
		name: ShiftSet, usual: fmt.Sprintf("%s:%d:%d", ShiftSet, UsualGrid, UsualT), parse: parseShift,
		each: "shifted to region %d",
	},
	{
		name: MaskSet, usual: fmt.Sprintf("%s:%d", MaskSet, UsualGrid), parse: parseMask, each: "region %d deleted",
		still: true, apply: copies,
	},
	{name: ScenesSet, parse: parseScenes, each: "scene %d", apply: copies},
}

// set is what one name means.
type set struct {
	name string
	// canonical text to start with; empty for a set that no menu offers, since its parameters come
	// from elsewhere
	usual string
	words string   // what it does, in a sentence; empty for sets with parameters
	steps []string // names of the transformations for people, the identity first; nil for sets with parameters
	// parse reads the parameters behind the name, and each names transformation i > 0 for people;
	// for sets with parameters.
	parse func(rest string) (Family, error)
	each  string
	// still sets leave all images as they are, square ones need as many rows as columns, coloured
	// ones three channels.
	still, square, coloured bool
	// apply writes one whole image of channels x height x width pixels under transformation i,
	// which is not the identity. Where it is nil, Plan makes it.
	apply func(dst, src []float32, size imageSize, i int)
}

// imageSize is the size of one image.
type imageSize struct{ channels, height, width int }

// Sets returns the names of the transformation sets in the order of menus; Default gives the text
// to begin with. The set of composites is not among them: which one there is, a workspace's
// selections say.
func Sets() []string {
	var names []string
	for _, s := range sets {
		if s.usual != "" {
			names = append(names, s.name)
		}
	}
	return names
}

func setOf(name string) (set, bool) {
	for _, s := range sets {
		if s.name == name {
			return s, true
		}
	}
	return set{}, false
}

// IsSet tells whether a canonical text means a transformation set, as its name does: "rot90",
// "shift:3:5".
func IsSet(text string) bool {
	name, _ := nameOf(text)
	_, ok := setOf(name)
	return ok
}

// nameOf cuts a text behind the name.
func nameOf(text string) (name, rest string) {
	if at := strings.IndexAny(text, ":;"); at >= 0 {
		return text[:at], text[at:]
	}
	return text, ""
}

// IdentityOf is the index of the identity among count transformations of the family or set with
// this canonical text: the first one of a set, the middle one of a family.
func IdentityOf(text string, count int) int {
	if IsSet(text) {
		return 0
	}
	return count / 2
}

// ParseAny reads a family as Parse does, or a transformation set: its name, which is its canonical
// text, and for shift, mask and scenes the parameters behind it (Shift, Mask, Scenes).
func ParseAny(text string) (Family, error) {
	name, rest := nameOf(text)
	name = strings.TrimSpace(name)
	s, isSet := setOf(name)
	_, isFamily := kindOf(name)
	switch {
	case isFamily:
		return Parse(text)
	case !isSet:
		return Family{}, fmt.Errorf("family %q: unknown name %q; known are %s, and the transformation sets %s",
			text, name, strings.Join(Names(), ", "), strings.Join(Sets(), ", "))
	case s.parse != nil:
		f, err := s.parse(rest)
		if err != nil {
			return Family{}, fmt.Errorf("transformation set %q: %w", text, err)
		}
		return f, nil
	case rest != "":
		return Family{}, fmt.Errorf("transformation set %q: %s takes neither values nor options; leave out %q", text,
			name, rest)
	}
	return Family{name: name}, nil
}

// IsSet tells whether this is a transformation set.
func (f Family) IsSet() bool { return IsSet(f.name) }

// ChangesImages tells whether any image looks different under a transformation. It does not for
// plain, which has none, nor for mask, which changes the model: these say nothing about invariance
// to changes of images.
func (f Family) ChangesImages() bool {
	s, _ := setOf(f.name)
	return f.name != "" && !s.still
}

// Describe names transformation i for people: "rotation -12°", "rot90 180°", "grayscale", "shifted
// to region 5", "region 5 deleted", "scene 5"; "identity" for the identity.
func (f Family) Describe(i int) string {
	s, ok := setOf(f.name)
	switch {
	case ok && s.steps != nil:
		return s.steps[i]
	case i == f.Identity():
		return "identity"
	case ok:
		return fmt.Sprintf(s.each, i)
	}
	return fmt.Sprintf("%s %v%s", f.name, f.Values()[i], f.Unit())
}

// Fits says why images of channels x height x width pixels cannot be put under the transformations;
// nil where Plan makes tables for them: sides that are below 1 or too long, tables of more than 2
// GiB, and for a set that rotates by right angles images that are not square, for one that takes
// colours away images that have none.
func (f Family) Fits(channels, height, width int) error {
	if height < 1 || width < 1 || height > maxSide || width > maxSide {
		return fmt.Errorf("family %s: images of %d x %d pixels cannot be transformed; sides from 1 to %d are possible",
			f.Short(), height, width, maxSide)
	}
	if f.name == "" {
		return errors.New("no family of transformations is chosen")
	}
	if s, ok := setOf(f.name); ok {
		return s.fits(channels, height, width)
	}
	if !f.Geometric() {
		return nil
	}
	if bytes := int64(f.N()) * int64(height) * int64(width) * tapBytes(f.interpolation); bytes > maxPlanBytes {
		return fmt.Errorf("family %s: %d transformations of %d x %d pixels need more than 2 GiB of tables; use a "+
			"smaller input size or fewer transformations", f.Short(), f.N(), height, width)
	}
	return nil
}

func (s set) fits(channels, height, width int) error {
	switch {
	case s.square && height != width:
		return fmt.Errorf("%s turns images by right angles; it needs square ones, and these have %d x %d pixels",
			s.name, height, width)
	case s.coloured && channels == 1:
		return fmt.Errorf("%s is not applicable to images of one channel, which have no colours", s.name)
	case s.coloured && channels != 3:
		return fmt.Errorf("%s needs images of three channels, red, green and blue; these have %d", s.name, channels)
	}
	return nil
}

// quarterTurns rotates every channel of a square image by i times 90 degrees counter-clockwise: for
// i = 1 out[y][x] = in[x][W-1-y] (spec/ei.md).
func quarterTurns(dst, src []float32, size imageSize, i int) {
	side := size.width
	area := side * side
	for c := range size.channels {
		in, out := src[c*area:(c+1)*area], dst[c*area:(c+1)*area]
		for y := range side {
			at, step := 0, 0 // where the row's first pixel comes from, and how far its neighbour lies from there
			switch i {
			case 1:
				at, step = side-1-y, side
			case 2:
				at, step = area-1-y*side, -1
			case 3:
				at, step = area-side+y, -side
			}
			row := out[y*side : (y+1)*side]
			for x := range row {
				row[x] = in[at]
				at += step
			}
		}
	}
}

// luminance writes Y = 0.299 R + 0.587 G + 0.114 B into all three channels, computed in float64 and
// rounded once. The conversions keep products apart, so that all processors round alike.
func luminance(dst, src []float32, size imageSize, _ int) {
	area := size.height * size.width
	red, green, blue := src[:area], src[area:2*area], src[2*area:3*area]
	for x := range area {
		y := float32(float64(0.299*float64(red[x])) + float64(0.587*float64(green[x])) +
			float64(0.114*float64(blue[x])))
		dst[x], dst[area+x], dst[2*area+x] = y, y, y
	}
}
