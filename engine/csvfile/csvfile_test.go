package csvfile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

func TestGuard(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "note": "note", "=1+1": "'=1+1", "+x": "'+x", "-x": "'-x", "@x": "'@x", "'quoted'": "''quoted'",
		"a=b": "a=b", "-5": "-5", "+0.5": "+0.5", "-1e-7": "-1e-7", "-5+1": "'-5+1", "-Inf": "-Inf", "-": "'-",
		"\t=1": "'\t=1", "\n=1": "'\n=1", "＝1": "'＝1", "\xff=": "\xff=",
	} {
		testdata.Is(t, fmt.Sprintf("guard(%q)", text), guard(text), want)
	}
}

// The caller's row is not changed.
func TestCellsStandAsTheyAre(t *testing.T) {
	var plain, guarded bytes.Buffer
	row := []string{"x", "=1", "-0.5", "'=2", "+Inf", "a,\"b\"\r\n", "-5+1"}
	before := slices.Clone(row)
	testdata.OK(t, NewWriter(&plain).WriteAll([][]string{row, {"", ""}}))
	testdata.NoDiff(t, "difference", cmp.Diff("x,=1,-0.5,'=2,+Inf,\"a,\"\"b\"\"\n\",-5+1\n,\n", plain.String()))
	testdata.OK(t, ForSpreadsheets(&guarded).WriteAll([][]string{row, {"", "@"}}))
	if diff := cmp.Diff("x,'=1,-0.5,''=2,+Inf,\"a,\"\"b\"\"\n\",'-5+1,for_spreadsheets\n,'@,true\n",
		guarded.String()); diff != "" {
		t.Error(diff)
	}
	testdata.Equal(t, "the row became", before, row)
	testdata.Refused(t, "writing to a failing file succeeds", NewWriter(failing{}).WriteAll([][]string{row}))
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("cable pulled") }

// FuzzWriter: rows of texts and numbers, written for spreadsheets or not and read again, are the
// same texts and numbers; no cell of a file for spreadsheets begins a formula.
func FuzzWriter(f *testing.F) {
	f.Add("=cmd|' /C calc'!A0", "@SUM(1)", -1.5)
	f.Add("'", "\t\r\n", math.Inf(-1))
	f.Add("a\"b", "-5", 0.1)
	f.Fuzz(func(t *testing.T, a, b string, v float64) {
		number := strconv.FormatFloat(v, 'g', -1, 64)
		rows := [][]string{{"h", a, "x"}, {a, number, b}, {number, b, a}}
		want := [][]string{}
		for _, row := range rows {
			want = append(want, []string{lineEnds.Replace(row[0]), lineEnds.Replace(row[1]), lineEnds.Replace(row[2])})
		}
		for _, newWriter := range []func(io.Writer) *Writer{NewWriter, ForSpreadsheets} {
			var out bytes.Buffer
			testdata.OK(t, newWriter(&out).WriteAll(rows))
			file := out.String()
			got, err := NewReader(&out).ReadAll()
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Error(err, diff)
			}
			cells := testdata.Must(csv.NewReader(strings.NewReader(file)).ReadAll())(t)
			for _, cell := range slices.Concat(cells...) {
				if strings.HasSuffix(cells[0][len(cells[0])-1], Mark) && guard(cell) != cell && cell[0] != '\'' {
					t.Errorf("%q begins a formula", cell)
				}
			}
		}
	})
}

func TestReaderTakesApostrophesWhereTheFileSaysSo(t *testing.T) {
	for text, want := range map[string][][]string{
		"a,b\n'=1,''\n":                            {{"a", "b"}, {"'=1", "''"}},
		"a,'b,for_spreadsheets\n'=1,'',true\n":     {{"a", "b"}, {"=1", "'"}},
		"for_spreadsheets,a\n'=1,'2\n":             {{"for_spreadsheets", "a"}, {"'=1", "'2"}},
		"\ufeffa,for_spreadsheets\r\n'-x,TRUE\r\n": {{"a"}, {"-x"}}, // as a spreadsheet saves it
	} {
		if rows, err := NewReader(strings.NewReader(text)).ReadAll(); !cmp.Equal(want, rows) || err != nil {
			t.Errorf("%q: %q, %v", text, rows, err)
		}
	}
}

func TestReaderPassesOverTheMark(t *testing.T) {
	for text, want := range map[string][][]string{
		"\ufeffa,b\n\ufeffc,d\n":        {{"a", "b"}, {"\ufeffc", "d"}}, // only the first bytes are a mark
		"\ufeff\"a,\"\"x\",\ufeffb\r\n": {{"a,\"x", "\ufeffb"}},
		"\ufeff":                        nil,
		"":                              nil,
		"\xef\xbb,a\n":                  {{"\xef\xbb", "a"}},
	} {
		for name, in := range map[string]io.Reader{
			"whole": strings.NewReader(text),
			"bytes": iotest.OneByteReader(strings.NewReader(text)),
		} {
			rows, err := NewReader(in).ReadAll()
			if diff := cmp.Diff(want, rows); diff != "" || err != nil {
				t.Errorf("%q, %s: %v %s", text, name, err, diff)
			}
		}
	}
	if _, err := NewReader(iotest.ErrReader(errors.New("cable pulled"))).ReadAll(); err == nil ||
		err.Error() != "cable pulled" {
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
		if then != '"' && (err == nil || err.Error() != "a row has more than 4 MiB") {
			t.Errorf("%q: %d rows, %v", then, len(rows), err)
		}
		if err == nil || after.TotalAlloc-before.TotalAlloc > 64*MaxRow {
			t.Errorf("%q: %v after %d MB", then, err, (after.TotalAlloc-before.TotalAlloc)>>20)
		}
	}
	columns := NewReader(endlessText{strings.NewReader("a,b\n"), ','})
	testdata.Refused(t, "columns", testdata.Err(columns.ReadAll()), "a row has more than 4 MiB")
	many := NewReader(strings.NewReader(strings.Repeat("abc,def\n", 1<<20)))
	if rows, err := many.ReadAll(); err != nil || len(rows) != 1<<20 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}
