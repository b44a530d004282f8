package label

import (
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine/result"
)

// Values are the labels of a round with that many classes, in their order: invariant, (borderline,)
// variant. It is nil for any other number than 2 and 3.
func Values(classes int) []Value {
	switch classes {
	case 2:
		return []Value{Invariant, Variant}
	case 3:
		return []Value{Invariant, Borderline, Variant}
	}
	return nil
}

// Words are the labels of a round as plain strings, in their order.
func Words(classes int) []string {
	var words []string
	for _, v := range Values(classes) {
		words = append(words, string(v))
	}
	return words
}

// Index is the class number of a label in a round with that many classes: invariant 0, variant
// classes-1. ok is false when the round does not have this label.
func (v Value) Index(classes int) (index int, ok bool) {
	for k, known := range Values(classes) {
		if v == known {
			return k, true
		}
	}
	return 0, false
}

// Groups are the kinds of models in figures: those with each of the labels, then with unlabelled
// those without any.
func Groups(labels []Value, unlabelled bool) (list []result.Group) {
	looks := map[Value]result.Look{
		Invariant: result.LookInvariant, Borderline: result.LookBorderline, Variant: result.LookVariant,
	}
	for _, l := range labels {
		list = append(list, result.Group{Name: string(l), Look: looks[l]})
	}
	if unlabelled {
		list = append(list, result.Group{Name: "unlabelled"})
	}
	return list
}

// Group is the place of a model with the label v, or "" for none, among Groups.
func (v Value) Group(labels []Value) int {
	if at := slices.Index(labels, v); at >= 0 {
		return at
	}
	return len(labels)
}

// ParseValue reads one of the three words, exactly as written in files.
func ParseValue(text string) (Value, error) {
	if _, ok := Value(text).Index(3); !ok {
		return "", fmt.Errorf("%q is no label; use invariant, borderline or variant", text)
	}
	return Value(text), nil
}

// ParseKind reads an event's kind, exactly as written in files.
func ParseKind(text string) (Kind, error) {
	switch k := Kind(text); k {
	case Label, Skip, Note, Undo, Adjudicate, Plan:
		return k, nil
	}
	return "", fmt.Errorf("%q is no kind of label event; use label, skip, note, undo, adjudicate or plan", text)
}
