package recipe

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/resample"
)

// FromMetadata reads what an ONNX file's metadata says of recipe and classes (spec section 2):
// ours, Ultralytics', Custom Vision's, Hugging Face's. Errors name the key.
func FromMetadata(meta map[string]string) (s Said) {
	for _, read := range []func(map[string]string) error{s.ours, s.ultralytics, s.image, s.normalise} {
		if s.Err = read(meta); s.Err != nil {
			break
		}
	}
	for _, key := range []string{"class_names", "names", "labels", "id2label"} {
		text := meta[key]
		if strings.TrimSpace(text) == "" {
			continue
		}
		names, err := ClassNames(text)
		if err != nil {
			s.ClassErr = fmt.Errorf("%s: %w", key, err)
			return s
		}
		if !numbered(names) {
			s.Classes = names
			return s
		}
	}
	return s
}

// ours is a whole recipe, as Variscope names and writes it.
func (s *Said) ours(meta map[string]string) (err error) {
	if meta["recipe"] != "" {
		s.Part, err = Read(meta["recipe"])
	}
	return err
}

// ultralytics is the evaluation of their classifiers.
func (s *Said) ultralytics(meta map[string]string) error {
	if s.Sets&OfGeometry != 0 || meta["imgsz"] == "" || meta["task"] != "classify" || meta["names"] == "" {
		return nil
	}
	var size []int
	if err := json.Unmarshal([]byte(meta["imgsz"]), &size); err != nil {
		var side int
		if json.Unmarshal([]byte(meta["imgsz"]), &side) != nil {
			return fmt.Errorf("imgsz %.40q is no size such as [224, 224]", meta["imgsz"])
		}
		size = []int{side}
	}
	if len(size) == 1 {
		size = append(size, size[0])
	}
	if len(size) != 2 || slices.Min(size) < 1 || slices.Max(size) > maxSide {
		return fmt.Errorf("imgsz %.40q is no size such as [224, 224]", meta["imgsz"])
	}
	s.Geometry = cropped(size[0], size[0], resample.Bilinear, false)
	if size[0] != size[1] {
		s.Geometry = stretched(size[0], size[1], resample.Bilinear)
	}
	s.Sets |= OfGeometry | OfRange | OfChannels
	return nil
}

// image reads the keys of ONNX's docs/MetadataProps.md, as Custom Vision writes them.
func (s *Said) image(meta map[string]string) error {
	if format := strings.ToLower(meta["Image.BitmapPixelFormat"]); format != "" {
		channels, ok := map[string]Channels{"rgb8": RGB, "bgr8": BGR, "gray8": Gray}[format]
		if !ok {
			return fmt.Errorf("Image.BitmapPixelFormat %.40q is none of Rgb8, Bgr8 and Gray8",
				meta["Image.BitmapPixelFormat"])
		}
		s.Channels = channels
		s.Sets |= OfChannels
	}
	if pixels := strings.ToLower(meta["Image.NominalPixelRange"]); pixels != "" {
		r, ok := map[string]Range{
			"nominalrange_0_255": {Scale: 255}, "normalized_0_1": {Scale: 1}, "normalized_1_1": {Scale: 2, Shift: -1},
		}[pixels]
		if !ok {
			return fmt.Errorf("Image.NominalPixelRange %.40q is none of NominalRange_0_255, Normalized_0_1 "+
				"and Normalized_1_1", meta["Image.NominalPixelRange"])
		}
		s.Range = r
		s.Sets |= OfRange
	}
	return nil
}

// normalise takes mean and std, both or none of them, unless a whole recipe is there.
func (s *Said) normalise(meta map[string]string) error {
	mean, std := meta["mean"], meta["std"]
	if meta["recipe"] != "" || strings.TrimSpace(mean) == "" || strings.TrimSpace(std) == "" {
		return nil
	}
	r, note, err := Normalise(mean, std)
	if err != nil {
		return err
	}
	if s.Scale != 0 { // the range is said already
		r.Scale, r.Shift, note = s.Scale, s.Shift, ""
	}
	s.Range = r
	s.Sets |= OfRange
	if note != "" {
		s.Notes = append(s.Notes, note)
	}
	return nil
}

// PixelNote says that a mean over 3 was understood.
const PixelNote = "mean and std are in units of 0..255"

// Normalise reads mean and std as lists in any form. A mean over 3 means pixels of 0..255, which
// note says.
func Normalise(mean, std string) (r Range, note string, err error) {
	if r.Mean, err = Numbers(mean); err != nil {
		return r, "", fmt.Errorf("mean: %w", err)
	}
	if r.Std, err = Numbers(std); err != nil {
		return r, "", fmt.Errorf("std: %w", err)
	}
	if InPixels(r.Mean) {
		r.Scale = 255
		note = PixelNote
	}
	return r, note, nil
}

// InPixels tells a mean in units of 0..255: one that no pixels of 0..1 have.
func InPixels(mean []float64) bool {
	return slices.ContainsFunc(mean, func(v float64) bool { return v > 3 })
}

// Numbers reads a list of finite numbers: a JSON list, or separated by commas, semicolons or
// blanks.
func Numbers(text string) ([]float64, error) {
	text = strings.TrimSpace(text)
	inner := text
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") || strings.HasPrefix(text, "(") &&
		strings.HasSuffix(text, ")") {
		inner = strings.TrimSpace(text[1 : len(text)-1])
	}
	split := func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }
	parts := strings.FieldsFunc(inner, split)
	for _, mark := range []string{";", ","} {
		if strings.Contains(inner, mark) {
			parts = strings.Split(inner, mark)
			break
		}
	}
	var values []float64
	for _, part := range parts {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || v-v != 0 {
			return nil, fmt.Errorf("%.60q is no list of finite numbers: %.20q", text, part)
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		return nil, fmt.Errorf("%.60q holds no number", text)
	}
	return values, nil
}
