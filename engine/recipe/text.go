package recipe

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/resample"
)

// maxSide bounds the sizes of a recipe, as package suite bounds those of images.
const maxSide = 1 << 15

// maxText bounds a text that is read as a recipe.
const maxText = 4096

// Read is Named where the text is a name, else Parse.
func Read(text string) (Part, error) {
	text = strings.TrimSpace(text)
	if r, ok := Named(text); ok {
		return Part{r, All}, nil
	}
	if !strings.Contains(text, "=") {
		return Part{}, fmt.Errorf("recipe %.60q is no name (%s) and no text such as "+
			"resize=shorter:256;crop=center:224x224", text, strings.Join(Names(), ", "))
	}
	return Parse(text)
}

// Parse reads a text of keys with values. A text with resize is a whole recipe, in which keys that
// are left out have their defaults. One without it says only the groups of keys that it names.
// Keys may have their default values; unknown ones, repeated ones and values out of bounds are
// errors.
func Parse(text string) (Part, error) {
	if len(text) > maxText {
		return Part{}, fmt.Errorf("a recipe of %d characters; at most %d are read", len(text), maxText)
	}
	p := Part{}
	p.Filter = resample.Bilinear
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(text, ";") {
		key, value, ok := strings.Cut(pair, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok {
			return Part{}, fmt.Errorf("recipe: %.60q is no KEY=VALUE", pair)
		}
		k := slices.IndexFunc(keys, func(k keyed) bool { return k.name == key })
		switch {
		case k < 0:
			return Part{}, fmt.Errorf("recipe: the key %.60q is unknown; the keys are %s", key, keyNames())
		case seen[key]:
			return Part{}, fmt.Errorf("recipe: the key %s is there twice", key)
		}
		seen[key] = true
		if err := keys[k].read(&p.Recipe, value); err != nil {
			return Part{}, fmt.Errorf("recipe: %s=%.60s: %w", key, value, err)
		}
		p.Sets |= keys[k].group
	}
	if seen["resize"] {
		p.Sets = All
	} else if p.Sets&OfGeometry != 0 {
		return Part{},
			fmt.Errorf("recipe: filter, crop and their like need a resize; write resize=none where there is none")
	}
	if err := p.Check(); err != nil {
		return Part{}, fmt.Errorf("recipe: %w", err)
	}
	return p, nil
}

// keyed is one key of the text.
type keyed struct {
	name  string
	group Keys
	read  func(r *Recipe, value string) error
}

var keys = []keyed{
	{"resize", OfGeometry, readResize},
	{"filter", OfGeometry, func(r *Recipe, value string) error {
		return choose(&r.Filter, value, resample.Kernels()...)
	}},
	{"antialias", OfGeometry, func(r *Recipe, value string) error { return flag(&r.Aliased, value, "1", "0") }},
	{"crop", OfGeometry, readCrop},
	{"offset", OfGeometry, func(r *Recipe, value string) error { return flag(&r.Floor, value, "round", "floor") }},
	{"pad", OfGeometry, readPad},
	{"depth", OfGeometry, func(r *Recipe, value string) error { return flag(&r.Float, value, "8", "float") }},
	{"channels", OfChannels, func(r *Recipe, value string) error { return choose(&r.Channels, value, RGB, BGR, Gray) }},
	{"scale", OfRange, readScale},
	{"shift", OfRange, func(r *Recipe, value string) (err error) { r.Shift, err = readNumber(value); return err }},
	{"mean", OfRange, func(r *Recipe, value string) (err error) { r.Mean, err = readNumbers(value); return err }},
	{"std", OfRange, func(r *Recipe, value string) (err error) { r.Std, err = readNumbers(value); return err }},
	{"layout", OfLayout, func(r *Recipe, value string) error {
		return choose(&r.Layout, value, "nchw", "nhwc", "chw", "hwc", "nhw", "hw")
	}},
	{"type", OfType, func(r *Recipe, value string) error {
		return choose(&r.Type, value, "float32", "float16", "float64", "uint8", "int8")
	}},
}

func keyNames() string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return strings.Join(names, ", ")
}

func choose[S ~string](into *S, value string, among ...S) error {
	if !slices.Contains(among, S(value)) {
		return fmt.Errorf("it is none of %v", among)
	}
	*into = S(value)
	return nil
}

func flag(into *bool, value, off, on string) error {
	if value != off && value != on {
		return fmt.Errorf("it is %s or %s", off, on)
	}
	*into = value == on
	return nil
}

func readResize(r *Recipe, value string) error {
	form, size, sized := strings.Cut(value, ":")
	if err := choose(&r.Resize, form, None, Stretch, Shorter, Longer, LongerRound); err != nil {
		return err
	}
	var err error
	switch {
	case r.Resize == None && sized:
		return fmt.Errorf("none takes no size")
	case r.Resize == None, r.Resize == Stretch && !sized:
	case r.Resize == Stretch:
		r.Height, r.Width, err = readSize(size)
	default:
		r.Height, err = readSide(size)
	}
	return err
}

func readCrop(r *Recipe, value string) (err error) {
	if value == string(None) {
		return nil
	}
	size, ok := strings.CutPrefix(value, "center:")
	if !ok {
		return fmt.Errorf("it is none or center:HxW")
	}
	r.CropHeight, r.CropWidth, err = readSize(size)
	return err
}

func readPad(r *Recipe, value string) error {
	values, err := readNumbers(value)
	if err != nil {
		return err
	}
	if len(values) != 1 && len(values) != 3 {
		return fmt.Errorf("it needs 1 or 3 numbers")
	}
	for c := range r.Pad {
		r.Pad[c] = values[min(c, len(values)-1)]
		if r.Pad[c] < 0 || r.Pad[c] > 255 {
			return fmt.Errorf("its numbers lie in 0..255")
		}
	}
	return nil
}

func readScale(r *Recipe, value string) (err error) {
	if r.Scale, err = readNumber(value); err == nil && r.Scale == 0 {
		return fmt.Errorf("it must not be 0")
	}
	return err
}

func readSize(text string) (height, width int, err error) {
	h, w, ok := strings.Cut(text, "x")
	if !ok {
		return 0, 0, fmt.Errorf("a size is HEIGHTxWIDTH, as 224x224")
	}
	if height, err = readSide(h); err != nil {
		return 0, 0, err
	}
	width, err = readSide(w)
	return height, width, err
}

func readSide(text string) (int, error) {
	side, err := strconv.Atoi(text)
	if err != nil || side < 1 || side > maxSide {
		return 0, fmt.Errorf("%q is no side of 1 to %d pixels", text, maxSide)
	}
	return side, nil
}

func readNumber(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no finite number", text)
	}
	return v, nil
}

func readNumbers(text string) ([]float64, error) {
	var values []float64
	for part := range strings.SplitSeq(text, ",") {
		v, err := readNumber(part)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// Check says what of a recipe cannot be computed.
func (r Recipe) Check() error {
	for _, l := range []struct {
		name   string
		values []float64
	}{{"mean", r.Mean}, {"std", r.Std}} {
		if n := len(l.values); n > 3 || n == 2 {
			return fmt.Errorf("%s has %d numbers; 1 or 3 are possible", l.name, n)
		}
		if slices.ContainsFunc(l.values, func(v float64) bool { return v-v != 0 }) {
			return fmt.Errorf("%s holds a number that is not finite", l.name)
		}
	}
	if slices.Contains(r.Std, 0) {
		return fmt.Errorf("std must not be 0")
	}
	return nil
}
