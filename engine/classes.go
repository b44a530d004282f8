package engine

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
)

// ErrClassTable says that a table must tell which class is which: the classes of model and suite
// overlap but differ.
var ErrClassTable = errors.New("a table of classes is needed")

// ErrClassMismatch says that model and suite have no classes in common, or different numbers of
// unnamed ones.
var ErrClassMismatch = errors.New("the classes do not match")

// The ways in which classes are matched, as Task.MappedBy tells them.
const (
	ByName   = "by name"
	ByIndex  = "by index"
	ByTable  = "by table"
	NoLabels = "no labels"
)

// nameTable says what to do where names and numbers do not tell which class is which.
const nameTable = "say with --class-map map.csv which class is which (in the window: Class table)"

// MatchClasses maps the labels of a suite to the class indices of a model (DESIGN.md section 5):
// mapped[label] is the model's index, -1 for a class that a table says the model does not have.
// classes is the number of the model's classes.
//
//   - A table (suite class to model class name or index; an empty value: none) decides where it is
//     given; it must name every class of the suite.
//   - Both named and equal as sets: by name. One contains the other: ErrClassTable. Names that are
//     just the numbers from 0 count as unnamed.
//   - Either unnamed and counts equal: by index. Classes of the suite that are just the numbers
//     from 0, in any order, mean their number.
//   - A suite without classes has nothing to map: nil and NoLabels.
//   - Everything else is ErrClassMismatch.
func MatchClasses(
	s suite.Manifest, settings model.Settings, classes int, table map[string]string,
) (mapped []int, by string, err error) {
	if len(s.Classes) == 0 {
		return nil, NoLabels, nil
	}
	names := settings.ClassNames
	if names != nil && len(names) != classes {
		return nil, "", fmt.Errorf("%w: the model has %d classes but %d class names (%s); correct the class names",
			ErrClassMismatch, classes, len(names), settings.NamesBy)
	}
	if len(table) > 0 {
		mapped, err = matchByTable(s.Classes, names, classes, table)
		return mapped, ByTable, err
	}
	if mapped := matchByName(s.Classes, names); mapped != nil {
		return mapped, ByName, nil
	}
	_, suiteNumbers := numbers(s.Classes)
	_, modelNumbers := numbers(names)
	if s.Named && !suiteNumbers && names != nil && !modelNumbers {
		return nil, "", describeNames(s.Classes, names)
	}
	if len(s.Classes) != classes {
		return nil, "",
			fmt.Errorf("%w: the model has %s and the suite %d; choose a suite with the model's classes, or %s",
				ErrClassMismatch, result.Counted(classes, "class"), len(s.Classes), nameTable)
	}
	return matchByIndex(s.Classes), ByIndex, nil
}

// matchByName returns nil unless the names are equal as sets and none comes twice.
func matchByName(suiteNames, modelNames []string) []int {
	if len(suiteNames) != len(modelNames) {
		return nil
	}
	index := indexOf(modelNames)
	if len(index) != len(modelNames) || len(indexOf(suiteNames)) != len(suiteNames) {
		return nil
	}
	mapped := make([]int, len(suiteNames))
	for label, name := range suiteNames {
		class, ok := index[strings.TrimSpace(name)]
		if !ok {
			return nil
		}
		mapped[label] = class
	}
	return mapped
}

func matchByIndex(suiteNames []string) []int {
	if values, ok := numbers(suiteNames); ok {
		return values
	}
	mapped := make([]int, len(suiteNames))
	for label := range mapped {
		mapped[label] = label
	}
	return mapped
}

func matchByTable(suiteNames, modelNames []string, classes int, table map[string]string) ([]int, error) {
	index := indexOf(modelNames)
	mapped := make([]int, len(suiteNames))
	for label, name := range suiteNames {
		target, ok := table[name]
		if !ok {
			return nil, fmt.Errorf("%w: the table of classes does not name %q of the suite; leave its model class "+
				"empty if the model does not have it", ErrClassTable, name)
		}
		target = strings.TrimSpace(target)
		if target == "" {
			mapped[label] = -1
			continue
		}
		class, ok := index[target]
		if !ok {
			n, err := strconv.Atoi(target)
			if err != nil || n < 0 || n >= classes {
				return nil, fmt.Errorf("%w: the table of classes maps %q to %q, which is neither a class name of the "+
					"model nor an index from 0 to %d", ErrClassTable, name, target, classes-1)
			}
			class = n
		}
		mapped[label] = class
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(suiteNames, name) {
			return nil, fmt.Errorf("%w: the table of classes names %q, which the suite does not have",
				ErrClassTable, name)
		}
	}
	return mapped, nil
}

// describeNames is the error for two lists of names that are not equal.
func describeNames(suiteNames, modelNames []string) error {
	inSuite, inModel := indexOf(suiteNames), indexOf(modelNames)
	onlySuite := missing(suiteNames, inModel)
	onlyModel := missing(modelNames, inSuite)
	switch {
	case len(onlySuite) == 0 && len(onlyModel) == 0:
		return fmt.Errorf("%w: a class name comes twice; %s", ErrClassTable, nameTable)
	case len(onlySuite) == 0:
		return fmt.Errorf("%w: the model has classes that the suite does not have (%s); %s", ErrClassTable,
			result.Some(onlyModel), nameTable)
	case len(onlyModel) == 0:
		return fmt.Errorf("%w: the suite has classes that the model does not have (%s); %s", ErrClassTable,
			result.Some(onlySuite), nameTable)
	}
	return fmt.Errorf("%w: the model has %s and the suite %d, and the names differ (only the suite has %s, only the "+
		"model %s); correct the class names, or %s",
		ErrClassMismatch, result.Counted(len(modelNames), "class"), len(suiteNames), result.Some(onlySuite),
		result.Some(onlyModel), nameTable)
}

func indexOf(names []string) map[string]int {
	index := make(map[string]int, len(names))
	for i, name := range names {
		index[strings.TrimSpace(name)] = i
	}
	return index
}

func missing(names []string, from map[string]int) []string {
	var out []string
	for _, name := range names {
		if _, ok := from[strings.TrimSpace(name)]; !ok {
			out = append(out, name)
		}
	}
	return out
}

// numbers reads names that are the numbers 0..n-1 in any order; ok is false for anything else.
func numbers(names []string) (values []int, ok bool) {
	seen := make([]bool, len(names))
	for _, name := range names {
		n, err := strconv.Atoi(strings.TrimSpace(name))
		if err != nil || n < 0 || n >= len(names) || seen[n] {
			return nil, false
		}
		seen[n] = true
		values = append(values, n)
	}
	return values, len(names) > 0
}
