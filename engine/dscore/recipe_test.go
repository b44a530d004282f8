package dscore

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

func TestNewRecipe(t *testing.T) {
	for _, test := range []struct {
		height, width int
		p             float64
		high, wide    int
	}{
		{28, 28, 0.56, 16, 16},
		{28, 20, 0.3, 8, 6},
		{5, 5, 0.1, 1, 1}, // 0.5 is rounded up
		{4, 4, 0.1, 0, 0},
		{32, 32, 0, 0, 0},
		{32, 32, 1, 32, 32},
	} {
		r, err := NewRecipe(test.height, test.width, test.p)
		if want := (Recipe{test.height, test.width, test.p, test.high, test.wide}); err != nil || r != want {
			t.Errorf("%+v: %+v, %v", test, r, err)
		}
	}
	for _, wrong := range []struct {
		height, width int
		p             float64
	}{{28, 28, -0.1}, {28, 28, 1.1}, {28, 28, math.NaN()}, {0, 28, 0.5}, {28, 0, 0.5}} {
		if r, err := NewRecipe(wrong.height, wrong.width, wrong.p); err == nil || r != (Recipe{}) {
			t.Errorf("%+v: %+v, %v", wrong, r, err)
		}
	}
}

func TestSplitKeepsTheTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total, u := rapid.IntRange(0, 1000).Draw(t, "total"), rapid.Float64Range(0, math.Nextafter(1, 0)).Draw(t, "u")
		left, right := Split(total, u)
		if left < 0 || right < 0 || left+right != total || left != min(total, int(u*float64(total+1))) {
			t.Fatalf("%d and %d of %d at %v", left, right, total, u)
		}
	})
	if left, right := Split(7, 1); left != 7 || right != 0 {
		t.Errorf("u = 1: %d and %d", left, right)
	}
}

func TestSplitIsEven(t *testing.T) {
	random, seen := rand.New(rand.NewPCG(1, 2)), make([]int, 9)
	for range 90_000 {
		left, _ := Split(8, random.Float64())
		seen[left]++
	}
	for left, count := range seen {
		if count < 9_500 || count > 10_500 { // five standard deviations
			t.Errorf("left = %d came %d times of 90,000", left, count)
		}
	}
}

func TestDraw(t *testing.T) {
	r := testdata.Must(NewRecipe(28, 20, 0.25))(t)
	random, same, padded := rand.New(rand.NewPCG(3, 4)), rand.New(rand.NewPCG(3, 4)), 0
	for range 40_000 {
		p, is := r.Draw(random)
		whether, left, up := same.Float64(), same.Float64(), same.Float64() // three draws in any case
		var want region.Padding
		if whether < 0.25 {
			padded++
			want.Left, want.Right = Split(5, left)
			want.Top, want.Bottom = Split(7, up)
		}
		if p != want || is != (whether < 0.25) {
			t.Fatalf("%+v (%v), want %+v at %v, %v, %v", p, is, want, whether, left, up)
		}
	}
	if padded < 9_500 || padded > 10_500 {
		t.Errorf("%d of 40,000 padded at p = 0.25", padded)
	}
}

// zeros is a source whose every draw is 0.
type zeros struct{}

func (zeros) Uint64() uint64 { return 0 }

func TestDrawOfZero(t *testing.T) {
	for _, test := range []struct {
		p      float64
		want   region.Padding
		padded bool
	}{{0, region.Padding{}, false}, {0.5, region.Padding{Bottom: 4, Right: 5}, true}} {
		r := testdata.Must(NewRecipe(8, 10, test.p))(t)
		if p, padded := r.Draw(rand.New(zeros{})); p != test.want || padded != test.padded {
			t.Errorf("p = %v: %+v, %v", test.p, p, padded)
		}
	}
}

func TestDrawAlwaysAndNever(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	always := testdata.Must(NewRecipe(9, 9, 1))(t)
	never := testdata.Must(NewRecipe(9, 9, 0))(t)
	for range 1000 {
		if p, padded := always.Draw(random); !padded || p.Left+p.Right != 9 || p.Top+p.Bottom != 9 {
			t.Fatalf("p = 1: %+v, %v", p, padded)
		}
		if p, padded := never.Draw(random); padded || p != (region.Padding{}) {
			t.Fatalf("p = 0: %+v, %v", p, padded)
		}
	}
}
