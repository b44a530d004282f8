package dscore

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/internal/testdata"
	"pgregory.net/rapid"
)

func TestNewRecipe(t *testing.T) {
	for _, want := range []Recipe{
		{28, 28, 0.56, 16, 16}, {28, 20, 0.3, 8, 6}, {5, 5, 0.1, 1, 1}, // 0.5 is rounded up
		{4, 4, 0.1, 0, 0}, {32, 32, 0, 0, 0}, {32, 32, 1, 32, 32},
	} {
		testdata.Is(t, "recipe", testdata.Must(NewRecipe(want.Height, want.Width, want.P))(t), want)
	}
	for _, wrong := range []Recipe{
		{Height: 28, Width: 28, P: -0.1},
		{Height: 28, Width: 28, P: 1.1},
		{Height: 28, Width: 28, P: math.NaN()},
		{Width: 28, P: 0.5},
		{Height: 28, P: 0.5},
	} {
		testdata.Refused(t, fmt.Sprint(wrong), testdata.Err(NewRecipe(wrong.Height, wrong.Width, wrong.P)))
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
