package corrupt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Setting{
		"corruption:fog:3;seed=1":              {Name: "fog", Severity: 3, Seed: 1},
		"corruption:fog:3":                     {Name: "fog", Severity: 3, Seed: 1},
		"corruption: jpeg : 5 ; seed = 0":      {Name: "jpeg", Severity: 5},
		"corruption:snow:1;store=uint8;seed=7": {Name: "snow", Severity: 1, Seed: 7, Truncate: true},
		"corruption:glass_blur:2;compat=copy":  {Name: "glass_blur", Severity: 2, Seed: 1, Compat: true},
		"corruption:glass_blur:2;compat=copy;store=uint8": {
			Name: "glass_blur", Severity: 2, Seed: 1, Compat: true, Truncate: true,
		},
		"corruption:frost:4;seed=18446744073709551615":  {Name: "frost", Severity: 4, Seed: 1<<64 - 1},
		"corruption:impulse_noise:1;seed=3;store=uint8": {Name: "impulse_noise", Severity: 1, Seed: 3, Truncate: true},
		"corruption:elastic:2;store=uint8;seed=18446744073709": {
			Name: "elastic", Severity: 2, Seed: 18446744073709, Truncate: true,
		},
	} {
		testdata.Is(t, text, testdata.Must(Parse(text))(t), want)
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "write it as corruption:NAME:SEVERITY",
		"fog:3":                            "write it as corruption:NAME:SEVERITY",
		"corruption:fog":                   "write it as corruption:NAME:SEVERITY",
		"corruption:fog:3:4":               "write it as corruption:NAME:SEVERITY",
		"corruption:rain:3":                `unknown corruption "rain"; known are gaussian_noise, shot_noise`,
		"corruption:Fog:3":                 `unknown corruption "Fog"`,
		"corruption:fog:0":                 "severity 0 of fog does not exist; severities are 1 to 5",
		"corruption:fog:6":                 "severity 6 of fog does not exist",
		"corruption:fog:three":             `severity "three" is not a number`,
		"corruption:fog:3;seed=-1":         `seed "-1" is not a whole number`,
		"corruption:fog:3;seed":            `seed "" is not a whole number`,
		"corruption:fog:3;seed=1;seed=1":   "seed is given twice",
		"corruption:fog:3;store=float":     `unknown option "store=float"`,
		"corruption:fog:3;":                `unknown option`,
		"corruption:fog:3;compat=copy":     "fog has no compat=copy; it belongs to glass_blur",
		"corruption:glass_blur:3;compat=x": `unknown option "compat=x"`,
	} {
		s, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || s != (Setting{}) {
			t.Errorf("%s: %+v, %v, want %q", text, s, err, want)
		}
	}
}

func TestTextIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Setting{
			Name:     rapid.SampledFrom(Names()).Draw(t, "name"),
			Severity: rapid.IntRange(1, Severities).Draw(t, "severity"),
			Seed:     rapid.Uint64().Draw(t, "seed"),
			Truncate: rapid.Bool().Draw(t, "truncate"),
		}
		s.Compat = s.Name == glassBlur && rapid.Bool().Draw(t, "compat")
		testdata.Is(t, "got", testdata.Must(Parse(s.String()))(t), s)
	})
}

func TestShort(t *testing.T) {
	for s, want := range map[Setting]string{
		{Name: "fog", Severity: 3, Seed: 1}:                                          "fog 3",
		{Name: "gaussian_noise", Severity: 1, Seed: 2}:                               "gaussian noise 1, seed 2",
		{Name: "glass_blur", Severity: 5, Seed: 1, Truncate: true, Compat: true}:     "glass blur 5, uint8, copies",
		{Name: "frost", Severity: 5, Seed: 0, Truncate: true}:                        "frost 5, seed 0, uint8",
		{Name: "impulse_noise", Severity: 2, Seed: 1, Truncate: false, Compat: true}: "impulse noise 2, copies",
	} {
		testdata.Is(t, fmt.Sprintf("%+v", s), s.Short(), want)
	}
}

func TestNames(t *testing.T) {
	want := "gaussian_noise shot_noise impulse_noise defocus_blur glass_blur motion_blur zoom_blur snow frost fog " +
		"brightness contrast elastic pixelate jpeg"
	if got := Names(); strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
	Names()[0] = "spoilt"
	if !slices.Contains(Names(), "gaussian_noise") {
		t.Error("the names are shared")
	}
	testdata.Is(t, "title", Title("shot_noise"), "shot noise")
}

// TestTableIsWhole: every corruption has as many parameters at every severity, the same for both
// types of images.
func TestTableIsWhole(t *testing.T) {
	for _, k := range table {
		for severity := range Severities {
			if n := len(k.gray[0]); n == 0 || len(k.gray[severity]) != n || len(k.rgb[severity]) != n {
				t.Errorf("%s has %v and %v at severity %d", k.name, k.gray[severity], k.rgb[severity], severity+1)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	everything(func(s Setting) { f.Add(s.String()) })
	f.Add("corruption:fog:3;seed=1;store=uint8;compat=copy")
	f.Add(" corruption : glass_blur : 1 ; compat=copy")
	f.Add("corruption:fog:99999999999999999999;=;")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		testdata.OK(t, s.Check())
		again, err := Parse(s.String())
		if err != nil || again != s || again.String() != s.String() {
			t.Fatalf("%q is %q, which reads as %+v, %v", text, s, again, err)
		}
	})
}
