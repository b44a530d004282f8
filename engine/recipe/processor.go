package recipe

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/resample"
)

// processor are the keys of transformers' image processors. A nil key is not in the file.
type processor struct {
	ImageProcessor   string          `json:"image_processor_type"`
	FeatureExtractor string          `json:"feature_extractor_type"`
	DoResize         *bool           `json:"do_resize"`
	Size             json.RawMessage `json:"size"`
	Resample         *int            `json:"resample"`
	CropPct          *float64        `json:"-"` // read with timm's keys
	DoCenterCrop     *bool           `json:"do_center_crop"`
	CropSize         json.RawMessage `json:"crop_size"`
	DoRescale        *bool           `json:"do_rescale"`
	RescaleFactor    *float64        `json:"rescale_factor"`
	RescaleOffset    *bool           `json:"rescale_offset"`
	DoNormalize      *bool           `json:"do_normalize"`
	ImageMean        oneOrMore       `json:"image_mean"`
	ImageStd         oneOrMore       `json:"image_std"`
	IncludeTop       *bool           `json:"include_top"`
	FlipChannels     *bool           `json:"do_flip_channel_order"`
	// What is read only to be refused: it changes pixels in ways that a recipe has no words for.
	DoPad           *bool    `json:"do_pad"`
	DoThumbnail     *bool    `json:"do_thumbnail"`
	DoColorQuantize *bool    `json:"do_color_quantize"`
	KeepAspectRatio *bool    `json:"keep_aspect_ratio"`
	MultipleOf      *float64 `json:"ensure_multiple_of"`
	SizeDivisor     *float64 `json:"size_divisor"`
}

// oneOrMore is a number or a list of numbers.
type oneOrMore []float64

func (l *oneOrMore) UnmarshalJSON(data []byte) error {
	var one float64
	if json.Unmarshal(data, &one) == nil && string(data) != "null" {
		*l = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(data, (*[]float64)(l))
}

// says tells whether a file has keys of an image processor.
func (p processor) says() bool {
	return p.class() != "" || p.DoResize != nil || p.DoNormalize != nil || p.DoRescale != nil || p.ImageMean != nil
}

// class is the processor's name without what it is: ConvNext of ConvNextImageProcessorFast.
func (p processor) class() string {
	name := p.ImageProcessor
	name = cmp.Or(name, p.FeatureExtractor)
	name = strings.TrimSuffix(name, "Fast")
	return strings.TrimSuffix(strings.TrimSuffix(name, "ImageProcessor"), "FeatureExtractor")
}

// class is what is known of a processor: its form of resizing, and what it does where its file
// lacks a key.
type class struct {
	shorter   bool // a number alone is the shorter side, else both sides
	size      int
	filter    resample.Kernel
	crop      int // 0: it does not crop
	mean, std []float64
}

// classes are the processors whose defaults are certain, by their names in small letters.
var classes = map[string]class{
	"vit":          {false, 224, resample.Bilinear, 0, halfMean, halfStd},
	"siglip":       {false, 224, resample.Bicubic, 0, halfMean, halfStd},
	"deit":         {false, 256, resample.Bicubic, 224, halfMean, halfStd},
	"beit":         {false, 256, resample.Bicubic, 224, halfMean, halfStd},
	"efficientnet": {false, 346, resample.Nearest, 0, halfMean, halfStd},
	"clip":         {true, 224, resample.Bicubic, 224, clipMean, clipStd},
	"bit":          {true, 224, resample.Bicubic, 224, clipMean, clipStd},
	"levit":        {true, 224, resample.Bicubic, 224, imagenetMean, imagenetStd},
	"mobilenetv1":  {true, 256, resample.Bilinear, 224, halfMean, halfStd},
	"mobilenetv2":  {true, 256, resample.Bilinear, 224, halfMean, halfStd},
	convNext:       {true, 384, resample.Bilinear, 0, halfMean, halfStd},
}

const (
	convNext    = "convnext"
	convNextPct = 224. / 256
)

// kindOf finds what is known of a processor. ResNet and RegNet have that of ConvNext.
func kindOf(name string) (string, class, bool) {
	name = strings.ToLower(name)
	for _, like := range []string{convNext, "resnet", "regnet"} {
		if strings.HasPrefix(name, like) {
			name = convNext
		}
	}
	c, ok := classes[name]
	return name, c, ok
}

// part is what the processor does, in its order: resize, crop, rescale, normalise.
func (p processor) part() (Part, error) {
	name, known, sure := kindOf(p.class())
	lacks := func(key string) error {
		if shown := p.class(); shown != "" {
			return fmt.Errorf("the image processor %s is not known, and its file lacks %s; %w", shown, key, errRecipe)
		}
		return fmt.Errorf("it names no image_processor_type and lacks %s; %w", key, errRecipe)
	}
	if err := p.refused(name, sure); err != nil {
		return Part{}, err
	}
	r := Recipe{Geometry: Geometry{Resize: None, Filter: resample.Bilinear, Floor: true}}
	if p.DoResize == nil && !sure {
		return Part{}, lacks("do_resize")
	}
	if p.DoResize == nil || *p.DoResize {
		if err := p.resize(&r, name, known, sure, lacks); err != nil {
			return Part{}, err
		}
	}
	if name != convNext {
		if err := p.crop(&r, known, sure, lacks); err != nil {
			return Part{}, err
		}
	}
	if err := p.values(&r, name, known, sure, lacks); err != nil {
		return Part{}, err
	}
	if p.FlipChannels != nil && *p.FlipChannels {
		r.Channels = BGR
	}
	if r.CropHeight == 0 {
		r.Floor = false // there is nothing to place
	}
	if err := r.Check(); err != nil {
		return Part{}, err
	}
	return Part{r, OfGeometry | OfChannels | OfRange}, nil
}

// refused names what a recipe has no words for.
func (p processor) refused(name string, sure bool) error {
	set := func(b *bool) bool { return b != nil && *b }
	for _, k := range []struct {
		key string
		set bool
	}{
		{"do_pad", set(p.DoPad)},
		{"do_thumbnail", set(p.DoThumbnail)},
		{"do_color_quantize", set(p.DoColorQuantize)},
		{"keep_aspect_ratio", set(p.KeepAspectRatio)},
		{"ensure_multiple_of", p.MultipleOf != nil && *p.MultipleOf > 1},
		{"size_divisor", p.SizeDivisor != nil},
		{"crop_pct", p.CropPct != nil && !sure},
	} {
		if k.set {
			return fmt.Errorf("the image processor %s has %s, which is not understood; %w", p.class(), k.key, errRecipe)
		}
	}
	if name == "mobilevit" && p.FlipChannels == nil {
		return fmt.Errorf("the image processor %s does not say do_flip_channel_order; %w", p.class(), errRecipe)
	}
	return nil
}

// sized are the forms of size and crop_size.
type sized struct {
	Height   int `json:"height"`
	Width    int `json:"width"`
	Shortest int `json:"shortest_edge"`
	Longest  int `json:"longest_edge"`
}

// readSized reads a size: an object, a number, or a list of two equal numbers. alone is a number.
func readSized(key string, data json.RawMessage) (s sized, alone int, err error) {
	var list []int
	switch {
	case json.Unmarshal(data, &alone) == nil:
	case json.Unmarshal(data, &list) == nil:
		if len(list) != 2 || list[0] != list[1] {
			return s, 0, fmt.Errorf("%s %s leaves open which side is which; %w", key, data, errRecipe)
		}
		s.Height, s.Width = list[0], list[1]
	default:
		err = json.Unmarshal(data, &s)
	}
	sides := []int{s.Height, s.Width, s.Shortest, alone}
	if err != nil || s.Longest != 0 || (s.Height > 0) != (s.Width > 0) || slices.Max(sides) < 1 ||
		slices.Max(sides) > maxSide || slices.Min(sides) < 0 {
		return s, 0, fmt.Errorf("%s %.60s is not understood; {\"height\": 224, \"width\": 224}, {\"shortest_edge\": "+
			"224} and 224 are; or %w", key, data, errRecipe)
	}
	return s, alone, nil
}

func (p processor) resize(r *Recipe, name string, known class, sure bool, lacks func(string) error) error {
	s := sized{Height: known.size, Width: known.size}
	if known.shorter {
		s = sized{Shortest: known.size}
	}
	if p.has(p.Size) {
		given, alone, err := readSized("size", p.Size)
		if err != nil {
			return err
		}
		s = given
		switch {
		case alone > 0 && !sure:
			return lacks("whether size is the shorter side")
		case alone > 0 && known.shorter:
			s = sized{Shortest: alone}
		case alone > 0:
			s = sized{Height: alone, Width: alone}
		case s.Shortest > 0 && sure && !known.shorter:
			s = sized{Height: s.Shortest, Width: s.Shortest}
		}
	} else if !sure {
		return lacks("size")
	}
	switch side := s.Shortest; {
	case s.Height > 0 && name == convNext:
		return fmt.Errorf("size %s is not understood with the image processor %s, which takes a shortest_edge; %w",
			p.Size, p.class(), errRecipe)
	case s.Height > 0:
		r.Resize, r.Height, r.Width = Stretch, s.Height, s.Width
	case name == convNext && side >= 384:
		r.Resize, r.Height, r.Width = Stretch, side, side
	case name == convNext:
		pct := convNextPct
		if p.CropPct != nil {
			pct = *p.CropPct
		}
		if !(pct > 0.01 && pct <= 100) {
			return fmt.Errorf("crop_pct %v is no share; %w", pct, errRecipe)
		}
		r.Resize, r.Height = Shorter, int(float64(side)/pct)
		r.CropHeight, r.CropWidth = side, side
	case name == "levit":
		r.Resize, r.Height = Shorter, int(256./224*float64(side))
	default:
		r.Resize, r.Height = Shorter, side
	}
	return p.filter(r, known, sure, lacks)
}

func (p processor) filter(r *Recipe, known class, sure bool, lacks func(string) error) error {
	filters := map[int]resample.Kernel{
		0: resample.Nearest, 1: resample.Lanczos, 2: resample.Bilinear,
		3: resample.Bicubic, 4: resample.Box,
	}
	switch {
	case p.Resample == nil && !sure:
		return lacks("resample")
	case p.Resample == nil:
		r.Filter = known.filter
		return nil
	}
	var ok bool
	if r.Filter, ok = filters[*p.Resample]; !ok && *p.Resample == 5 {
		return fmt.Errorf("resample 5 is Pillow's hamming filter, which is not there; %w", errRecipe)
	} else if !ok {
		return fmt.Errorf("resample %d is no filter of Pillow's; %w", *p.Resample, errRecipe)
	}
	return nil
}

func (p processor) crop(r *Recipe, known class, sure bool, lacks func(string) error) error {
	if p.DoCenterCrop == nil && !sure && p.has(p.CropSize) {
		return lacks("do_center_crop")
	}
	if p.DoCenterCrop == nil && known.crop == 0 || p.DoCenterCrop != nil && !*p.DoCenterCrop {
		return nil
	}
	r.CropHeight, r.CropWidth = known.crop, known.crop
	if p.has(p.CropSize) {
		s, alone, err := readSized("crop_size", p.CropSize)
		if err != nil {
			return err
		}
		if r.CropHeight, r.CropWidth = s.Height, s.Width; s.Height == 0 {
			side := max(alone, s.Shortest)
			r.CropHeight, r.CropWidth = side, side
		}
	} else if known.crop == 0 {
		return lacks("crop_size")
	}
	return nil
}

// has tells whether a key is in the file with a value.
func (processor) has(data json.RawMessage) bool { return len(data) > 0 && string(data) != "null" }

func (p processor) values(r *Recipe, name string, known class, sure bool, lacks func(string) error) error {
	if p.DoRescale == nil && !sure {
		return lacks("do_rescale")
	}
	r.Scale = 255
	if p.DoRescale == nil || *p.DoRescale {
		factor := 1. / 255
		if p.RescaleFactor != nil {
			factor = *p.RescaleFactor
		}
		if r.Scale = 255 * factor; math.Abs(r.Scale-math.Round(r.Scale)) < 1e-9 {
			r.Scale = math.Round(r.Scale) // a product with 1/255 misses it by rounding
		}
		if p.RescaleOffset != nil && *p.RescaleOffset {
			r.Shift = -1
		}
		if r.Scale == 0 || r.Scale-r.Scale != 0 {
			return fmt.Errorf("rescale_factor %v is no factor; %w", factor, errRecipe)
		}
	}
	if p.DoNormalize == nil && !sure {
		return lacks("do_normalize")
	}
	mean, std := []float64(p.ImageMean), []float64(p.ImageStd)
	if (mean == nil || std == nil) && !sure && (p.DoNormalize == nil || *p.DoNormalize) {
		return lacks("image_mean or image_std")
	}
	if mean == nil {
		mean = known.mean
	}
	if std == nil {
		std = known.std
	}
	if p.DoNormalize == nil || *p.DoNormalize {
		r.Mean, r.Std = mean, std
	}
	if name == "efficientnet" && (p.IncludeTop == nil || *p.IncludeTop) { // it divides once more
		if r.Std == nil {
			r.Std = []float64{1}
		}
		twice := make([]float64, max(len(r.Std), len(std)))
		for c := range twice {
			twice[c] = r.Std[min(c, len(r.Std)-1)] * std[min(c, len(std)-1)]
		}
		r.Std = twice
	}
	return nil
}
