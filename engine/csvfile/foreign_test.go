package csvfile

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/variscope/variscope/internal/testdata"
)

// Each form of one table gives the same cells, read at once or byte by byte.
func TestForeignReadsEachForm(t *testing.T) {
	const text = "path;class\nè\u0301.png;\"a;b\"\n"
	latin := testdata.Must(charmap.Windows1252.NewEncoder().String("path,class\nx.png,caf\u00e9\ny.png,\u20ac\n"))(t)
	utf16 := func(e unicode.Endianness, b unicode.BOMPolicy) string {
		s := testdata.Must(unicode.UTF16(e, b).NewEncoder().String(text))(t)
		return s
	}
	want := [][]string{{"path", "class"}, {"è\u0301.png", "a;b"}}
	plain := [][]string{{"path", "class"}, {"a.png", "cat"}}
	for name, c := range map[string]struct {
		text, form string
		want       [][]string
	}{
		"semicolons":    {text, "separated by semicolons", want},
		"mark":          {mark + text, "separated by semicolons", want},
		"UTF-16 little": {utf16(unicode.LittleEndian, unicode.UseBOM), "separated by semicolons, read as UTF-16", want},
		"UTF-16 big":    {utf16(unicode.BigEndian, unicode.UseBOM), "separated by semicolons, read as UTF-16", want},
		"UTF-16 without a mark": {
			utf16(unicode.LittleEndian, unicode.IgnoreBOM), "separated by semicolons, read as UTF-16", want,
		},
		"UTF-16 big without": {
			utf16(unicode.BigEndian, unicode.IgnoreBOM), "separated by semicolons, read as UTF-16", want,
		},
		"Windows-1252": {
			latin, "read as Windows-1252 (Latin-1), since it is not UTF-8",
			[][]string{{"path", "class"}, {"x.png", "caf\u00e9"}, {"y.png", "\u20ac"}},
		},
		"tabs":            {"path\tclass\r\na.png\tcat\r\n", "separated by tabs", plain},
		"bars":            {"path|class\na.png|cat", "separated by '|'", plain},
		"Macintosh":       {"path;class\ra.png;cat\r", "separated by semicolons", plain},
		"sep":             {"sep=,\npath,class\na.png,cat\n", "", plain},
		"sep of Excel":    {mark + "SEP=;\r\npath;class\r\na.png;cat\r\n", "separated by semicolons", plain},
		"sep of another":  {"sep=#\npath#class\na.png#cat\n", "separated by '#'", plain},
		"quoted names":    {"\"a;b;c\",class\n\"x;\",cat\n", "", [][]string{{"a;b;c", "class"}, {"x;", "cat"}}},
		"blank rows":      {"\npath,class\n\na.png,cat\n,\n ,\t\n", "", plain},
		"trailing commas": {"path,class,\na.png,cat,,\n", "", plain},
		"more in rows":    {"path,class\na.png,cat,\n", "", plain},
		"one column":      {"path\na.png\n", "", [][]string{{"path"}, {"a.png"}}},
		"for spreadsheets": {
			"path;for_spreadsheets\n'-x;TRUE\n", "separated by semicolons", [][]string{{"path"}, {"-x"}},
		},
		"empty": {"", "", nil},
	} {
		for how, in := range map[string]io.Reader{
			"whole": strings.NewReader(c.text),
			"bytes": iotest.OneByteReader(strings.NewReader(c.text)),
		} {
			r := Foreign(in)
			rows, err := r.ReadAll()
			if diff := cmp.Diff(c.want, rows); diff != "" || err != nil || r.Form() != c.form {
				t.Errorf("%s, %s: %v %q %s", name, how, err, r.Form(), diff)
			}
		}
	}
}

func TestForeignNamesTheLine(t *testing.T) {
	r := Foreign(strings.NewReader("sep=;\na;b\n1;2\n1;2;3\n1\n3;4\n"))
	var rows, lines []int
	for {
		_, err := r.Read()
		var parse *csv.ParseError
		if errors.As(err, &parse) && errors.Is(parse.Err, csv.ErrFieldCount) {
			lines = append(lines, parse.Line)
			continue
		}
		if err != nil {
			break
		}
		line, _ := r.FieldPos(0)
		rows = append(rows, line)
	}
	if !cmp.Equal([]int{4, 5}, lines) || !cmp.Equal([]int{2, 3, 6}, rows) {
		t.Errorf("rows %v, wrong ones %v", rows, lines)
	}
}

func TestForeignRefusesWhatIsNoText(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n\u00e9,1\n\xff,2\n": "line 3 is neither UTF-8 nor another known encoding; save the table as UTF-8",
		"a,b\n\xe9,\x81\n":        "it is neither UTF-8 nor Windows-1252; save it as UTF-8",
		"a,b\n\x00,1\n":           "line 2 is neither UTF-8 nor another known encoding; save the table as UTF-8",
	} {
		if _, err := Foreign(strings.NewReader(text)).ReadAll(); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Foreign(iotest.ErrReader(errors.New("cable pulled"))).ReadAll(); err == nil ||
		err.Error() != "cable pulled" {
		t.Errorf("a failing file gives %v", err)
	}
	if _, err := Foreign(endlessText{strings.NewReader("a,b\n1,\""), 'x'}).ReadAll(); err == nil ||
		err.Error() != "a row has more than 4 MiB" {
		t.Errorf("an endless row gives %v", err)
	}
}
