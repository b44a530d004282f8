package predictions

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// Names are the names of a suite's or table's images and classes.
type Names struct {
	Source  string   // of the suite or table
	Samples []string // nil for numbers
	Classes []string // nil for numbers
}

// NamesOf reads the names of the suite with this hash, or the table with this id.
func NamesOf(ws *store.Workspace, id string) (Names, error) {
	t, err := ws.FindPredictionTable(id)
	if err == nil && t.ID == id {
		return Names{Source: t.Name, Samples: t.SampleNames, Classes: t.ClassNames}, nil
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return Names{}, err
	}
	m, err := ws.Suite(id)
	if err != nil {
		return Names{}, err
	}
	n := Names{Source: m.Name, Classes: m.Classes}
	if len(m.Files) == m.Images { // a file per image
		for _, f := range m.Files {
			n.Samples = append(n.Samples, f.Path)
		}
	}
	return n, nil
}

// Shifted are a suite and the suites that are derived from it, the suite first, then by name.
func Shifted(ws *store.Workspace, hash string) ([]suite.Manifest, error) {
	first, err := ws.Suite(hash)
	if err != nil {
		return nil, err
	}
	list, err := ws.Suites()
	if err != nil {
		return nil, err
	}
	all := []suite.Manifest{first}
	for _, m := range list {
		if m.Derived != nil && m.Derived.Of == hash {
			all = append(all, m)
		}
	}
	return all, nil
}

// OnSuite is a suite with an empty board.
func OnSuite(m suite.Manifest) *rank.OnSuite {
	on := &rank.OnSuite{Suite: m.Name, SuiteHash: m.Hash}
	if m.Derived != nil {
		on.Corruption, on.Severity = derive.Kind(m.Derived.Change)
	}
	return on
}

// The columns of a file of labels; those of imageNames and truthNames are taken for them.
const (
	sampleColumn = "sample"
	labelColumn  = "label"
)

// ReadTruth reads labels of single images from a CSV file with the columns sample (number or name)
// and label (class number or name; empty for an unknown one) and any others. The result has a
// class, or -1, for each of the samples. Errors name file, line and column.
func ReadTruth(path string, samples, classes int, names Names) ([]int32, error) {
	r := truthReader{
		truth: slices.Repeat([]int32{-1}, samples), classes: classes, class: classesByName(names.Classes),
		lines: map[int]int{},
	}
	r.sample = map[string]int{}
	for i, name := range names.Samples {
		if _, twice := r.sample[name]; twice {
			r.sample[name] = -1
			continue
		}
		r.sample[name] = i
	}
	if err := openFile(path, r.read); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r.truth, nil
}

type truthReader struct {
	truth   []int32
	classes int
	class   map[string]int32
	sample  map[string]int // -1 for a name that several have
	lines   map[int]int    // where each sample was
}

func (r *truthReader) read(in io.Reader) error {
	s, err := openSheet(in)
	if err != nil {
		return err
	}
	at, label := csvfile.Best(append([]string{sampleColumn}, imageNames...), s.header),
		csvfile.Best(append([]string{labelColumn}, truthNames...), s.header)
	if at < 0 || label < 0 {
		return fmt.Errorf("line 1: it needs the columns %s and %s", sampleColumn, labelColumn)
	}
	for {
		row, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		i, err := r.number(row[at])
		if err != nil {
			return s.wrong(at, err)
		}
		if before, twice := r.lines[i]; twice {
			return s.wrong(at, fmt.Errorf("sample %d is in line %d already", i, before))
		}
		r.lines[i] = s.line
		if r.truth[i], err = r.classOf(row[label]); err != nil {
			return s.wrong(label, err)
		}
	}
}

func (r *truthReader) number(cell string) (int, error) {
	if i, ok := r.sample[cell]; ok {
		if i < 0 {
			return 0, fmt.Errorf("several samples are called %s; name them by number", cell)
		}
		return i, nil
	}
	i, err := strconv.Atoi(cell)
	if err != nil || i < 0 || i >= len(r.truth) {
		return 0, fmt.Errorf("there is no sample %q; samples are 0 to %d", cell, len(r.truth)-1)
	}
	return i, nil
}

func (r *truthReader) classOf(cell string) (int32, error) {
	if cell == "" {
		return -1, nil
	}
	if c, ok := r.class[cell]; ok {
		return c, nil
	}
	c, ok := classNumber(cell)
	if !ok || c < 0 || c >= r.classes {
		return 0, fmt.Errorf("there is no class %q; classes are 0 to %d", cell, r.classes-1)
	}
	return int32(c), nil
}
