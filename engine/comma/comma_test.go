package comma

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestGuard(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "note": "note", "=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", "'quoted'": "''quoted'", "a=b": "a=b",
		"-5": "'-5", "\t=1": "'\t=1", "\r=1": "'\r=1", "\n=1": "'\n=1", "＝1": "'＝1", "\xff=": "\xff=",
	} {
		if got := Guard(text); got != want {
			t.Errorf("Guard(%q) = %q, want %q", text, got, want)
		}
	}
	if got := Unguard("''x"); got != "'x" {
		t.Errorf("import must remove exactly one apostrophe, got %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if got := Unguard(Guard(text)); got != text {
			t.Fatalf("%q came back as %q", text, got)
		}
		if guarded := Guard(text); begins(guarded) {
			t.Fatalf("%q begins like a formula", guarded)
		}
	})
}

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"-5": "-5", "+0.5": "+0.5", "-1e-7": "-1e-7", "-5+1": "'-5+1", "-Inf": "'-Inf", "=1": "'=1", "x": "x", "'": "''", "-": "'-",
	} {
		if got := Cell(text); got != want {
			t.Errorf("Cell(%q) = %q, want %q", text, got, want)
		}
	}
}

// What nobody guarded is guarded by the writer, what somebody guarded stays, and the caller's row is not changed.
func TestWriterGuardsWhatWasForgotten(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	row := []string{"x", "=1", "-0.5", "'=2", "+Inf", "-Inf", "NaN", "@y", "a,\"b\"\n", "-5+1"}
	before := slices.Clone(row)
	if err := w.WriteAll([][]string{row, {"", ""}}); err != nil {
		t.Fatal(err)
	}
	want := "x,'=1,-0.5,'=2,+Inf,-Inf,NaN,'@y,\"a,\"\"b\"\"\n\",'-5+1\n,\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(before, row) {
		t.Errorf("the row became %q", row)
	}
	if err := NewWriter(failing{}).WriteAll([][]string{row}); err == nil {
		t.Error("writing to a failing file succeeds")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("cable pulled") }

// FuzzWriter: rows of texts and numbers, written and read again, are the same texts and numbers; no cell begins a formula.
func FuzzWriter(f *testing.F) {
	f.Add("=cmd|' /C calc'!A0", "@SUM(1)", -1.5)
	f.Add("'", "\t\r\n", math.Inf(-1))
	f.Add("a\"b", "-5", 0.1)
	f.Fuzz(func(t *testing.T, a, b string, v float64) {
		ends := strings.NewReplacer("\r\n", "\n", "\r", "\n") // reading gives line ends back as \n
		a, b = ends.Replace(a), ends.Replace(b)
		number := strconv.FormatFloat(v, 'g', -1, 64)
		var out bytes.Buffer
		if err := NewWriter(&out).WriteAll([][]string{{Guard(a), number, Guard(b)}, {a, b, number}}); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatal(rows, err)
		}
		if diff := cmp.Diff([]string{a, number, b}, []string{Unguard(rows[0][0]), rows[0][1], Unguard(rows[0][2])}); diff != "" {
			t.Error(diff)
		}
		for _, cell := range slices.Concat(rows...) {
			if begins(cell) && !IsNumber(cell) && cell != number {
				t.Errorf("%q begins a formula", cell)
			}
		}
	})
}

func TestReaderPassesOverTheMark(t *testing.T) {
	for text, want := range map[string][][]string{
		"\ufeffa,b\n\ufeffc,d\n":        {{"a", "b"}, {"\ufeffc", "d"}}, // only the first bytes are a mark
		"\ufeff\"a,\"\"x\",\ufeffb\r\n": {{"a,\"x", "\ufeffb"}},
		"\ufeff\ufeffa\n":               {{"\ufeffa"}},
		"\ufeff":                        nil,
		"":                              nil,
		"a":                             {{"a"}},
		"\xef\xbb,a\n":                  {{"\xef\xbb", "a"}},
	} {
		for name, in := range map[string]io.Reader{"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text))} {
			rows, err := NewReader(in).ReadAll()
			if diff := cmp.Diff(want, rows); diff != "" || err != nil {
				t.Errorf("%q, %s: %v %s", text, name, err, diff)
			}
		}
	}
	if _, err := NewReader(iotest.ErrReader(errors.New("cable pulled"))).ReadAll(); err == nil || err.Error() != "cable pulled" {
		t.Errorf("a failing file gives %v", err)
	}
}

// endlessText is a table whose second row never ends: one cell, or one column after the other.
type endlessText struct {
	start *strings.Reader
	then  byte
}

func (e endlessText) Read(p []byte) (int, error) {
	if n, err := e.start.Read(p); err == nil {
		return n, nil
	}
	for i := range p {
		p[i] = e.then
	}
	return len(p), nil
}

func TestReaderBoundsARow(t *testing.T) {
	for _, then := range []byte{'x', ',', '\n', '"'} {
		r := NewReader(endlessText{strings.NewReader("a,b\n1,\""), then})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rows, err := r.ReadAll()
		runtime.ReadMemStats(&after)
		if then == '\n' || then == 'x' || then == ',' {
			if err == nil || err.Error() != "a row has more than 4 MiB" {
				t.Errorf("%q: %d rows, %v", then, len(rows), err)
			}
		}
		if err == nil || after.TotalAlloc-before.TotalAlloc > 64*MaxRow {
			t.Errorf("%q: %v after %d MB", then, err, (after.TotalAlloc-before.TotalAlloc)>>20)
		}
	}
	columns := NewReader(endlessText{strings.NewReader("a,b\n"), ','})
	if _, err := columns.ReadAll(); err == nil || err.Error() != "a row has more than 4 MiB" {
		t.Errorf("columns: %v", err)
	}
	many := NewReader(strings.NewReader(strings.Repeat("abc,def\n", 1<<20)))
	if rows, err := many.ReadAll(); err != nil || len(rows) != 1<<20 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}
