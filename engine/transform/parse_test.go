package transform

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func ratio(n, d int) *big.Rat { return big.NewRat(int64(n), int64(d)) }

func TestParse(t *testing.T) {
	const plain = ";interpolation=bilinear;border=zero"
	for _, test := range []struct {
		text, canonical, short, unit string
		n                            int
		first, last                  float64
	}{
		{"rotation:-15:15:1", "rotation:-15:15:1" + plain, "rotation -15..15°", "°", 31, -15, 15},
		{"rotation:-90:90:3", "rotation:-90:90:3" + plain, "rotation -90..90° step 3", "°", 61, -90, 90},
		{
			"rotation:-15:15:1;border=edge;interpolation=nearest",
			"rotation:-15:15:1;interpolation=nearest;border=edge", "rotation -15..15° nearest edge", "°", 31, -15, 15,
		},
		{
			" rotation : -15 : +15.0 : 1e0 ; border = reflect ",
			"rotation:-15:15:1;interpolation=bilinear;border=reflect", "rotation -15..15° reflect", "°", 31, -15, 15,
		},
		{"brightness:-.30:.300:2e-2", "brightness:-0.3:0.3:0.02", "brightness -0.3..0.3", "", 31, -0.3, 0.3},
		{"contrast:-0.2:0.2:0.1", "contrast:-0.2:0.2:0.1", "contrast -0.2..0.2 step 0.1", "", 5, -0.2, 0.2},
		{"scaling:0.7:1.3:0.02", "scaling:0.7:1.3:0.02" + plain, "scaling 0.7..1.3×", "×", 31, 0.7, 1.3},
		{"scaling:-0.3:0.3:0.02", "scaling:0.7:1.3:0.02" + plain, "scaling 0.7..1.3×", "×", 31, 0.7, 1.3},
		{
			"translation-x:-0.1:0.1:0.1", "translation-x:-0.1:0.1:0.1" + plain,
			"translation-x -0.1..0.1 step 0.1", "", 3, -0.1, 0.1,
		},
		{
			"shear:-15:15:1;interpolation=bicubic", "shear:-15:15:1;interpolation=bicubic;border=zero",
			"shear -15..15° bicubic", "°", 31, -15, 15,
		},
	} {
		f, err := Parse(test.text)
		if err != nil {
			t.Error(err)
			continue
		}
		values := f.Values()
		if f.String() != test.canonical || f.Short() != test.short || f.Unit() != test.unit {
			t.Errorf("%s: %q, %q, %q", test.text, f.String(), f.Short(), f.Unit())
		}
		if f.N() != test.n || len(values) != test.n || f.Identity() != test.n/2 || values[0] != test.first ||
			values[test.n-1] != test.last {
			t.Errorf("%s: N %d, identity %d, values %v", test.text, f.N(), f.Identity(), values)
		}
		testdata.Is(t, "again", testdata.Must(Parse(f.String()))(t), f)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "unknown name",
		"turn:-1:1:1":           `unknown name "turn"; known are rotation, brightness`,
		"rotation":              "write it as NAME:LO:HI:STEP, like rotation:-15:15:1",
		"rotation:-15:15":       "write it as",
		"rotation:a:15:1":       `"a" is not a decimal number`,
		"rotation:-15:15:0x1":   "not a decimal number",
		"rotation:--15:15:1":    "not a decimal number",
		"rotation:-1_5:15:1":    "not a decimal number",
		"rotation:-15:15:1e99":  "not a decimal number",
		"rotation:-15:20:1":     "symmetric about 0",
		"scaling:0.7:1.4:0.1":   "symmetric about 1 (factors) or about 0",
		"rotation:15:-15:1":     "must be below",
		"rotation:0:0:1":        "fewer than 3",
		"rotation:-15:15:0":     "must be above 0",
		"rotation:-15:15:20":    "fewer than 3",
		"rotation:-15:15:2":     "even number",
		"rotation:-15:15:4":     "not a whole multiple",
		"rotation:-15:15:0.001": "more than 1001",
		"scaling:0.99999999999999999999:1.00000000000000000001:0.00000000000000000001": "strictly increasing",
		"rotation:-1e24:1e24:1e24":                     "more than 24 digits",
		"rotation:-1e-24:1e-24:1e-24":                  "more than 24 digits",
		"rotation:-1:1:" + strings.Repeat("0", 60):     "more than 48 digits",
		"scaling:-1:1:0.5":                             "above 0",
		"shear:-90:90:10":                              "below 90 degrees",
		"rotation:-15:15:1;":                           "unknown option",
		"rotation:-15:15:1;fill=0":                     "unknown option",
		"rotation:-15:15:1;border=wrap":                `unknown border "wrap"`,
		"rotation:-15:15:1;interpolation=cubic":        `unknown interpolation "cubic"`,
		"rotation:-15:15:1;border=zero;border=zero":    "given twice",
		"brightness:-0.3:0.3:0.02;border=zero":         "it has no border",
		"contrast:-0.3:0.3:0.02;interpolation=nearest": "it has no interpolation",
	} {
		f, err := Parse(text)
		if err == nil || f != (Family{}) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, f, err, want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), `family "`) {
			t.Errorf("%q: the message does not name the text: %v", text, err)
		}
	}
}

func TestWith(t *testing.T) {
	f := family(t, "rotation:-2:2:1")
	for _, test := range []struct {
		interpolation Interpolation
		border        Border
		want          string
	}{
		{"", "", "rotation:-2:2:1;interpolation=bilinear;border=zero"},
		{Nearest, "", "rotation:-2:2:1;interpolation=nearest;border=zero"},
		{"", Edge, "rotation:-2:2:1;interpolation=bilinear;border=edge"},
		{Bicubic, Reflect, "rotation:-2:2:1;interpolation=bicubic;border=reflect"},
	} {
		testdata.Is(t, "got", testdata.Must(f.With(test.interpolation, test.border))(t).String(), test.want)
	}
	testdata.Refused(t, "an unknown interpolation was taken", testdata.Err(f.With("cubic", "")))
	testdata.Refused(t, "an unknown border was taken", testdata.Err(f.With("", "wrap")))
	b := family(t, "brightness:-1:1:1")
	testdata.Refused(t, "brightness took an interpolation", testdata.Err(b.With(Nearest, "")))
	testdata.Is(t, "got", testdata.Must(b.With("", ""))(t), b)
}

func TestEveryNameHasADefault(t *testing.T) {
	if names := Names(); len(names) != 7 || names[0] != "rotation" {
		t.Errorf("%v", names)
	}
	for _, name := range Names() {
		text, ok := Default(name)
		f := family(t, text)
		if !ok || f.Name() != name || f.N() != 31 || !strings.HasPrefix(f.String(), text) {
			t.Errorf("%s: %q is %s with %d", name, text, f, f.N())
		}
		k := f.kind()
		if (k.source == nil) == (k.pixels == nil) {
			t.Errorf("%s: a kind needs exactly one of source and pixels", name)
		}
	}
	if text, ok := Default("turn"); ok || text != "" {
		t.Errorf("%q", text)
	}
}

func TestFamilyAsText(t *testing.T) {
	type holder struct{ Family Family }
	for text, canonical := range map[string]string{
		"scaling:0.9:1.1:0.05;border=edge":  "scaling:0.9:1.1:0.05;interpolation=bilinear;border=edge",
		"rot90":                             "rot90",
		"mask:2;layers=1,2;after=batchnorm": "mask:2;layers=1,2;after=batchnorm",
	} {
		in := holder{setNamed(t, text)}
		data, err := json.Marshal(in)
		if err != nil || string(data) != `{"Family":"`+canonical+`"}` {
			t.Fatalf("%s, %v", data, err)
		}
		var out holder
		if err := json.Unmarshal(data, &out); err != nil || out != in {
			t.Errorf("%v, %v", out, err)
		}
		if err := json.Unmarshal([]byte(`{"Family":"x"}`), &out); err == nil || out != in {
			t.Errorf("a bad text changed the value: %v, %v", out, err)
		}
		if err := json.Unmarshal([]byte(`{"Family":""}`), &out); err != nil || out.Family != (Family{}) ||
			out.Family.String() != "" || out.Family.Short() != "" {
			t.Errorf("%v, %v", out, err)
		}
	}
}

// The golden file says each alpha as decimal text: "0.3" is 3/10.
func TestGoldenSampling(t *testing.T) {
	testdata.Cases(t, testdata.Golden(t, "variance"), nil, func(t *testing.T, c testdata.Case) {
		if c.Kind != "sampling" {
			return // engine/variance and engine/signal have the others
		}
		var want struct {
			Rows []struct {
				Alpha  json.Number
				K      int
				Values []float64
			}
		}
		testdata.OK(t, json.Unmarshal(c.Expected, &want))
		for _, r := range want.Rows {
			values := testdata.Must(sample(testdata.Must(decimal(r.Alpha.String()))(t), r.K, new(big.Rat)))(t)
			testdata.Equal(t, fmt.Sprintf("alpha %s, k %d", r.Alpha, r.K), values, r.Values)
		}
	})
}
