package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
)

// Which says which models a run is of: by id on the command line, by hash in a request.
type Which struct {
	Models []string `help:"Models by id (default: all)." source:"models" placeholder:"ID"`
}

// Options of a run besides its models, suite and family, as commands and the window take them.
type Options struct {
	Positions  []string `help:"Positions inside the models (default: CONF,CONV-1,CONV-2; none for a transformation set, which stores predictions and softmax)."`
	Modalities []string `help:"Modalities; their positions are added, and vector ones (L2@CONV-1) keep pair distances." placeholder:"M"`
	ClassTable
}

// ClassTable says which classes of a suite are which of a model.
type ClassTable struct {
	ClassMap string `aliases:"classes" help:"Table of suite class and model class, where one holds only part of the other's." type:"existingfile" placeholder:"map.csv" label:"Class table"`
}

// AnyProcessor lets processors of any kind compute a run.
type AnyProcessor struct {
	Mixed bool `help:"Let processors of any kind compute: results are then equal to 1e-4 instead of to the last bit, and are marked as such." label:"allow other kinds of processors: results agree to 1e-4 and are marked"`
}

// Request is what is asked for under a family, of all models and without a suite.
func (o Options) Request(family transform.Family) (req Request, err error) {
	req.Family = family.String()
	if req.ClassMap, err = ReadClassMap(o.ClassMap); err != nil {
		return req, err
	}
	asked := o.Positions
	if len(asked) == 0 && !family.IsSet() {
		asked = model.DefaultPositions()
	}
	if family.IsSet() && len(asked)+len(o.Modalities) == 0 {
		return req, nil // predictions alone
	}
	req.Positions, req.Vectors, err = Positions(asked, o.Modalities)
	return req, err
}

// Positions adds the positions of the modalities to those asked for, CONF first, and picks the
// vector modalities.
func Positions(asked, modalities []string) (names, vectors []string, err error) {
	names = []string{model.CONF}
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range asked {
		add(name)
	}
	for _, text := range modalities {
		m, err := signal.ParseModality(text)
		if err != nil {
			return nil, nil, err
		}
		add(m.Position)
		if m.Vector() {
			vectors = append(vectors, m.String())
		}
	}
	return names, vectors, nil
}

// ReadClassMap reads a CSV of suite class and model class; a header "suite,model" or "suite class,
// model class" is passed over. No path is no table. Errors name the file and say what is wrong with
// it.
func ReadClassMap(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	file, err := outside.Open(path, outside.Table)
	if err != nil {
		return nil, fmt.Errorf("class map %s: %w", path, err)
	}
	defer file.Close()
	reader := csvfile.NewReader(file)
	reader.FieldsPerRecord = 2
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("class map %s: %w; it needs two columns, suite class and model class", path, err)
	}
	table := map[string]string{}
	titled := func(cell, of string) bool {
		cell = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(cell, "_", " ")))
		return cell == of || cell == of+" class"
	}
	for i, row := range rows {
		if i == 0 && titled(row[0], "suite") && titled(row[1], "model") {
			continue
		}
		if other, twice := table[row[0]]; twice && other != row[1] {
			return nil, fmt.Errorf("class map %s: class %s of the suite is there twice, for %s and for %s; keep one",
				path, row[0], other, row[1])
		}
		table[row[0]] = row[1]
	}
	if len(table) == 0 {
		return nil, fmt.Errorf("class map %s is empty; write two columns, suite class and model class", path)
	}
	return table, nil
}
