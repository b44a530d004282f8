package export

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestEachRowNamesLines(t *testing.T) {
	in := newReader(strings.NewReader("a,b\n\n1,\"two\nlines\"\n3,4\n"))
	header, err := readHeader(in, "t.csv")
	if err != nil || !slices.Equal(header, []string{"a", "b"}) {
		t.Fatalf("%v, %v", header, err)
	}
	wrong := errors.New("wrong")
	var seen [][]string
	err = eachRow(in, "t.csv", func(cells []string) error {
		seen = append(seen, slices.Clone(cells))
		if cells[0] == "3" {
			return wrong
		}
		return nil
	})
	var place *TableError
	if !errors.As(err, &place) || place.Line != 5 || !errors.Is(err, wrong) || err.Error() != "t.csv, line 5: wrong" {
		t.Errorf("%v, want line 5: an empty line and a cell of two lines come before", err)
	}
	if len(seen) != 2 || seen[0][1] != "two\nlines" {
		t.Errorf("rows %q", seen)
	}
}

func TestEachRowEnds(t *testing.T) {
	in := newReader(strings.NewReader("a\n1\n2"))
	if _, err := readHeader(in, "t"); err != nil {
		t.Fatal(err)
	}
	rows := 0
	if err := eachRow(in, "t", func([]string) error { rows++; return nil }); err != nil || rows != 2 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestNewReaderSkipsTheMark(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeffa,b\n":     "a",
		"\ufeff\"a\",b\n": "a",
		"a,b\n":           "a",
		"x":               "x",
		"é\n":             "é",
	} {
		header, err := readHeader(newReader(strings.NewReader(text)), "t")
		if err != nil || header[0] != want {
			t.Errorf("%q: %q, %v", text, header, err)
		}
	}
}
