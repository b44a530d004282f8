package recipe

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/resample"
)

// Said is what one source says of a model: a part of its recipe, names of its classes, and what
// people should know of how it was understood, in sentences.
type Said struct {
	Part
	Classes []string
	Notes   []string
	// Err and ClassErr say what of the recipe and of the classes cannot be understood.
	Err, ClassErr error
}

// MaxFile bounds a file beside a model that is read, in bytes.
const MaxFile = 4 << 20

// FromFile reads a file that lies beside a model: preprocessor_config.json or config.json of
// transformers, or config.json of timm, told by their keys. A file that says nothing of recipe and
// classes is none of these: Sets is 0 then, and Classes nil. Its errors do not name the file.
func FromFile(data []byte) (s Said) {
	if len(data) > MaxFile {
		s.Err = fmt.Errorf("it has %d bytes; at most %d are read", len(data), MaxFile)
		return s
	}
	var f struct {
		timm
		processor
		Pretrained *timm          `json:"pretrained_cfg"`
		ID2Label   map[string]any `json:"id2label"`
	}
	if err := outside.JSON(data, &f, false); err != nil {
		s.Err = fmt.Errorf("it is no JSON of the form that is wanted: %w", err)
		return s
	}
	f.processor.CropPct = f.timm.CropPct
	switch {
	case f.Pretrained != nil && f.Pretrained.InputSize != nil:
		s.Part, s.Err = f.Pretrained.part()
	case f.InputSize != nil:
		s.Part, s.Err = f.timm.part()
	case f.processor.says():
		s.Part, s.Err = f.processor.part()
	}
	if f.Pretrained != nil && f.LabelNames == nil {
		f.LabelNames = f.Pretrained.LabelNames
	}
	s.Classes, s.ClassErr = namesOf(f.LabelNames, f.ID2Label)
	return s
}

// namesOf reads label_names, else id2label.
func namesOf(list json.RawMessage, byID map[string]any) ([]string, error) {
	if len(list) > 0 && string(list) != "null" {
		names, err := ClassNames(string(list))
		if err != nil {
			return nil, fmt.Errorf("label_names: %w", err)
		}
		return names, nil
	}
	if len(byID) == 0 {
		return nil, nil
	}
	numbers := map[int]string{}
	for id, name := range byID {
		n, err := strconv.Atoi(id)
		if err != nil {
			return nil, fmt.Errorf("id2label: %.40q is no number", id)
		}
		numbers[n] = fmt.Sprint(name)
	}
	names, err := inOrder(numbers)
	if err != nil {
		return nil, fmt.Errorf("id2label: %w", err)
	}
	if numbered(names) {
		return nil, nil
	}
	return names, nil
}

// timm are the keys of timm's evaluation transform.
type timm struct {
	InputSize     []int           `json:"input_size"`
	CropPct       *float64        `json:"crop_pct"`
	CropMode      string          `json:"crop_mode"`
	Interpolation string          `json:"interpolation"`
	Mean          oneOrMore       `json:"mean"`
	Std           oneOrMore       `json:"std"`
	LabelNames    json.RawMessage `json:"label_names"`
}

// timmPct is the share of the side that a crop takes where the file does not say.
const timmPct = 0.875

// part is the evaluation transform, with timm's own defaults for keys that are left out.
func (t timm) part() (Part, error) {
	r := Recipe{Range: Range{Mean: imagenetMean, Std: imagenetStd}}
	if t.Mean != nil {
		r.Mean = t.Mean
	}
	if t.Std != nil {
		r.Std = t.Std
	}
	pct := timmPct
	if t.CropPct != nil {
		pct = *t.CropPct
	}
	if len(t.InputSize) != 3 || min(t.InputSize[1], t.InputSize[2]) < 1 ||
		max(t.InputSize[1], t.InputSize[2]) > maxSide || !(pct > 0.01 && pct <= 100) {
		return Part{}, fmt.Errorf("input_size %v with crop_pct %v is no size; [3, 224, 224] and 0.875 are",
			t.InputSize, pct)
	}
	height, width := t.InputSize[1], t.InputSize[2]
	wide := func(side int) int { return max(1, int(math.Floor(float64(side)/pct))) }
	r.CropHeight, r.CropWidth = height, width
	switch t.CropMode {
	case "squash":
		r.Resize, r.Height, r.Width = Stretch, wide(height), wide(width)
	case "", "center", "border":
		if height != width {
			return Part{}, fmt.Errorf("input_size %d x %d is not square, which is not understood with crop_mode "+
				"center or border; give --recipe", height, width)
		}
		r.Resize, r.Height = Shorter, wide(height)
		if t.CropMode == "border" {
			r.Resize = LongerRound
			for c := range r.Pad {
				mean, _ := perChannel(r.Mean, 0, min(c, max(0, len(r.Mean)-1)), len(r.Mean))
				r.Pad[c] = math.RoundToEven(255 * mean)
			}
		}
	default:
		return Part{}, fmt.Errorf("crop_mode %.40q is none of center, squash and border; give --recipe", t.CropMode)
	}
	var ok bool
	if r.Filter, ok = map[string]resample.Kernel{
		"": resample.Bicubic, "bicubic": resample.Bicubic, "bilinear": resample.Bilinear, "nearest": resample.Nearest,
		"lanczos": resample.Lanczos, "box": resample.Box,
	}[t.Interpolation]; !ok {
		return Part{}, fmt.Errorf("interpolation %.40q is not understood; give --recipe", t.Interpolation)
	}
	return Part{r, OfGeometry | OfChannels | OfRange}, r.Check()
}

// errRecipe is what to do about a file that is not understood.
var errRecipe = errors.New("give --recipe")
