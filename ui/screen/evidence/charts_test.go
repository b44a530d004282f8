package evidence

import "testing"

func TestAccuracyChartSaysWhyThereIsNone(t *testing.T) {
	for want, e := range map[string]Evidence{
		"no signals yet":                       {State: "stale"},
		"no accuracy: no images left":          {Total: 60},
		"no accuracy: the suite has no labels": {Images: 60, Total: 60},
	} {
		if d := AccuracyChart(e); d.Empty != want || len(d.Series) != 0 {
			t.Errorf("%q, want %q", d.Empty, want)
		}
	}
}
