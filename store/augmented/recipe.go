package augmented

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/variscope/variscope/engine/dscore"
)

// Recipe is what recipe.json holds: exact numbers for any training script, without this program.
// The fields, whose names and meanings stay as they are for one value of "format":
//
//	format            "variscope-augmentation/1"
//	model, suite      whose score recommends it; without one, they and the fields up to flags are
//	                  left out
//	n, t              of the score's regions and padded translation
//	mask, shift       the sets that it was computed from
//	accuracies        original (f_b and a-hat), variants (f_i), shifted (a_i), by region row-major
//	                  from the upper left, and classes
//	features, attention, v_robust, v_fitness, d_score, g, p_recommended, flags    the score
//	p                 the probability that is used: p_recommended unless it was changed
//	height, width     of the images; these and the following sizes are left out where images have
//	                  several
//	total_height, total_width     pixels of padding: above and below together, left and right
//	padded_height, padded_width   the size between padding and resizing back
//	fill              the value of the padding, before any normalisation
//	seed              of an augmented set
//	steps             what to do with every training image, with the formulas
//	resize            the definition of the filter
//	generator         how an augmented set draws; a training script may draw as it likes
//
// Numbers are written so that reading them gives the same float64.
type Recipe struct {
	Model, Suite string
	Grid, T      int
	Mask, Shift  string // canonical texts; may be empty
	Accuracies   dscore.Accuracies
	Score        dscore.Score
	// Augmentation is what is applied; its P may differ from that of the score. Height 0 stands
	// for images of several sizes.
	Augmentation dscore.Recipe
	Seed         uint64 // 0 for 1
}

// RecipeFormat names the form of recipe.json.
const RecipeFormat = "variscope-augmentation/1"

// recipeJSON is the file: first the score, then what is applied, then how.
type recipeJSON struct {
	Format string `json:"format"`
	*scoreJSON
	P float64 `json:"p"`
	*sizesJSON
	Fill      float64  `json:"fill"`
	Seed      uint64   `json:"seed"`
	Steps     []string `json:"steps"`
	Resize    []string `json:"resize"`
	Generator []string `json:"generator"`
}

type scoreJSON struct {
	Model        string        `json:"model"`
	Suite        string        `json:"suite"`
	N            int           `json:"n"`
	T            int           `json:"t"`
	Mask         string        `json:"mask,omitempty"`
	Shift        string        `json:"shift,omitempty"`
	Accuracies   accuracies    `json:"accuracies"`
	Features     []float64     `json:"features"`
	Attention    []float64     `json:"attention"`
	Robust       float64       `json:"v_robust"`
	Fitness      float64       `json:"v_fitness"`
	DScore       float64       `json:"d_score"`
	Bound        float64       `json:"g"`
	PRecommended float64       `json:"p_recommended"`
	Flags        []dscore.Flag `json:"flags"`
}

type accuracies struct {
	Original float64   `json:"original"`
	Variants []float64 `json:"variants"`
	Shifted  []float64 `json:"shifted"`
	Classes  int       `json:"classes"`
}

type sizesJSON struct {
	Height       int `json:"height"`
	Width        int `json:"width"`
	TotalHeight  int `json:"total_height"`
	TotalWidth   int `json:"total_width"`
	PaddedHeight int `json:"padded_height"`
	PaddedWidth  int `json:"padded_width"`
}

var (
	steps = []string{
		"pixel values are in [0, 1], before any normalisation: level / 255 for images of 8 bits",
		"total_height = floor(p * height + 0.5), total_width = floor(p * width + 0.5), " +
			"of each image where sizes differ",
		"for every training image draw u1, u2, u3, independent and uniform in [0, 1)",
		"if u1 >= p: leave the image as it is",
		"left = min(total_width, floor(u2 * (total_width + 1))), right = total_width - left",
		"top = min(total_height, floor(u3 * (total_height + 1))), bottom = total_height - top",
		"put that many rows and columns of the value fill around the image, in every channel",
		"resize it from (height + total_height) x (width + total_width) back to height x width with the " +
			"filter under resize",
		"augmented sets are stored in 8 bits: " +
			"level = floor(255 * value + 0.5), of the 32-bit value, computed in 64 bits",
	}
	filter = []string{
		"a triangle filter, separable, with half-pixel centres, widened by the scale: antialiased bilinear",
		"for each side: src = padded side, dst = side of the image, s = src / dst, f = max(s, 1)",
		"output o = 0 .. dst - 1 has its centre at z = (o + 0.5) * s",
		"its taps are k = max(0, floor(z - f + 0.5)) .. min(src, floor(z + f + 0.5)) - 1",
		"weight(k) = max(0, 1 - abs(k + 0.5 - z) / f), divided by the sum of the weights of all its taps",
		"sums in 64-bit floating point, the result rounded to 32 bits once",
	}
	generator = []string{
		"image i (its number in the suite, from 0) has a generator of its own: " +
			"PCG-DXSM, a 128-bit state (high, low) = (seed, i)",
		"next: state = state * (2549297995355413924 * 2^64 + 4865540595714422341) + (6364136223846793005 * 2^64 + " +
			"1442695040888963407), modulo 2^128",
		"output, of the new state, in 64-bit unsigned arithmetic: x = high; x = x xor (x >> 32); x = x * " +
			"15750249268501108917; x = x xor (x >> 48); x = x * (low | 1)",
		"u = (x modulo 2^53) / 2^53; u1, u2, u3 are the first three",
	}
)

// WriteRecipe writes a recipe as JSON. It fails for what JSON has no numbers for.
func WriteRecipe(w io.Writer, r Recipe) error {
	a := r.Augmentation
	file := recipeJSON{
		Format: RecipeFormat, P: a.P, Seed: max(r.Seed, 1), Steps: steps, Resize: filter, Generator: generator,
	}
	if r.Grid > 0 {
		file.scoreJSON = scoreOf(r)
	}
	if a.Height > 0 {
		file.sizesJSON = &sizesJSON{
			Height: a.Height, Width: a.Width, TotalHeight: a.TotalHeight, TotalWidth: a.TotalWidth,
			PaddedHeight: a.Height + a.TotalHeight, PaddedWidth: a.Width + a.TotalWidth,
		}
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false) // formulas have > in them
	out.SetIndent("", "  ")
	if err := out.Encode(file); err != nil {
		return fmt.Errorf("write the recipe of augmentation: %w", err)
	}
	return nil
}

func scoreOf(r Recipe) *scoreJSON {
	s := r.Score
	flags := s.Flags
	if flags == nil {
		flags = []dscore.Flag{} // an empty list, for whoever goes through it
	}
	return &scoreJSON{
		Model: r.Model, Suite: r.Suite, N: r.Grid, T: r.T, Mask: r.Mask, Shift: r.Shift,
		Accuracies: accuracies{
			Original: r.Accuracies.Original, Variants: r.Accuracies.Variants,
			Shifted: r.Accuracies.Shifted, Classes: r.Accuracies.Classes,
		},
		Features: s.Features, Attention: s.Attention,
		Robust: s.Robust, Fitness: s.Fitness, DScore: s.DScore, Bound: s.Bound, PRecommended: s.P, Flags: flags,
	}
}
