// Package words holds the window's own texts, so that the window can be read in other languages. The key of a text is the
// text in English as it stands in the code; translations/en.json, the base, lists them all. A language is added by a file
// translations/LANGUAGE.json that maps the keys of the base to its own texts, with the same verbs (%s, %d); where the
// order of the words is another, a verb names its argument: %[2]s. A text with a count has an object of plural forms in
// place of a text: {"one": "%s model", "other": "%s models"}. See Name for the few keys that are not the text itself.
//
// The package knows no Fyne, so that view models and package present can use it; the window says with Use who looks texts
// up. Without that, the texts are those of the code.
package words

import (
	"embed"
	"fmt"
	"strings"
	"sync/atomic"
)

// Translations holds the folder translations.
//
//go:embed translations
var Translations embed.FS

// Language looks texts up; both functions answer with the key itself when they do not know it.
type Language struct {
	Text func(key string) string
	// Count is the form of the text that goes with n; the key is the form for many.
	Count func(key string, n int) string
}

var current atomic.Pointer[Language]

// Use chooses the language of all texts from now on; nil is that of the code.
func Use(l *Language) { current.Store(l) }

// reserved are words that a translation file keeps for itself.
var reserved = map[string]bool{
	"id": true, "description": true, "hash": true, "leftdelim": true, "rightdelim": true, "zero": true, "one": true, "two": true,
	"few": true, "many": true, "other": true, "translation": true,
}

// Name is the name of a text in a translation file: the text itself, with a colon behind it where the file's format keeps
// the word for itself.
func Name(key string) string {
	if reserved[strings.ToLower(key)] {
		return key + ":"
	}
	return key
}

// T is a text.
func T(text string) string {
	if l := current.Load(); l != nil {
		return l.Text(text)
	}
	return text
}

// F is a text with values in it, like fmt.Sprintf.
func F(format string, values ...any) string { return fmt.Sprintf(T(format), values...) }

// N is a text with a count and values in it: one and many are what it says of one thing and of several.
func N(n int, one, many string, values ...any) string {
	format := many
	if l := current.Load(); l != nil {
		format = l.Count(many, n)
	} else if n == 1 || n == -1 {
		format = one
	}
	return fmt.Sprintf(format, values...)
}

// E is an error with a text, like fmt.Errorf.
func E(format string, values ...any) error { return fmt.Errorf(T(format), values...) }

// Error is an error that is compared with errors.Is and says its text in the language of the moment.
type Error string

// Error is the text.
func (e Error) Error() string { return T(string(e)) }
