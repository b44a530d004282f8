package predictions

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
)

// imageName is the column of the images' names, unnamedName what pandas calls a first column
// without a name: the numbers of the rows.
const (
	imageName   = "image"
	unnamedName = "Unnamed: 0"
)

// sheet reads a CSV file of any form (csvfile.Foreign) with a header whose rows all have the
// header's length.
type sheet struct {
	in     *csvfile.Reader
	header []string // trimmed, without the apostrophes of free text
	line   int      // of the last row
	cells  int      // read so far
}

func openSheet(r io.Reader) (*sheet, error) {
	s := &sheet{in: csvfile.Foreign(r)}
	s.in.ReuseRecord = true
	header, err := s.next()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("it is empty; it needs a first line of column names")
	}
	if err != nil {
		return nil, err
	}
	for _, cell := range header {
		s.header = append(s.header, strings.TrimSpace(cell))
	}
	if len(s.header) > 1 && s.header[0] == "" {
		s.header[0] = unnamedName
	}
	if err := differ("column", s.header); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	if len(s.header) > maxClasses {
		return nil, fmt.Errorf("line 1: there are more than %d columns", maxClasses)
	}
	return s, nil
}

// next returns the next row, which the one after overwrites; io.EOF ends the file.
func (s *sheet) next() ([]string, error) {
	row, err := s.in.Read()
	if errors.Is(err, io.EOF) {
		return nil, io.EOF
	}
	var parse *csv.ParseError
	switch {
	case errors.As(err, &parse) && errors.Is(parse.Err, csv.ErrFieldCount):
		return nil, fmt.Errorf("line %d: there are %d cells in place of %d", parse.Line, len(row), len(s.header))
	case errors.As(err, &parse):
		return nil, fmt.Errorf("line %d: %w", parse.Line, parse.Err)
	case err != nil:
		return nil, err
	}
	s.line, _ = s.in.FieldPos(0)
	if s.cells += len(row); s.cells > maxNumbers {
		return nil, fmt.Errorf("line %d: there are more than %d cells; that is too large", s.line, maxNumbers)
	}
	for i, cell := range row {
		row[i] = strings.TrimSpace(cell)
	}
	return row, nil
}

// wrong places an error in a column of the last row.
func (s *sheet) wrong(column int, err error) error {
	if column >= len(s.header) {
		return fmt.Errorf("line %d: %w", s.line, err)
	}
	return fmt.Errorf("line %d, column %s: %w", s.line, s.header[column], err)
}

// classCells are cells that name classes: each different text once, with where it was first seen.
type classCells struct {
	number map[string]int32
	texts  []string
	places []place
	cells  []int32 // numbers of texts, row by row; -1 for an empty cell
	more   int     // texts beyond maxClasses that may be there
}

// place is where a cell is.
type place struct {
	line   int
	column string
}

func (p place) String() string { return fmt.Sprintf("line %d, column %s", p.line, p.column) }

func (c *classCells) add(text string, s *sheet, column int) error {
	number, known := c.number[text]
	if !known {
		if len(text) > maxName || len(c.texts) >= maxClasses+c.more {
			return s.wrong(column,
				fmt.Errorf("there are more than %d different classes, or the name of one is too long", maxClasses))
		}
		number = int32(len(c.texts))
		text = strings.Clone(text) // not the whole line
		c.number[text] = number
		c.texts = append(c.texts, text)
		c.places = append(c.places, place{s.line, s.header[column]})
	}
	c.cells = append(c.cells, number)
	return nil
}

// every is column k of n.
func (c *classCells) every(k, n int) []int32 {
	column := make([]int32, 0, len(c.cells)/n)
	for at := k; at < len(c.cells); at += n {
		column = append(column, c.cells[at])
	}
	return column
}

// readCSV reads a table of images x models.
func readCSV(path string, want expect) (Table, error) {
	b := maker{expect: want}
	err := openFile(path, func(in io.Reader) error {
		s, err := openSheet(in)
		if err != nil {
			return err
		}
		err = b.classesCSV(s)
		b.table.Form = s.in.Form()
		return err
	})
	return b.of(path, err)
}

func (b *maker) classesCSV(s *sheet) error {
	aside := b.sortOut(s.header, columnKind)
	g := grid{
		aside: aside, predicted: classCells{number: map[string]int32{}}, known: classCells{number: map[string]int32{}},
	}
	var models []string
	for k, name := range s.header {
		if !slices.Contains(aside.all, k) {
			models = append(models, name)
		}
	}
	for {
		row, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		// A column of ids has a text of its own in every row. It is found when all rows are read.
		g.predicted.more += len(models)
		for column, cell := range row {
			if err := g.add(cell, s, column); err != nil {
				return err
			}
		}
	}
	b.table.SampleNames = g.samples
	return b.columnsOf(models, &g)
}

// grid is what a table of images x models holds.
type grid struct {
	aside
	samples          []string
	predicted, known classCells
}

func (g *grid) add(cell string, s *sheet, column int) error {
	switch {
	case column == g.image && len(cell) > maxName:
		return s.wrong(column, fmt.Errorf("the name is longer than %d bytes", maxName))
	case column == g.image:
		g.samples = append(g.samples, strings.Clone(cell))
		return nil
	case column == g.truth && cell == "":
		g.known.cells = append(g.known.cells, -1)
		return nil
	case column == g.truth:
		return g.known.add(cell, s, column)
	case slices.Contains(g.all, column):
		return nil
	case cell == "":
		return s.wrong(column, errors.New("there is no prediction; leave the model out, or predict every image"))
	}
	return g.predicted.add(cell, s, column)
}

// columnsOf turns cells into classes and adds the models.
func (b *maker) columnsOf(models []string, g *grid) error {
	n := len(models)
	switch {
	case n == 0:
		return errors.New("line 1: there is no column of a model")
	case n > maxModels:
		return fmt.Errorf("line 1: there are %d models; at most %d can be ranked", n, maxModels)
	case len(g.predicted.cells) == 0:
		return errors.New("it lists no predictions")
	}
	var columns [][]int32
	for j := range models {
		columns = append(columns, g.predicted.every(j, n))
	}
	if models, columns = b.predictors(models, columns, g); len(models) == 0 {
		return errors.New("line 1: there is no column of a model: the cells of every column all differ")
	}
	predicted := g.predicted.only(columns)
	if err := b.resolve(predicted, &g.known); err != nil {
		return err
	}
	for j, model := range models {
		if err := b.labels(model, predicted.every(j, len(models))); err != nil {
			return err
		}
	}
	if g.truth >= 0 {
		b.table.Truth = g.known.cells
	}
	return nil
}

// predictors leaves out the columns that are no models by what they hold.
func (b *maker) predictors(models []string, columns [][]int32, g *grid) ([]string, [][]int32) {
	truth := make([]int32, 0, len(g.known.texts))
	for _, text := range g.known.texts {
		if number, ok := g.predicted.number[text]; ok {
			truth = append(truth, number)
		}
	}
	class := classesByName(b.names)
	odd := strangers(columns, truth, func(cell int32) bool {
		text := g.predicted.texts[cell]
		_, ok := class[text]
		n, whole := classNumber(text)
		return ok || whole && n >= 0 && n < b.classes
	})
	for _, k := range odd {
		b.leave(models[k], allDiffer(len(columns[k])))
	}
	for _, k := range slices.Backward(odd) {
		models, columns = slices.Delete(models, k, k+1), slices.Delete(columns, k, k+1)
	}
	return models, columns
}

// only are the cells of some columns, row by row, with their own texts alone.
func (c *classCells) only(columns [][]int32) *classCells {
	out := &classCells{cells: make([]int32, 0, len(columns)*len(columns[0]))}
	number := map[int32]int32{}
	for i := range columns[0] {
		for _, column := range columns {
			cell := column[i]
			if _, ok := number[cell]; !ok {
				number[cell] = int32(len(out.texts))
				out.texts, out.places = append(out.texts, c.texts[cell]), append(out.places, c.places[cell])
			}
			out.cells = append(out.cells, number[cell])
		}
	}
	return out
}

// resolve writes classes in the place of cells: names that are known are looked up first; whole
// numbers are class numbers; otherwise the classes are the names that occur, in byte order.
func (b *maker) resolve(predicted, known *classCells) error {
	texts := slices.Concat(predicted.texts, known.texts)
	class := classesByName(b.names)
	named := b.names != nil && !slices.ContainsFunc(texts, func(text string) bool { _, ok := class[text]; return !ok })
	if !named && !slices.ContainsFunc(texts, func(text string) bool { _, ok := classNumber(text); return !ok }) {
		return errors.Join(predicted.toNumbers(b.classes, false), known.toNumbers(b.classes, true))
	}
	if b.names == nil {
		if err := errors.Join(predicted.noFractions(), known.noFractions(), sameForm(predicted, known)); err != nil {
			return err
		}
		if err := b.nameClasses(texts); err != nil {
			return err
		}
		class = classesByName(b.names)
	}
	return errors.Join(predicted.toNamed(class), known.toNamed(class))
}

func classesByName(names []string) map[string]int32 {
	class := make(map[string]int32, len(names))
	for c, name := range names {
		class[name] = int32(c)
	}
	return class
}

// nameClasses takes the names that occur; where more classes were promised, the others get names
// of their own.
func (b *maker) nameClasses(texts []string) error {
	b.names = append(b.names, texts...)
	slices.Sort(b.names)
	b.names = slices.Compact(b.names)
	if b.classes > 0 && len(b.names) > b.classes {
		return fmt.Errorf("%d different classes occur in place of %d, such as %s", len(b.names), b.classes,
			strings.Join(b.names[:min(8, len(b.names))], ", "))
	}
	for c := len(b.names); c < max(2, b.classes); c++ {
		b.names = append(b.names, fmt.Sprintf("(class %d)", c))
	}
	b.classes = len(b.names)
	return nil
}

// classNumber reads a class number, also one that was written as a float, 3.0; -1 is an unknown
// true class.
func classNumber(text string) (int, bool) {
	if whole, fraction, found := strings.Cut(text, "."); found && fraction != "" && strings.Trim(fraction, "0") == "" {
		text = whole
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && strconv.Itoa(n) == text && n >= -1
}

// noFractions refuses 0.5, which is a probability rather than the name of a class.
func (c *classCells) noFractions() error {
	for k, text := range c.texts {
		_, whole := classNumber(text)
		if v, err := strconv.ParseFloat(text, 64); err == nil && !whole && v != math.Trunc(v) {
			return fmt.Errorf("%s: %s is no class; "+
				"a table of models holds classes, and probabilities go into a file per model", c.places[k], text)
		}
	}
	return nil
}

// sameForm refuses names on one side and numbers on the other: no cell of the models could be
// right.
func sameForm(predicted, known *classCells) error {
	name := func(text string) bool { _, ok := classNumber(text); return !ok }
	for _, sides := range [][2]*classCells{{predicted, known}, {known, predicted}} {
		if names, numbers := sides[0], sides[1]; len(names.texts) > 0 && len(numbers.texts) > 0 &&
			!slices.ContainsFunc(numbers.texts, name) &&
			!slices.ContainsFunc(names.texts, func(text string) bool { return !name(text) }) {
			return fmt.Errorf("%s: %q is a name, and in %s stands the number %s; the true classes and those of "+
				"models need one form", names.places[0], names.texts[0], numbers.places[0], numbers.texts[0])
		}
	}
	return nil
}

func (c *classCells) toNumbers(classes int, unknown bool) error {
	values := make([]int32, len(c.texts))
	for k, text := range c.texts {
		n, _ := classNumber(text) // checked before
		switch {
		case n < 0 && !unknown:
			return fmt.Errorf("%s: %d is no class; classes are numbers from 0", c.places[k], n)
		case n >= maxClasses:
			return fmt.Errorf("%s: there is no class %d; at most %d classes can be told apart",
				c.places[k], n, maxClasses)
		case classes > 0 && n >= classes:
			return fmt.Errorf("%s: there is no class %d; there are %d classes, from 0 on", c.places[k], n, classes)
		}
		values[k] = int32(n)
	}
	c.replace(values)
	return nil
}

func (c *classCells) toNamed(class map[string]int32) error {
	values := make([]int32, len(c.texts))
	for k, text := range c.texts {
		n, ok := class[text]
		if !ok {
			return fmt.Errorf("%s: %q is none of the classes", c.places[k], text)
		}
		values[k] = n
	}
	c.replace(values)
	return nil
}

func (c *classCells) replace(values []int32) {
	for i, number := range c.cells {
		if number >= 0 {
			c.cells[i] = values[number]
		}
	}
}
