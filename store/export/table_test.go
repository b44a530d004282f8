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
