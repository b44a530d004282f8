package ratings

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/result"
)

// readTable reads a CSV file of either form.
func readTable(in io.Reader) (Table, error) {
	r := csvfile.Foreign(in)
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return Table{}, errors.New("it is empty; it needs a first line of column names")
	}
	if err != nil {
		return Table{}, err
	}
	for k := range header {
		header[k] = strings.TrimSpace(header[k])
	}
	if len(header) < 2 {
		return Table{}, fmt.Errorf("line 1: there is one column, %.40q; a table of ratings has an item and a column "+
			"per rater, or an item, a rater and a label", header[0])
	}
	if len(header) > maxRaters+len(besideNames) {
		return Table{}, fmt.Errorf("line 1: there are %d columns; a table of ratings has at most %d raters",
			len(header), maxRaters)
	}
	rater, label := csvfile.Best(raterNames, header), csvfile.Best(labelNames, header)
	var t Table
	switch {
	case rater >= 0 && label >= 0:
		t, err = readLong(r, header, rater, label)
	case rater >= 0:
		err = fmt.Errorf("line 1: there is a column of raters, %s, and none of labels; "+
			"name it label, or give each rater a column", header[rater])
	default:
		t, err = readWide(r, header)
	}
	if form := r.Form(); form != "" {
		t.Notes = append([]string{form}, t.Notes...)
	}
	return t, err
}

// eachRow visits the rows after the header, their cells without spaces around them.
func eachRow(r *csvfile.Reader, visit func(line int, row []string) error) error {
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var parse *csv.ParseError
		switch {
		case errors.As(err, &parse) && errors.Is(parse.Err, csv.ErrFieldCount):
			return fmt.Errorf("line %d: the row has another number of cells than the header", parse.Line)
		case errors.As(err, &parse):
			return fmt.Errorf("line %d: %w", parse.Line, parse.Err)
		case err != nil:
			return err
		}
		line, _ := r.FieldPos(0)
		for k := range row {
			row[k] = strings.TrimSpace(row[k])
		}
		if err := visit(line, row); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// readLong reads an item, a rater and a label per row.
func readLong(r *csvfile.Reader, header []string, rater, label int) (Table, error) {
	others := slices.Clone(header)
	others[rater], others[label] = "", ""
	item := csvfile.Best(itemNames, others)
	if item < 0 {
		item = slices.IndexFunc(others, func(name string) bool {
			return name != "" && csvfile.Named(besideNames, name) < 0
		})
	}
	if item < 0 {
		return Table{}, fmt.Errorf("line 1: there is no column of items beside %s and %s", header[rater], header[label])
	}
	c := newCollect("")
	err := eachRow(r, func(_ int, row []string) error { return c.add(row[item], row[rater], row[label]) })
	if err != nil {
		return Table{}, err
	}
	c.table.Notes = []string{fmt.Sprintf("columns: item %s, rater %s, label %s", header[item], header[rater],
		header[label])}
	return c.done()
}

// readWide reads an item per row and a rater per column. The items are in the column of their name,
// else the first one; where its cells come again it is a rater's, and the items are numbered.
func readWide(r *csvfile.Reader, header []string) (Table, error) {
	var rows [][]string
	err := eachRow(r, func(line int, row []string) error {
		if len(rows) >= maxItems {
			return fmt.Errorf("there are more than %d items", maxItems)
		}
		for k, cell := range row {
			if len(cell) > maxCell && csvfile.Named(besideNames, header[k]) < 0 {
				return fmt.Errorf("column %s: the text is longer than %d bytes; that is no table of ratings",
					header[k], maxCell)
			}
			row[k] = strings.Clone(cell)
		}
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return Table{}, err
	}
	if len(rows) == 0 {
		return Table{}, errors.New("it holds no labels")
	}
	item := csvfile.Best(itemNames, header)
	called := item >= 0
	if !called {
		item = 0
	}
	seen := map[string]bool{}
	for k, row := range rows {
		switch {
		case seen[row[item]] && called:
			return Table{}, fmt.Errorf("item %s is there twice; "+
				"a row is an item, or name the columns item, rater and label", row[item])
		case called && row[item] == "":
			return Table{}, fmt.Errorf("item %d has no name in the column %s", k+1, header[item])
		}
		seen[row[item]] = true
	}
	numbered := !called && len(seen) < len(rows)
	if numbered && !shared(rows, seen) {
		return Table{}, fmt.Errorf("line 1: the column %s has a cell twice and is no rater's; an item has one row, "+
			"or name the columns item, rater and label", or(header[0], "1"))
	}
	var notes, aside []string
	switch {
	case numbered:
		item = -1
		notes = append(notes, "no column of items; they are numbered by row")
	case csvfile.Named(itemNames, header[item]) != 0:
		notes = append(notes, "items in the column "+or(header[item], "without a name"))
	}
	c := newCollect("")
	for column, name := range header {
		switch {
		case column == item:
			continue
		case csvfile.Named(besideNames, name) >= 0 || called && csvfile.Named(itemNames, name) >= 0 ||
			stranger(rows, column, item):
			aside = append(aside, or(name, fmt.Sprintf("column %d", column+1)))
			continue
		case name == "":
			return Table{}, fmt.Errorf("line 1: column %d has no name", column+1)
		case slices.Contains(c.table.Raters, name):
			return Table{}, fmt.Errorf("line 1: column %s is there twice; give each rater a name", name)
		}
		for k, row := range rows {
			id := fmt.Sprint(k + 1)
			if item >= 0 {
				id = row[item]
			}
			if err := c.add(id, name, row[column]); err != nil {
				return Table{}, fmt.Errorf("column %s: %w", name, err)
			}
		}
	}
	if len(aside) > 0 {
		notes = append(notes, "no raters, and left out: "+result.Some(aside))
	}
	if len(c.table.Raters) == 0 && len(aside) > 0 {
		return Table{}, fmt.Errorf("line 1: there is no column of labels; the cells of %s differ in every row",
			result.Some(aside))
	}
	c.table.Notes = notes
	return c.done()
}

// shared tells whether at least half of the words of the first column are in another one, too.
func shared(rows [][]string, first map[string]bool) bool {
	others := map[string]bool{}
	for _, row := range rows {
		for _, cell := range row[1:] {
			others[strings.ToLower(cell)] = true
		}
	}
	both := 0
	for word := range first {
		if missing(word) || others[strings.ToLower(word)] {
			both++
		}
	}
	return 2*both >= len(first)
}

// stranger tells whether a column is a text that differs in every row, such as a note or a link:
// there are at least 3, most of them are in no other column, and they are no words for our labels.
func stranger(rows [][]string, column, item int) bool {
	own := map[string]bool{}
	given := 0
	for _, row := range rows {
		if !missing(row[column]) {
			given++
			own[row[column]] = true
		}
	}
	if given < 3 || len(own) < given {
		return false
	}
	if _, err := ours(slices.Collect(maps.Keys(own)), 0); err == nil {
		return false
	}
	for _, row := range rows {
		for k, cell := range row {
			if k != column && k != item {
				delete(own, cell)
			}
		}
	}
	return 2*len(own) > given
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
