package augmented

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// Method is an augmentation. Those besides Guided are the ones that the D-Score paper compares
// with it (Table II), with the parameters that it states.
type Method string

// The methods.
const (
	Guided Method = "guided" // padded as a D-Score recommends (Eq. 7 and 8)
	RHF    Method = "rhf"    // random horizontal flip
	RVF    Method = "rvf"    // random vertical flip
	RHV    Method = "rhv"    // both
	RR     Method = "rr"     // random rotation
	RPR    Method = "rpr"    // random padding, resized back
)

// way is how a method makes an image of the three numbers that are drawn for it.
type way struct {
	title   string
	columns []string // of draws.csv, behind the image's number
	steps   []string // for recipe.json
	resizes bool     // with the filter of padded images
	// flips says how an image is mirrored: left to right, and top to bottom. It is nil for a method
	// that changes every image.
	flips func(u [3]float64) [2]bool
	// change makes the image, and says what was drawn as the columns have it; nil where flips is
	// not.
	change func(img suite.Image, u [3]float64) (out suite.Image, drawn []string, err error)
}

const (
	across = "if u1 < 0.5: mirror the image left to right, in every channel"
	down   = "mirror the image top to bottom, in every channel"
)

// ways are the methods besides Guided. Their steps share words with those of Guided: the scale of
// values (0), the draw (2), the padding from its place on (4), and how sets are stored (8).
var ways = map[Method]way{
	RHF: {
		title: "random horizontal flip", columns: []string{"horizontal"}, steps: []string{steps[2], across},
		flips: func(u [3]float64) [2]bool { return [2]bool{u[0] < 0.5, false} },
	},
	RVF: {
		title: "random vertical flip", columns: []string{"vertical"}, steps: []string{steps[2], "if u1 < 0.5: " + down},
		flips: func(u [3]float64) [2]bool { return [2]bool{false, u[0] < 0.5} },
	},
	RHV: {
		title: "random horizontal and vertical flip", columns: []string{"horizontal", "vertical"},
		steps: []string{steps[2], across, "if u2 < 0.5: " + down},
		flips: func(u [3]float64) [2]bool { return [2]bool{u[0] < 0.5, u[1] < 0.5} },
	},
	RR: {
		title: "random rotation", columns: []string{"degrees"}, change: rotated,
		steps: []string{
			steps[0], steps[2], "degrees = floor(1800000 * u1) / 10000: from 0 to 180",
			"turn the image by as many degrees counter-clockwise about ((height - 1) / 2, (width - 1) / 2), " +
				"its size kept",
			"values between pixels by bilinear interpolation, 0 outside of the image", steps[8],
		},
	},
	RPR: {
		title: "random padding and resize", columns: []string{"top", "bottom", "left", "right"},
		resizes: true, change: randomlyPadded,
		steps: slices.Concat([]string{
			steps[0], steps[2],
			"total_height = floor(u1 * height + 0.5), total_width = floor(u1 * width + 0.5), of each image",
		}, steps[4:]),
	},
}

// image makes an image of the method, and says what was drawn.
func (w way) image(img suite.Image, u [3]float64) (suite.Image, []string, error) {
	if w.flips == nil {
		return w.change(img, u)
	}
	out, flips, drawn := img, w.flips(u), []string{}
	out.Pix = slices.Clone(img.Pix)
	for k, column := range []string{"horizontal", "vertical"} {
		if slices.Contains(w.columns, column) {
			drawn = append(drawn, strconv.FormatBool(flips[k]))
		}
	}
	for plane := range slices.Chunk(out.Pix, img.Height*img.Width) {
		if flips[1] {
			slices.Reverse(plane) // both ways; the rows are put right below
		}
		if flips[0] != flips[1] {
			for row := range slices.Chunk(plane, img.Width) {
				slices.Reverse(row)
			}
		}
	}
	return out, drawn, nil
}

// rotated turns an image as the family rotation does.
func rotated(img suite.Image, u [3]float64) (suite.Image, []string, error) {
	degrees := result.Number.Write(math.Floor(1_800_000*u[0]) / 10_000)
	if degrees == "0" {
		return img, []string{degrees}, nil
	}
	family, err := transform.Parse(fmt.Sprintf("rotation:-%s:%[1]s:%[1]s", degrees))
	if err != nil {
		return img, nil, err
	}
	plan, err := family.Plan(img.Height, img.Width)
	if err != nil {
		return img, nil, err
	}
	out := img
	out.Pix = make([]float32, len(img.Pix))
	plan.Apply(out.Pix, img.Pix, img.Channels, family.N()-1)
	return out, []string{degrees}, nil
}

// randomlyPadded pads an image to 1 + u1 times its size, at a place that is drawn, and resizes it
// back. The paper says "randomly" of it.
func randomlyPadded(img suite.Image, u [3]float64) (suite.Image, []string, error) {
	r, err := dscore.NewRecipe(img.Height, img.Width, u[0])
	if err != nil {
		return img, nil, err
	}
	var p region.Padding
	p.Left, p.Right = dscore.Split(r.TotalWidth, u[1])
	p.Top, p.Bottom = dscore.Split(r.TotalHeight, u[2])
	return placed(img, p), pixels(p), nil
}

// placed is an image with a padding around it, resized back.
func placed(img suite.Image, p region.Padding) suite.Image {
	if p == (region.Padding{}) {
		return img
	}
	out := img
	out.Pix = make([]float32, len(img.Pix))
	region.Place(out.Pix, img.Pix, img.Channels, img.Height, img.Width, p)
	return out
}

// pixels are the cells of a padding.
func pixels(p region.Padding) []string {
	return []string{strconv.Itoa(p.Top), strconv.Itoa(p.Bottom), strconv.Itoa(p.Left), strconv.Itoa(p.Right)}
}

// three are the numbers that are drawn for one image.
func three(random *rand.Rand) (u [3]float64) {
	for k := range u {
		u[k] = random.Float64()
	}
	return u
}

// MethodFormat names the form of recipe.json of the methods besides Guided, whose fields are
//
//	format       "variscope-augmentation-method/1"
//	method       rhf, rvf, rhv, rr or rpr; title: the same in words
//	seed         of the set
//	steps        what to do with every training image
//	resize       the definition of the filter, where images are resized
//	generator    how the set draws
const MethodFormat = "variscope-augmentation-method/1"

// writeMethod writes recipe.json of a method besides Guided.
func writeMethod(out io.Writer, m Method, seed uint64) error {
	w := ways[m]
	file := struct {
		Format    string   `json:"format"`
		Method    Method   `json:"method"`
		Title     string   `json:"title"`
		Seed      uint64   `json:"seed"`
		Steps     []string `json:"steps"`
		Resize    []string `json:"resize,omitempty"`
		Generator []string `json:"generator"`
	}{MethodFormat, m, w.title, seed, w.steps, nil, generator}
	if w.resizes {
		file.Resize = filter
	}
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	return to.Encode(file)
}
