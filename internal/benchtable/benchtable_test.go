package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sample = `goos: linux
goarch: amd64
pkg: github.com/variscope/variscope/engine/variance
cpu: Some Processor
BenchmarkFive/plain-2         	      10	 110000000 ns/op	         0 B/op	       0 allocs/op
BenchmarkFive/blocks-2        	     100	   9876543 ns/op	      2048 B/op	    1234 allocs/op
BenchmarkFive/deep/plain-2    	     100	       200 ns/op
BenchmarkFive/deep/slow-2     	     100	       800 ns/op
BenchmarkScale/rotation:-15:15:1-2     	     100	       12.5 ns/op	         3.076 ns/pixel	   1500000 images/s
PASS
ok  	github.com/variscope/variscope/engine/variance	1.5s
?   	github.com/variscope/variscope/assets	[no test files]
pkg: github.com/variscope/variscope/engine/label
BenchmarkNoisy-2	said something
  and more
     100	      1000 ns/op	   1048576 B/op	       1 allocs/op
PASS
`

func table(t *testing.T, in string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(nil, strings.NewReader(in), &out)
	return out.String(), err
}

func TestTable(t *testing.T) {
	got, err := table(t, sample)
	if err != nil {
		t.Fatal(err)
	}
	want := `Some Processor

  benchmark                  n  time/op  bytes/op  allocs/op  against plain  also

engine/label
  Noisy                    100     1 µs     1 MiB          1

engine/variance
  Five/plain                10   110 ms       0 B          0             1×
  Five/blocks              100  9.88 ms     2 KiB      1,234          11.1×
  Five/deep/plain          100   200 ns                                  1×
  Five/deep/slow           100   800 ns                               0.25×
  Scale/rotation:-15:15:1  100  12.5 ns                                      1,500,000 images/s, 3.08 ns/pixel
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestRepeatedRunsShowTheMedian(t *testing.T) {
	got, err := table(t,
		"pkg: x\nBenchmarkA-4 10 100 ns/op\nBenchmarkA-4 30 900 ns/op\nBenchmarkA-4 20 300 ns/op\nBenchmarkB-4 1 1 "+
			"ns/op\nBenchmarkB-4 1 2 ns/op\n")
	if err != nil || !strings.Contains(got, "\n  A          20   300 ns") || !strings.Contains(got, "1.5 ns") {
		t.Errorf("%v\n%s", err, got)
	}
}

// Without a number of processors behind the names, a number that belongs to a name stays.
func TestNamesKeepTheirNumbers(t *testing.T) {
	got, err := table(t, "pkg: x\nBenchmarkA/size-31 10 100 ns/op\nBenchmarkA/size-61 10 100 ns/op\n")
	if err != nil || !strings.Contains(got, "A/size-31") || !strings.Contains(got, "A/size-61") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestFailuresAreTold(t *testing.T) {
	for name, in := range map[string]string{
		"nothing": "PASS\nok  \tx\t0.1s\n",
		"failed":  sample + "--- FAIL: BenchmarkBad\nFAIL\tx\t0.1s\n",
		"built":   sample + "FAIL\tgithub.com/variscope/variscope/store [build failed]\n",
		"panic":   sample + "panic: oops\n",
	} {
		got, err := table(t, in)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if name != "nothing" && !strings.Contains(got, "Five/blocks") {
			t.Errorf("%s: the table of the others is missing", name)
		}
	}
	if err := run([]string{filepath.Join(t.TempDir(), "nowhere")}, nil, &bytes.Buffer{}); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestFilesAreJoined(t *testing.T) {
	folder := t.TempDir()
	var paths []string
	for name, text := range map[string]string{
		"a.txt": "pkg: a\nBenchmarkA-2 1 5 ns/op\n",
		"b.txt": "pkg: b\nBenchmarkB-2 1 5 ns/op\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	var out bytes.Buffer
	if err := run(paths, nil, &out); err != nil || !strings.Contains(out.String(), "\na\n  A ") ||
		!strings.Contains(out.String(), "\nb\n  B ") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestUnits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0 ns", 1: "1 ns", 999: "999 ns", 999.6: "1 µs", 1234: "1.23 µs",
		5e6: "5 ms", 2.5e9: "2.5 s", 3.6e12: "3,600 s",
	} {
		if got := duration(v); got != want {
			t.Errorf("duration(%g) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{
		0: "0 B", 1023: "1,023 B", 1024: "1 KiB", 166168872: "158 MiB",
		5 << 40: "5,120 GiB",
	} {
		if got := size(v); got != want {
			t.Errorf("size(%g) = %q, want %q", v, got, want)
		}
	}
}
