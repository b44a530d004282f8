package present

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/variance"
)

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.0413: "0.0413", 0.04134: "0.0413", 0.04135001: "0.0414", 1: "1.00", 12.34: "12.3", 99.96: "100", 123.4: "123", 999.4: "999", 999.6: "1,000",
		12345.6: "12,346", -12345.6: "-12,346", -0.5: "-0.500", 0.00012: "0.000120", 0.00001234: "1.23e-05", 2e9: "2.00e+09",
		9.996: "10.0", 0.9996: "1.00", math.Inf(1): "∞", math.Inf(-1): "-∞",
	} {
		if got := Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
	if Number(math.NaN()) != None {
		t.Error("NaN must be a dash")
	}
}

func TestNumberKeepsThreeDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Pow(10, rapid.Float64Range(-8, 8).Draw(t, "exponent"))
		if rapid.Bool().Draw(t, "negative") {
			v = -v
		}
		back, err := strconv.ParseFloat(strings.ReplaceAll(Number(v), ",", ""), 64)
		if err != nil || math.Abs(back-v) > 0.00501*math.Abs(v) {
			t.Errorf("Number(%v) = %q, which is %v", v, Number(v), back)
		}
	})
}

func TestFixedFormats(t *testing.T) {
	nan := math.NaN()
	for got, want := range map[string]string{
		Kappa(0.81249): "0.812", Kappa(1): "1.000", Kappa(-0.0004): "0.000", Kappa(-0.1): "-0.100", Kappa(nan): "-",
		Percent(0.8312): "83.1 %", Percent(1): "100.0 %", Percent(nan): "-",
		Count(0): "0", Count(999): "999", Count(1000): "1,000", Count(-1234567): "-1,234,567",
		Counted(1, "model"): "1 model", Counted(0, "model"): "0 models", Counted(12, "class"): "12 classes", Counted(2, "entry"): "2 entries",
		Counted(2, "day"): "2 days", Counted(2, "key"): "2 keys", Counted(2000, "box"): "2,000 boxes", Counted(2, "match"): "2 matches",
		Short("0123456789abcdef"): "0123456789ab", Short("01"): "01",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCountIsReversible(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		text := Count(n)
		back, err := strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
		if err != nil || back != n {
			t.Errorf("Count(%d) = %q", n, text)
		}
		groups := strings.Split(strings.TrimPrefix(text, "-"), ",")
		for k, g := range groups {
			if len(g) > 3 || len(g) == 0 || k > 0 && len(g) != 3 {
				t.Errorf("Count(%d) = %q has a wrong group", n, text)
			}
		}
	})
}

func TestValueText(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{-3, "°", "-3°"},
		{0.8999999999999999, "×", "0.9×"},
		{0.1 + 0.2, "", "0.3"},
		{math.Copysign(0, -1), "°", "0°"},
		{12345, "", "12345"},
		{0.00001, "", "1e-05"},
		{math.NaN(), "°", "-"},
		{math.Inf(1), "°", "-"},
	} {
		if got := ValueText(c.v, c.unit); got != c.want {
			t.Errorf("ValueText(%v) = %q, want %q", c.v, got, c.want)
		}
	}
	if got := RangeText(0, 0.3); got != "0..0.3" {
		t.Errorf("RangeText = %q", got)
	}
}

func TestHover(t *testing.T) {
	axis := render.Axis{Name: "rotation", Unit: "°", Values: []float64{-3, 12}}
	m := variance.Matrix{N: 2, Data: []float64{0, 0.04127, math.NaN(), 0}}
	for _, c := range []struct {
		axis render.Axis
		i, j int
		want string
	}{
		{axis, 0, 1, "V_i = -3°, V_j = 12°, δ = 0.0413"},
		{axis, 0, 0, "V_i = -3°, V_j = -3°, δ = 0"},
		{axis, 1, 0, "V_i = 12°, V_j = -3°, δ = not a number"},
		{render.Axis{}, 0, 1, "i = 0, j = 1, δ = 0.0413"},
		{axis, 2, 0, ""},
		{axis, 0, -1, ""},
	} {
		if got := Hover(c.axis, m, c.i, c.j); got != c.want {
			t.Errorf("Hover(%d, %d) = %q, want %q", c.i, c.j, got, c.want)
		}
	}
}
