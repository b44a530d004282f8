package option

import (
	"regexp"
	"slices"
	"strings"
)

// Args returns the arguments and flags with which a command gets these settings: first what is
// given by position, then, in the order of declaration, each flag that differs from its default.
// Options that only the window has are left out. Where an argument begins with a dash, all of them
// come last, behind "--". The command line has no way to write an empty value of a list, nor one
// with a backslash before the separator.
func Args(options any) []string {
	var args, flags []string
	given := 0 // arguments up to the last one that differs from its default
	for _, f := range Fields(options) {
		switch {
		case f.NoFlag:
		case f.Arg:
			args = append(args, f.texts(f.value)...)
			if !f.IsDefault() {
				given = len(args)
			}
		case !f.IsDefault():
			flags = append(flags, f.flag()...)
		}
	}
	args = args[:given]
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "-") && arg != "-" }) {
		return append(append(flags, "--"), args...)
	}
	return append(args, flags...)
}

// flag is how a flag is given.
func (f Field) flag() []string {
	texts, name := f.texts(f.value), "--"+f.Name
	dashed := slices.ContainsFunc(texts, func(text string) bool { return strings.HasPrefix(text, "-") })
	switch {
	case f.Kind == Switch && !f.List && texts[0] == "true":
		return []string{name}
	case f.Kind == Switch && !f.List && f.negatable:
		return []string{"--no-" + f.Name}
	case f.Kind == Switch && !f.List:
		return []string{name + "=false"}
	case f.List && f.sep != "":
		for i, text := range texts {
			texts[i] = escaped(text, f.sep)
		}
		if !slices.ContainsFunc(texts, func(text string) bool { return strings.HasSuffix(text, `\`) }) {
			texts = []string{strings.Join(texts, f.sep)} // otherwise a flag for each
		}
	}
	var all []string
	for _, text := range texts {
		if text == "" || dashed { // kong would take a value that begins with a dash for a flag
			all = append(all, name+"="+text)
		} else {
			all = append(all, name, text)
		}
	}
	return all
}

// Command returns the line that calls a command with these settings in a POSIX shell, quoted where
// needed: "variscope ei demo.variscope --suite fog". words are the program and its command.
func Command(words []string, options any) string {
	all := append(slices.Clone(words), Args(options)...)
	for i, word := range all {
		all[i] = quoted(word)
	}
	return strings.Join(all, " ")
}

// plain is a word that a POSIX shell takes as it is.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+:,./=-]*$`)

// quoted is a word as a POSIX shell reads it.
func quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
