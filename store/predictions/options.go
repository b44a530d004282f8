package predictions

import (
	"fmt"
	"os"
	"strings"

	"github.com/variscope/variscope/engine/suite"
)

// Options say what a table of predictions that were made elsewhere is about, as the command import
// takes them.
type Options struct {
	Suite      string `help:"Of predictions: the suite whose images they are about, by name or hash (default: none; the table is used alone)." source:"suites" label:"Images of"`
	ClassNames string `aliases:"classes" help:"Of predictions: names of the classes in the order of their numbers, separated by commas or in a file with one per line (default: those of the suite, or those that are found)." label:"Class names" placeholder:"names.txt" study:"name"`
}

// ReadFor reads a file or folder as Read does. of is the suite whose images the table is about, the
// zero Manifest for one that stands for itself. classes are the names of classes that were typed,
// see ParseClasses; without any those of the suite count.
func ReadFor(path, classes string, of suite.Manifest) (Table, error) {
	names, err := ParseClasses(classes)
	if err != nil {
		return Table{}, err
	}
	n := len(names)
	if names == nil {
		n = len(of.Classes)
		if of.Named {
			names = of.Classes
		}
	}
	t, err := Read(path, names, n)
	if err == nil && of.Hash != "" && t.Samples != of.Images {
		err = fmt.Errorf("%s has predictions of %d images; "+
			"suite %s has %d, and they must be the same in the same order", path, t.Samples, of.Name, of.Images)
	}
	t.Suite = of.Hash
	return t, err
}

// ParseClasses reads class names that are separated by commas, or those in the file of this name,
// one per line; nil for the empty text.
func ParseClasses(text string) ([]string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	if info, err := os.Stat(text); err == nil && !info.IsDir() {
		return ClassNames(text)
	}
	list := strings.Split(text, ",")
	for k := range list {
		if list[k] = strings.TrimSpace(list[k]); list[k] == "" {
			return nil, fmt.Errorf("the class names %q have an empty one among them", text)
		}
	}
	if len(list) < 2 {
		return nil, fmt.Errorf("%q is neither a file nor a list of at least two class names", text)
	}
	return list, nil
}
