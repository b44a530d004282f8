package augmented

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/imageset"
)

// cm is a recipe of model CM for n = 2.
func cm(t *testing.T) Recipe {
	t.Helper()
	a := dscore.Accuracies{
		Original: 0.8, Variants: []float64{0.5, 0.7, 0.6, 0.2}, Shifted: []float64{0.7, 0.71, 0.5, 0.6}, Classes: 10,
	}
	score := testdata.Must(dscore.Compute(a))(t)
	augmentation := testdata.Must(dscore.NewRecipe(28, 20, score.P))(t)
	return Recipe{
		Model: "CM", Suite: "a < b", Grid: 2, T: 5, Mask: "mask:2", Shift: "shift:2:5",
		Accuracies: a, Score: score, Augmentation: augmentation, Seed: 7,
	}
}

// fields reads a recipe as another program does.
func fields(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var file map[string]any
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	return file
}

func written(t *testing.T, r Recipe) []byte {
	t.Helper()
	var out bytes.Buffer
	must(t, WriteRecipe(&out, r))
	return out.Bytes()
}

// The names of the fields are a promise to other programs.
func TestFieldsOfARecipe(t *testing.T) {
	r := cm(t)
	file := fields(t, written(t, r))
	want := []string{
		"accuracies", "attention", "d_score", "features", "fill", "flags", "format", "g", "generator", "height", "mask",
		"model", "n", "p", "p_recommended", "padded_height", "padded_width", "resize", "seed", "shift", "steps",
		"suite", "t", "total_height", "total_width", "v_fitness", "v_robust", "width",
	}
	testdata.Equal(t, "fields", slices.Sorted(maps.Keys(file)), want)
	for name, want := range map[string]any{
		"format": "variscope-augmentation/1", "model": "CM", "suite": "a < b", "n": 2.0, "t": 5.0, "p": r.Score.P,
		"p_recommended": r.Score.P, "height": 28.0, "width": 20.0, "total_height": float64(r.Augmentation.TotalHeight),
		"total_width": float64(r.Augmentation.TotalWidth), "padded_height": float64(28 + r.Augmentation.TotalHeight),
		"padded_width": float64(20 + r.Augmentation.TotalWidth), "fill": 0.0, "seed": 7.0, "v_robust": r.Score.Robust,
		"v_fitness": r.Score.Fitness, "d_score": r.Score.DScore, "g": r.Score.Bound,
	} {
		testdata.Is(t, name, file[name], want)
	}
	inner := file["accuracies"].(map[string]any)
	if inner["original"] != 0.8 || inner["classes"] != 10.0 || len(inner["variants"].([]any)) != 4 ||
		inner["shifted"].([]any)[2] != 0.5 {
		t.Errorf("accuracies %v", inner)
	}
	if flags, ok := file["flags"].([]any); !ok || len(flags) != 0 {
		t.Errorf("flags are %v, want an empty list", file["flags"])
	}
	if text := string(written(t, r)); !strings.Contains(text, "if u1 >= p") || strings.Contains(text, `\u00`) {
		t.Errorf("formulas cannot be read:\n%s", text)
	}
}

// Without a score, and for images of several sizes, the numbers that there are not are left out.
func TestRecipeWithoutAScore(t *testing.T) {
	file := fields(t, written(t, Recipe{Augmentation: dscore.Recipe{P: 0.25}}))
	want := []string{"fill", "format", "generator", "p", "resize", "seed", "steps"}
	if got := slices.Sorted(maps.Keys(file)); !slices.Equal(got, want) || file["seed"] != 1.0 || file["p"] != 0.25 {
		t.Errorf("%v", file)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no room") }

func TestRecipeThatCannotBeWritten(t *testing.T) {
	testdata.Refused(t, "error", WriteRecipe(brokenWriter{}, cm(t)), "no room")
	r := cm(t)
	r.Score.Robust = math.NaN()
	if err := WriteRecipe(&bytes.Buffer{}, r); err == nil {
		t.Error("JSON has no NaN")
	}
}

// draws are the first three numbers of an image's generator, in whole numbers of any size, as the
// recipe words it.
func draws(seed, image int64) (u [3]float64) {
	number := func(text string) *big.Int {
		n, ok := new(big.Int).SetString(text, 10)
		if !ok {
			panic(text)
		}
		return n
	}
	two := func(bits uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), bits) }
	joined := func(high, low *big.Int) *big.Int { return new(big.Int).Add(new(big.Int).Mul(high, two(64)), low) }
	mod := func(v *big.Int, bits uint) *big.Int { return new(big.Int).Mod(v, two(bits)) }
	state := joined(big.NewInt(seed), big.NewInt(image))
	times := joined(number("2549297995355413924"), number("4865540595714422341"))
	plus := joined(number("6364136223846793005"), number("1442695040888963407"))
	for k := range u {
		state = mod(new(big.Int).Add(new(big.Int).Mul(state, times), plus), 128)
		x, low := new(big.Int).Rsh(state, 64), mod(state, 64)
		x = new(big.Int).Xor(x, new(big.Int).Rsh(x, 32))
		x = mod(new(big.Int).Mul(x, number("15750249268501108917")), 64)
		x = new(big.Int).Xor(x, new(big.Int).Rsh(x, 48))
		x = mod(new(big.Int).Mul(x, new(big.Int).Or(low, big.NewInt(1))), 64)
		u[k] = float64(mod(x, 53).Int64()) / math.Pow(2, 53)
	}
	return u
}

// script applies a recipe to a level of an image by its words and numbers alone, in the slowest
// way.
type script struct {
	p                     float64
	height, width         int
	totalHigh, totalWide  int
	top, left             int
	padded                bool
	paddedHigh, paddedWid int
	fill                  float64
}

func newScript(file map[string]any, image int64) script {
	number := func(name string) float64 { return file[name].(float64) }
	s := script{p: number("p"), height: int(number("height")), width: int(number("width")), fill: number("fill")}
	s.totalHigh, s.totalWide = int(number("total_height")), int(number("total_width"))
	s.paddedHigh, s.paddedWid = int(number("padded_height")), int(number("padded_width"))
	u := draws(int64(number("seed")), image)
	if s.padded = u[0] < s.p; s.padded {
		s.left = min(s.totalWide, int(math.Floor(u[1]*float64(s.totalWide+1))))
		s.top = min(s.totalHigh, int(math.Floor(u[2]*float64(s.totalHigh+1))))
	}
	return s
}

// weight is that of entry k for output o, not yet divided by their sum.
func weight(src, dst, o, k int) float64 {
	s := float64(src) / float64(dst)
	f := math.Max(s, 1)
	z := (float64(o) + 0.5) * s
	if float64(k) < math.Floor(z-f+0.5) || float64(k) > math.Floor(z+f+0.5)-1 {
		return 0
	}
	return math.Max(0, 1-math.Abs(float64(k)+0.5-z)/f)
}

// value is a pixel of the image that comes out; at gives a pixel of the one that goes in.
func (s script) value(y, x int, at func(y, x int) float64) float64 {
	if !s.padded {
		return at(y, x)
	}
	var sum, weights float64
	for row := range s.paddedHigh {
		for col := range s.paddedWid {
			w := weight(s.paddedHigh, s.height, y, row) * weight(s.paddedWid, s.width, x, col)
			v := s.fill
			if row >= s.top && row < s.top+s.height && col >= s.left && col < s.left+s.width {
				v = at(row-s.top, col-s.left)
			}
			sum, weights = sum+w*v, weights+w
		}
	}
	return sum / weights
}

// Another program makes the same images of the recipe's numbers alone: the same paddings, and the
// same levels but where a value lies on the edge between two.
func TestTheRecipeIsEnough(t *testing.T) {
	s := images.Gray(t, 60, 12)
	from := cm(t)
	done := write(t, s, Options{P: 0.37, Seed: 11, Format: imageset.IDX, From: &from})
	data := testdata.Must(os.ReadFile(filepath.Join(done.Folder, "recipe.json")))(t)
	file := fields(t, data)
	if file["model"] != "CM" || file["p_recommended"] != from.Score.P || file["p"] != 0.37 || file["height"] != 12.0 ||
		file["seed"] != 11.0 {
		t.Errorf("%v", file)
	}
	again, rows, padded := images.Open(t, done.Folder), paddings(t, done.Folder), 0
	for i, row := range rows {
		want := newScript(file, int64(i))
		if row.padded != want.padded || row.Top != want.top || row.Left != want.left {
			t.Fatalf("image %d: %+v, want %+v", i, row, want)
		}
		if want.padded {
			padded++
			if row.Top+row.Bottom != want.totalHigh || row.Left+row.Right != want.totalWide {
				t.Errorf("image %d: %+v does not fill %d and %d", i, row, want.totalHigh, want.totalWide)
			}
		}
		sameLevels(t, s, again, i, want)
	}
	if padded < 10 {
		t.Errorf("only %d images are padded", padded)
	}
}

func sameLevels(t *testing.T, s, again *suite.Suite, i int, want script) {
	t.Helper()
	before := testdata.Must(s.Image(i))(t)
	after := testdata.Must(again.Image(i))(t)
	at := func(y, x int) float64 { return float64(before.Pix[y*before.Width+x]) }
	for y := range before.Height {
		for x := range before.Width {
			value := 255 * want.value(y, x, at)
			level := math.Round(float64(after.Pix[y*after.Width+x]) * 255)
			if math.Abs(level-value) > 0.5+1e-4 {
				t.Fatalf("image %d, pixel %d,%d has level %g for %g", i, y, x, level, value)
			}
		}
	}
}
