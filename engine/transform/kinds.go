package transform

// kinds is the one table of family names. A new family is a small file that declares its kind, and
// a line here.
var kinds = []kind{rotation, brightness, scaling, translationX, translationY, shear, contrast}

// kind is what one family name means. Exactly one of source and pixels is set.
type kind struct {
	name string
	// preset is the paper's setting, or one in its manner.
	preset string
	unit   string
	// words say the range in a sentence, with the lower and the upper end; step is the unit behind
	// a step. With percent V is a share that is told in percent.
	words, step string
	percent     bool
	// factors: the values are scale factors 1 + v instead of v.
	factors bool
	// limit bounds the half-width alpha from above (exclusive), 0 for none; reason ends the
	// message.
	limit  int64
	reason string
	// source is a geometric family: it maps an output pixel to the place in the source image that
	// it shows.
	source func(value float64, g grid) locate
	// pixels is a family that changes pixel values alone. dst and src are one whole image, all
	// channels.
	pixels func(dst, src []float32, value float64)
}

// grid is an image size with its centre ((H-1)/2, (W-1)/2).
type grid struct {
	height, width int
	cy, cx        float64
}

// locate maps the offset (dy, dx) of an output pixel from the centre to source coordinates.
type locate func(dy, dx float64) (y, x float64)

// geometric tells whether the kind samples the image elsewhere, so that interpolation and border
// matter.
func (k kind) geometric() bool { return k.source != nil }

func kindOf(name string) (kind, bool) {
	for _, k := range kinds {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}

// Names returns the names of all families in the order of menus.
func Names() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// Default returns the usual setting of a family or set as text that ParseAny reads: the paper's
// where there is one (spec/variance.md section 2). ok is false for an unknown name, and for a set
// that has no usual setting.
func Default(name string) (text string, ok bool) {
	if s, ok := setOf(name); ok {
		return s.usual, s.usual != ""
	}
	k, ok := kindOf(name)
	return k.preset, ok
}
