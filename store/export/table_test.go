package export

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestTablesNameLines: the line is named where a row is wrong, where it has too few cells, and
// where the header is wrong.
func TestTablesNameLines(t *testing.T) {
	wrong := errors.New("wrong")
	var seen [][]string
	read := func(text, head string) error {
		return readTable(newReader(strings.NewReader(text)), "t.csv", func(header []string) error {
			if strings.Join(header, ",") != head {
				return wrong
			}
			return nil
		}, func(cells []string) error {
			seen = append(seen, slices.Clone(cells))
			if cells[0] == "3" {
				return wrong
			}
			return nil
		})
	}
	testdata.Refused(t, "header", read("a,b\n", "a,c"), "t.csv, line 1: wrong")
	testdata.Refused(t, "cells", read("a,b\n1\n", "a,b"), "t.csv, line 2: 1 cells in place of 2")
	err := read("a,b\n\n1,\"two\nlines\"\n3,4\n", "a,b")
	var place *TableError
	if !errors.As(err, &place) || place.Line != 5 || !errors.Is(err, wrong) || err.Error() != "t.csv, line 5: wrong" {
		t.Errorf("%v, want line 5: an empty line and a cell of two lines come before", err)
	}
	if len(seen) != 2 || seen[0][1] != "two\nlines" {
		t.Errorf("rows %q", seen)
	}
}
