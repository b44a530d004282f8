package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// easy has a unit of one second: 7,936 inferences.
var easy = study{"easy", 10, 2560, 31, 7936, 0.5, 1e6, 1e5, 1e6}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// Every part against numbers that were worked out by hand.
func TestPredict(t *testing.T) {
	c := costs{desk: 0.01, worker: 0.02, gap: 0.03, trips: 2}
	four := place{workers: 4, together: 1, deskCores: 2, link: 1e7, trip: 0.025, spread: true}
	with := func(change func(*place)) place {
		p := four
		change(&p)
		return p
	}
	for _, test := range []struct {
		name                     string
		place                    place
		computing, desk, out, in float64
		fetches                  float64
		bound                    string
	}{
		// 100 units of 1 + 0.02 + 0.03 + 2 x 0.025 s in 25 rounds; 10 models opened by 4 workers
		// each, by 4 at a time: 5 s
		{"four workers", four, 25*1.1 + 5, 0.5, (40e6 + 4*10*1e5) / 1e7, 10, 4, "workers"},
		{
			"no more fetches than units", with(func(p *place) { p.workers = 50 }), 2*1.1 + 1, 0.5,
			(100e6 + 50*2*1e5) / 1e7, 10, 10, "link, models",
		},
		{
			"a computer of four", with(func(p *place) { p.together = 4 }), 25*1.1 + 1.25, 0.5, (10e6 + 10*1e5) / 1e7,
			10, 1, "workers",
		},
		{
			"units together", with(func(p *place) { p.workers, p.spread = 10, false }), 10*1.1 + 0.5, 0.5,
			(10e6 + 10*10*1e5) / 1e7, 10, 1, "workers",
		},
		{
			"more workers than models", with(func(p *place) { p.workers, p.spread = 50, false }), 2*1.1 + 0.5, 0.5,
			(50e6 + 50*2*1e5) / 1e7, 10, 5, "link, results",
		},
		{
			"the last round is not full", with(func(p *place) { p.workers = 3 }), 34*1.1 + 5, 0.5,
			(30e6 + 3*10*1e5) / 1e7, 10, 3, "workers",
		},
		{
			"a wide link", with(func(p *place) { p.workers, p.link = 1000, 1e12 }), 1.1 + 0.05, 0.5,
			(100e6 + 1000*0.1*1e5) / 1e12, 100e6 / 1e12, 10, "workers",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := predict(easy, c, test.place)
			for _, part := range []struct {
				name      string
				got, want float64
			}{
				{"computing", o.computing, test.computing},
				{"desk", o.desk, test.desk},
				{"out", o.out, test.out},
				{"in", o.in, test.in},
				{"fetches", o.fetches, test.fetches},
			} {
				if !near(part.got, part.want) {
					t.Errorf("%s: %v, not %v", part.name, part.got, part.want)
				}
			}
			if o.bound() != test.bound || o.total() != max(test.computing, test.desk, test.out, test.in) &&
				!near(o.total(), max(test.computing, test.desk, test.out, test.in)) {
				t.Errorf("waits %v for %s", o.total(), o.bound())
			}
		})
	}
	c.desk, c.byte, c.send = 9, 0.9e-6, 1e-6 // 9.9 s for a result of a megabyte, and 44 MB sent
	if o := predict(easy, c, four); o.bound() != "coordinator's processor" || !near(o.total(), (990+44)/2.) {
		t.Errorf("%s, %v", o.bound(), o.total())
	}
}

// The tables of docs/scale.md are those of the formula with what was measured: go run
// ./internal/remote prints them.
func TestTheTablesOfTheDocs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "scale.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables() {
		if !strings.Contains(string(text), strings.TrimSpace(table)) {
			t.Errorf("docs/scale.md has another table than go run ./internal/remote prints; put this one into it:\n%s",
				table)
		}
	}
	for _, line := range formula(t) {
		if !strings.Contains(string(text), line) {
			t.Errorf("docs/scale.md does not say %q, as the comment of predict does", line)
		}
	}
}

// formula are the lines of the comment that says it.
func formula(t *testing.T) (lines []string) {
	t.Helper()
	source, err := os.ReadFile("model.go")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(source)) {
		if said, ok := strings.CutPrefix(line, "//\t"); ok {
			lines = append(lines, strings.TrimSpace(said))
		}
	}
	if len(lines) < 7 {
		t.Fatalf("%q", lines)
	}
	return lines
}

func TestWords(t *testing.T) {
	for in, want := range map[float64]string{
		0.4: "0 s", 61: "61 s", 600: "10 min", 7200: "2.0 h",
		86400 * 7: "7.0 days",
	} {
		if got := span(in); got != want {
			t.Errorf("%v s are %s, not %s", in, got, want)
		}
	}
	if volume(22.56e9) != "22.6 GB" || volume(902.4e9) != "902 GB" || thousands(1000) != "1,000" ||
		thousands(10) != "10" || percent(0.876) != "88 %" || flow(25e3) != "25 kB/s" || flow(91.2e6) != "91.2 MB/s" {
		t.Error(volume(22.56e9), volume(902.4e9), thousands(1000), thousands(10), percent(0.876))
	}
}
