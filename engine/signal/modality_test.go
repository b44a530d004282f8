package signal

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestParseModality(t *testing.T) {
	for text, want := range map[string]Modality{
		"max@CONF":              {Position: "CONF", Reducer: Max},
		"CONF/max":              {Position: "CONF", Reducer: Max},
		"CONF.max":              {Position: "CONF", Reducer: Max},
		" mean_max@CONV-1 ":     {Position: "CONV-1", Reducer: MeanMax},
		"CONV-1.max_mean":       {Position: "CONV-1", Reducer: MaxMean},
		"L2@CONV-1":             {Position: "CONV-1", Order: 2},
		"CONV-1/L2":             {Position: "CONV-1", Order: 2},
		"Linf@CONF":             {Position: "CONF", Order: math.Inf(1)},
		"L10@CONF":              {Position: "CONF", Order: 10},
		"max@/block.1/conv@out": {Position: "/block.1/conv@out", Reducer: Max},
		"/block.1/conv/std":     {Position: "/block.1/conv", Reducer: Std},
		"odd@name/min":          {Position: "odd@name", Reducer: Min},
	} {
		got, err := ParseModality(text)
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v, want %+v", text, got, err, want)
			continue
		}
		testdata.Is(t, fmt.Sprintf("%q written", text), testdata.Must(ParseModality(got.String()))(t), got)
	}
	for _, text := range []string{
		"", "max", "CONF", "max@", "/max", "median@CONF", "L0@CONF", "L-1@CONF", "L1.5@CONF",
		"L@CONF", "CONF/L99999999",
	} {
		if m, err := ParseModality(text); err == nil {
			t.Errorf("%q was read as %+v", text, m)
		} else if !strings.Contains(err.Error(), "max") && !strings.Contains(err.Error(), "L1") {
			t.Errorf("%q: the message does not show how: %v", text, err)
		}
	}
}

func FuzzParseModality(f *testing.F) {
	for _, seed := range []string{"max@CONF", "CONF/max", "CONF.mean_std", "L2@CONV-1", "Linf@a@b/c.d", "@", "max@"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseModality(text)
		if err != nil {
			return
		}
		again, err := ParseModality(m.String())
		// The canonical text is trimmed as every text is, so a name that begins or ends with space
		// does not survive.
		if m.Position == strings.TrimSpace(m.Position) && (err != nil || again != m) {
			t.Fatalf("%q is %+v, its text %q is %+v, %v", text, m, m.String(), again, err)
		}
	})
}

func TestPair(t *testing.T) {
	next := 0
	for i := range 7 {
		for j := range i {
			testdata.Is(t, fmt.Sprintf("pair %d, %d", i, j), Pair(i, j), next)
			next++
		}
	}
	testdata.Is(t, "pairs", next, Pairs(7))
}

func TestSetsOfModalities(t *testing.T) {
	testdata.Is(t, "default", fmt.Sprint(DefaultModalities()),
		"[max@CONF max@CONV-1 mean@CONV-1 max@CONV-2 mean@CONV-2]")
	testdata.Is(t, "reference assessor", fmt.Sprint(ReferenceAssessor()),
		"[max@CONF max@CONV-1 max_mean@CONV-1 max@CONV-2 max_mean@CONV-2]")
}
