package main

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// output is what a run of go test -bench said.
type output struct {
	processor string
	results   []result
	failures  []string // lines
}

// result is one benchmark; of several runs it holds every one.
type result struct {
	room   string // package below the module
	name   string // without Benchmark, and without the number of processors once trimmed
	counts []int64
	values map[string][]float64 // by unit: ns/op, B/op, allocs/op, and the benchmark's own
}

// modulePrefix is left out of the names of packages.
const modulePrefix = "github.com/variscope/variscope/"

// read adds the output of one go test.
func (o *output) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	room, pending := "", ""
	for lines.Scan() {
		line := lines.Text()
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case key == "pkg":
			room, pending = strings.TrimPrefix(value, modulePrefix), ""
		case key == "cpu":
			o.processor = value
		case strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- FAIL") ||
			strings.HasPrefix(line, "panic: "):
			o.failures = append(o.failures, line)
		case strings.HasPrefix(line, "Benchmark"):
			// A benchmark that writes to the output leaves its name in a line of its own, its
			// numbers in a later one.
			if !o.add(room, line) {
				word, _, _ := strings.Cut(line, "\t")
				pending = strings.TrimSpace(word)
			} else {
				pending = ""
			}
		case pending != "" && o.add(room, pending+" "+line):
			pending = ""
		}
	}
	return lines.Err()
}

// add reads a line "BenchmarkName-2  100  123 ns/op  45 B/op"; false when it is none.
func (o *output) add(room, line string) bool {
	fields := strings.Fields(line)
	if len(fields) < 4 || len(fields)%2 != 0 {
		return false
	}
	count, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return false
	}
	name := strings.TrimPrefix(fields[0], "Benchmark")
	at := slices.IndexFunc(o.results, func(r result) bool { return r.room == room && r.name == name })
	if at < 0 {
		at = len(o.results)
		o.results = append(o.results, result{room: room, name: name, values: map[string][]float64{}})
	}
	r := &o.results[at]
	r.counts = append(r.counts, count)
	for k := 2; k < len(fields); k += 2 {
		if value, err := strconv.ParseFloat(fields[k], 64); err == nil {
			r.values[fields[k+1]] = append(r.values[fields[k+1]], value)
		}
	}
	return true
}

var processors = regexp.MustCompile(`-[0-9]+$`)

// trim takes the number of processors from the names. go test writes it behind every name or behind
// none, so it counts as one only where all names end in the same.
func (o *output) trim() {
	ending := ""
	for k, r := range o.results {
		own := processors.FindString(r.name)
		if own == "" || k > 0 && own != ending {
			return
		}
		ending = own
	}
	for k := range o.results {
		o.results[k].name = strings.TrimSuffix(o.results[k].name, ending)
	}
}

// median of the runs; ok is false when the benchmark has no such unit.
func (r result) median(unit string) (value float64, ok bool) {
	list := slices.Sorted(slices.Values(r.values[unit]))
	if len(list) == 0 {
		return 0, false
	}
	middle := len(list) / 2
	if len(list)%2 == 1 {
		return list[middle], true
	}
	return (list[middle-1] + list[middle]) / 2, true
}

// runs is the number of operations of the median run.
func (r result) runs() int64 {
	list := slices.Sorted(slices.Values(r.counts))
	return list[len(list)/2]
}
