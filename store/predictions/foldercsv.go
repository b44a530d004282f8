package predictions

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
)

// probabilitiesCSV adds a model from a table of images x classes. The first file of a folder names
// the classes where nobody else did.
func (b *maker) probabilitiesCSV(model string, in io.Reader) error {
	s, err := openSheet(in)
	if err != nil {
		return err
	}
	var names []string
	for column, name := range s.header {
		if !s.beside(column) {
			names = append(names, name)
		}
	}
	at, err := b.order(names)
	if err != nil {
		return err
	}
	var rows []float32
	for images := 0; ; images++ {
		cells, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = b.sample(s, cells, images)
		}
		if err != nil {
			return err
		}
		if b.numbers += len(names); b.numbers > maxNumbers {
			return fmt.Errorf("there are more than %d numbers; that is too large", maxNumbers)
		}
		if rows, err = s.probabilities(rows, cells, at); err != nil {
			return err
		}
	}
	return b.probabilities(model, rows, len(rows)/len(names), len(names))
}

// beside tells whether a column stands beside those of classes.
func (s *sheet) beside(column int) bool {
	return s.header[column] == imageName || s.header[column] == unnamedName
}

// sample takes a row's image for the one of that number: the first file with a column of images
// names them, the others must list the same ones in the same order.
func (b *maker) sample(s *sheet, cells []string, number int) error {
	column := slices.Index(s.header, imageName)
	if column < 0 {
		return nil
	}
	name := cells[column]
	switch {
	case len(name) > maxName:
		return s.wrong(column, fmt.Errorf("the name is longer than %d bytes", maxName))
	case b.named != s && b.named != nil && number < len(b.table.SampleNames) && b.table.SampleNames[number] != name:
		return s.wrong(column,
			fmt.Errorf("the image is %s, and in another file %s; list the same images in the same order",
				name, b.table.SampleNames[number]))
	case b.named == nil:
		b.named = s
	}
	if b.named == s {
		b.table.SampleNames = append(b.table.SampleNames, strings.Clone(name))
	}
	return nil
}

// probabilities appends a row, its classes in their order.
func (s *sheet) probabilities(rows []float32, cells []string, at []int) ([]float32, error) {
	first := len(rows)
	rows = append(rows, make([]float32, len(at))...)
	k := 0
	for column, cell := range cells {
		if s.beside(column) {
			continue
		}
		p, err := strconv.ParseFloat(cell, 32)
		if err != nil {
			return nil, s.wrong(column, fmt.Errorf("%q is no probability", cell))
		}
		rows[first+at[k]] = float32(p)
		k++
	}
	if err := normalise(rows[first:]); err != nil { // while its line is known
		return rows, fmt.Errorf("line %d: %w", s.line, err)
	}
	return rows, nil
}

// order is where each column's class stands: by name, or by number where the columns are called 0,
// 1, ...
func (b *maker) order(names []string) ([]int, error) {
	if len(names) < 2 {
		return nil, errors.New("line 1: it needs a column for each class, at least 2")
	}
	at := make([]int, len(names))
	numbered := true
	for k, name := range names {
		n, ok := classNumber(name)
		numbered = numbered && ok && n >= 0 && n < len(names)
		at[k] = n
	}
	if b.names == nil && !numbered && len(b.table.Models) == 0 {
		b.names = slices.Clone(names)
	}
	if b.names == nil && numbered || numbered && !slices.Contains(b.names, names[0]) {
		return at, nil
	}
	for k, name := range names {
		if at[k] = slices.Index(b.names, name); at[k] < 0 {
			return nil, fmt.Errorf("line 1: %q is none of the classes of the other files", name)
		}
	}
	if len(names) != len(b.names) {
		return nil, fmt.Errorf("line 1: there are %d classes in place of %d; "+
			"only models of the same classes can be ranked together", len(names), len(b.names))
	}
	return at, nil
}

// truthCSV reads a column of truthNames with class numbers or names.
func (b *maker) truthCSV(in io.Reader) error {
	s, err := openSheet(in)
	if err != nil {
		return err
	}
	column := csvfile.Best(truthNames, s.header)
	if column < 0 {
		return fmt.Errorf("line 1: there is no column %q", truthName)
	}
	for images := 0; ; images++ {
		row, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = b.sample(s, row, images)
		}
		if err != nil {
			return err
		}
		b.truths = append(b.truths, strings.Clone(row[column]))
	}
}

// resolveTruth turns the cells of a file of true classes into classes, when those of the models
// are known.
func (b *maker) resolveTruth() error {
	if b.truths == nil {
		return nil
	}
	class := classesByName(b.names)
	b.table.Truth = make([]int32, len(b.truths))
	for i, text := range b.truths {
		c, named := class[text]
		n, numbered := classNumber(text)
		switch {
		case text == "":
			c = -1
		case named:
		case numbered && n < maxClasses:
			c = int32(n)
		default:
			return fmt.Errorf("true class %q of image %d is none of the classes", text, i)
		}
		b.table.Truth[i] = c
	}
	return nil
}
