package predictions

import (
	"errors"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// numbering says which class of the task each class of a model is.
type numbering struct {
	class []int32 // by class of the model
	total int     // classes of the task as far as this model tells
}

// inOrder is the numbering of a model whose classes are those of the task.
func inOrder(classes int) numbering {
	n := numbering{class: make([]int32, classes), total: classes}
	for c := range n.class {
		n.class[c] = int32(c)
	}
	return n
}

// bySuite numbers a model's classes as a suite does; classes that the suite does not have come
// after the suite's, in the model's order. mapped is the class of the model for each class of the
// suite, -1 where the model has none.
func bySuite(mapped []int, classes int) (numbering, error) {
	n := numbering{class: make([]int32, classes), total: len(mapped)}
	for c := range n.class {
		n.class[c] = -1
	}
	for class, c := range mapped {
		switch {
		case c < 0:
			continue
		case c >= classes:
			return n, fmt.Errorf("its run mapped class %d to %d, and it has %d classes; run it again",
				class, c, classes)
		case n.class[c] >= 0:
			return n, errors.New("its run mapped two classes of the suite to one of the model's")
		}
		n.class[c] = int32(class)
	}
	for c := range n.class {
		if n.class[c] < 0 {
			n.class[c] = int32(n.total)
			n.total++
		}
	}
	return n, nil
}

// byNames numbers classes as names does; both lists must hold the same names.
func byNames(own, names []string) (numbering, error) {
	n := numbering{class: make([]int32, len(own)), total: len(names)}
	for c, name := range own {
		at := slices.Index(names, name)
		if at < 0 || len(own) > len(names) {
			return n, fmt.Errorf("its class %s is none of those of the others", name)
		}
		n.class[c] = int32(at)
	}
	return n, nil
}

// tableNumbering numbers the classes of a table as the suite does whose images it is about: by
// name where both have names, else by number.
func tableNumbering(t store.PredictionTable, m suite.Manifest) (numbering, error) {
	switch {
	case len(m.Classes) == 0:
		return inOrder(t.Classes), nil
	case t.ClassNames != nil && m.Named:
		return byNames(t.ClassNames, m.Classes)
	case t.Classes != len(m.Classes):
		return numbering{}, fmt.Errorf("it has %d classes, and the suite %d", t.Classes, len(m.Classes))
	}
	return inOrder(t.Classes), nil
}
