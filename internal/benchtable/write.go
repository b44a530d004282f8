package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// baseline is the name of the sub-benchmark that the others beside it are measured against.
const baseline = "plain"

// header names the columns; the first is text, the others are numbers.
var header = []string{"benchmark", "n", "time/op", "bytes/op", "allocs/op", "against plain", "also"}

// write prints the table: rooms in the order of their names, benchmarks in the order of the run.
func (o *output) write(out io.Writer) error {
	o.trim()
	results := slices.Clone(o.results)
	slices.SortStableFunc(results, func(a, b result) int { return strings.Compare(a.room, b.room) })
	rows, rooms := [][]string{header}, []string{""}
	for _, r := range results {
		rows, rooms = append(rows, o.row(r)), append(rooms, r.room)
	}
	widths := make([]int, len(header))
	for _, row := range rows {
		for k, cell := range row {
			widths[k] = max(widths[k], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	if o.processor != "" {
		fmt.Fprintf(&text, "%s\n\n", o.processor)
	}
	for i, row := range rows {
		if i > 0 && rooms[i] != rooms[i-1] {
			fmt.Fprintf(&text, "\n%s\n", rooms[i])
		}
		text.WriteString(line(row, widths))
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// line sets the first and the last column at the left, the numbers between at the right.
func line(row []string, widths []int) string {
	var b strings.Builder
	for k, cell := range row {
		space := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
		switch k {
		case 0:
			b.WriteString("  " + cell + space)
		case len(row) - 1:
			b.WriteString("  " + cell)
		default:
			b.WriteString("  " + space + cell)
		}
	}
	return strings.TrimRight(b.String(), " ") + "\n"
}

func (o *output) row(r result) []string {
	row := []string{r.name, grouped(strconv.FormatInt(r.runs(), 10)), "", "", "", o.ratio(r), ""}
	if ns, ok := r.median("ns/op"); ok {
		row[2] = duration(ns)
	}
	if bytes, ok := r.median("B/op"); ok {
		row[3] = size(bytes)
	}
	if allocs, ok := r.median("allocs/op"); ok {
		row[4] = grouped(strconv.FormatFloat(allocs, 'f', 0, 64))
	}
	var also []string
	for _, unit := range slices.Sorted(maps.Keys(r.values)) {
		if unit != "ns/op" && unit != "B/op" && unit != "allocs/op" {
			value, _ := r.median(unit) // the unit is there
			also = append(also, digits(value)+" "+unit)
		}
	}
	row[6] = strings.Join(also, ", ")
	return row
}

// ratio says how many times as fast a benchmark is as the baseline beside it.
func (o *output) ratio(r result) string {
	cut := strings.LastIndex(r.name, "/")
	if cut < 0 {
		return ""
	}
	if r.name[cut+1:] == baseline {
		return "1×"
	}
	for _, other := range o.results {
		if other.room != r.room || other.name != r.name[:cut+1]+baseline {
			continue
		}
		plain, _ := other.median("ns/op")
		own, ok := r.median("ns/op")
		if !ok || own == 0 || plain == 0 {
			return ""
		}
		return digits(plain/own) + "×"
	}
	return ""
}

// duration writes nanoseconds with 3 digits: "12.3 µs".
func duration(ns float64) string { return scaled(ns, 1000, "ns", "µs", "ms", "s") }

// size writes bytes with 3 digits: "1.5 KiB".
func size(bytes float64) string { return scaled(bytes, 1024, "B", "KiB", "MiB", "GiB") }

func scaled(v, step float64, units ...string) string {
	k := 0
	for k < len(units)-1 && v >= step*0.9995 {
		v, k = v/step, k+1
	}
	return digits(v) + " " + units[k]
}

// digits writes 3 significant digits, whole numbers from 1000 on in groups.
func digits(v float64) string {
	if v >= 999.5 {
		return grouped(strconv.FormatFloat(v, 'f', 0, 64))
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

func grouped(number string) string {
	for at := len(number) - 3; at > 0 && number[at-1] != '-'; at -= 3 {
		number = number[:at] + "," + number[at:]
	}
	return number
}
