package derive

import (
	"fmt"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/internal/testdata"
)

// TestOptionsNameChanges: corruptions stand before shifts, each once, and without severities of its
// own a corruption has those of all.
func TestOptionsNameChanges(t *testing.T) {
	for want, o := range map[string]Options{
		"":                   {Severity: []int{1}},
		"fog 2|fog 5|jpeg 1": {Severity: []int{2, 5}, Corruption: []string{"fog", "jpeg: 1", "fog:5"}},
		"fog 1, seed 7, uint8|fog 2, seed 7, uint8|fog 3, seed 7, uint8|fog 4, seed 7, uint8|fog 5, seed 7, uint8": {
			Corruption: []string{"fog"}, Seed: 7, Store: "uint8",
		},
		"snow 4|shifted 3x3 t5 region 7|shifted 3x3 t5 region 1|shifted 1x1 t9 region 1": {
			Corruption: []string{"snow:4"}, Shift: []string{"3:5:7, 1,7", "1:9"},
		},
	} {
		if o.Seed == 0 {
			o.Seed = 1
		}
		changes, err := o.Changes()
		var got []string
		for _, c := range changes {
			got = append(got, c.Short())
		}
		if strings.Join(got, "|") != want || err != nil || option.Check(&o) != nil {
			t.Errorf("%+v gives %q, %v", o, got, err)
		}
	}
	if all, err := (&Options{All: true, Severity: []int{3}}).Changes(); len(all) != 15 || err != nil {
		t.Errorf("all are %d, %v", len(all), err)
	}
}

func TestOptionsAreRefused(t *testing.T) {
	for want, o := range map[string]Options{
		"give --all or --corruption, not both":          {All: true, Corruption: []string{"fog"}},
		`--corruption fog:x: severity "x" is not`:       {Corruption: []string{"fog:x"}},
		"severity 6 of fog does not exist":              {Corruption: []string{"fog:6"}},
		`unknown corruption "rain"`:                     {Corruption: []string{"rain:1"}},
		"--shift 3: write N:T, such as 3:5":             {Shift: []string{"3"}},
		`--shift 3:five: "five" is not a whole number`:  {Shift: []string{"3:five"}},
		"--shift 3:0: shift: t is 0":                    {Shift: []string{"3:0"}},
		`--shift 3:5:: region "" is not a whole number`: {Shift: []string{"3:5:"}},
		"--shift 3:5:10: region 10 does not exist":      {Shift: []string{"3:5:10"}},
		"--severity takes whole numbers from 1 to 5":    {Severity: []int{6}},
		"--store takes uint8":                           {Store: "int8"},
	} {
		testdata.Refused(t, fmt.Sprintf("%+v", o), option.Check(&o), want)
	}
}
