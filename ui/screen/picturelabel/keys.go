package picturelabel

import (
	"slices"
	"strconv"
	"strings"
)

// keyRow are the keys of classes, in their order.
const keyRow = "1234567890abcdefghijklmnopqrstuvwxyz"

// classKeys are the keys of classes, one each; nil where there are more classes than keys. Classes
// that are called by one character each, as digits are, have that as their key.
func classKeys(classes []string) []rune {
	if len(classes) > len(keyRow) {
		return nil
	}
	if named := keysOfNames(classes); named != nil {
		return named
	}
	return []rune(keyRow)[:len(classes)]
}

// keysOfNames are the names themselves where all are different keys; nil else.
func keysOfNames(classes []string) []rune {
	keys := make([]rune, 0, len(classes))
	for _, name := range classes {
		name = strings.ToLower(name)
		if len(name) != 1 || !strings.Contains(keyRow, name) || slices.Contains(keys, rune(name[0])) {
			return nil
		}
		keys = append(keys, rune(name[0]))
	}
	return keys
}

// found are the classes that a text finds, best first: the number itself, names that begin with the
// text, names of which a word does, names that hold it; each group in the order of classes. An
// empty text finds all.
func found(classes []string, text string) []int {
	text = strings.ToLower(strings.TrimSpace(text))
	groups := make([][]int, 4)
	for class, name := range classes {
		if group := matches(class, strings.ToLower(name), text); group >= 0 {
			groups[group] = append(groups[group], class)
		}
	}
	return slices.Concat(groups...)
}

// matches is how well a text finds a class, 0 best, -1 for not at all.
func matches(class int, name, text string) int {
	switch {
	case text == strconv.Itoa(class):
		return 0
	case strings.HasPrefix(name, text):
		return 1
	case slices.ContainsFunc(strings.FieldsFunc(name, between),
		func(word string) bool { return strings.HasPrefix(word, text) }):
		return 2
	case strings.Contains(name, text):
		return 3
	}
	return -1
}

// between tells what parts words in names of classes.
func between(r rune) bool { return strings.ContainsRune(" _-,./", r) }
