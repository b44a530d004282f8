package option

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Check returns the first thing that is wrong with the settings of a pointer to a struct, as an
// *Error: fields in the order of their declaration (bounds, choices, numbers that are not finite,
// what is required and missing), what depends on another option and is given without it, then the
// methods Check of embedded structs in their order, then
// that of the struct. An error of a method that is no *Error is returned as it is. Check panics
// where Verify returns an error.
func Check(options any) error {
	fields := Fields(options)
	for _, f := range fields {
		if err := f.Check(); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if !f.IsDefault() && !f.Applies(fields) {
			return &Error{"{" + f.Name + "} goes " + f.condition("{"+f.When+"}"), fields}
		}
	}
	var err error
	check := func(v reflect.Value) {
		// A new pointer: reflect calls no methods of embedded structs whose type is not exported.
		c, ok := reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Interface().(interface{ Check() error })
		if err == nil && ok {
			err = c.Check()
		}
	}
	walk(reflect.ValueOf(options).Elem(), nil, check)
	check(reflect.ValueOf(options).Elem())
	return Of(options, err)
}

// Of tells an error of Errorf that was made outside of a method Check which options it speaks of.
// Other errors stay as they are.
func Of(options any, err error) error {
	if e := (*Error)(nil); errors.As(err, &e) && e.options == nil {
		e.options = Fields(options)
	}
	return err
}

// NeedFolder refuses what is no folder to write into, before any work is done: a file, and the
// name of a table, which would become a folder of that name.
func NeedFolder(name, path string) error {
	info, err := os.Stat(path)
	switch {
	case path == "" || err == nil && info.IsDir():
		return nil
	case err == nil:
		return Errorf("{%s} takes a folder to write into, and %s is a file", name, path)
	case slices.Contains([]string{".csv", ".json", ".parquet"}, strings.ToLower(filepath.Ext(filepath.Clean(path)))):
		return Errorf("{%s} takes a folder to write into, and %s looks like a file", name, filepath.Base(path))
	}
	return nil
}

// condition says what the option depends on, whose name is given: "with {method} nearest or
// random", "without {open}" where that is not set or the empty text.
func (f Field) condition(on string) string {
	if slices.Equal(f.WhenTexts, []string{"false"}) || slices.Equal(f.WhenTexts, []string{""}) {
		return "without " + on
	}
	return "with " + strings.TrimSpace(on+" "+alternatives(f.WhenTexts))
}

// alternatives are texts in a row: "a, b or c".
func alternatives(texts []string) string {
	if last := len(texts) - 1; last > 0 {
		return strings.Join(texts[:last], ", ") + " or " + texts[last]
	}
	return strings.Join(texts, "")
}

// Check returns what is wrong with the option's value, as an *Error.
func (f Field) Check() error { return f.check(f.value) }

// Missing tells whether the option is required and has no value.
func (f Field) Missing() bool { return f.missing(f.elements(f.value)) }

func (f Field) missing(elements []reflect.Value) bool {
	return f.Required && (len(elements) == 0 || len(elements) == 1 && written(elements[0]) == "")
}

// check is Check for a value that the option may get.
func (f Field) check(v reflect.Value) error {
	elements := f.elements(v)
	if f.missing(elements) {
		return &Error{"{" + f.Name + "} must be given", []Field{f}}
	}
	for _, e := range elements {
		if len(f.Choices) > 0 && !slices.Contains(f.Choices, written(e)) || !f.within(e) {
			return f.refuse()
		}
	}
	return nil
}

// within reports whether one value lies within the bounds; true for what is no number.
func (f Field) within(e reflect.Value) bool {
	var x float64
	switch {
	case e.Type() == reflect.TypeFor[time.Duration]():
		x = time.Duration(e.Int()).Seconds()
	case e.CanInt():
		x = float64(e.Int())
	case e.CanUint():
		x = float64(e.Uint())
	case e.CanFloat():
		x = e.Float()
	default:
		return true
	}
	return !math.IsNaN(x) && !math.IsInf(x, 0) && x >= f.Min && x <= f.Max && (!f.Above || x > f.Min)
}

// refuse is the error of a value that the option does not take.
func (f Field) refuse() *Error { return &Error{"{" + f.Name + "} takes " + f.takes(), []Field{f}} }

// Error says what is wrong with settings, once for the command line and once for forms.
type Error struct {
	text    string // options and large numbers in braces
	options []Field
}

// Errorf returns an *Error, for the method Check of a struct of options. In the text each name of
// an option stands in braces, and so may a whole number:
//
//	option.Errorf("{levels} of more than {1000} go with {method} nearest")
func Errorf(format string, args ...any) error { return &Error{text: fmt.Sprintf(format, args...)} }

// Error is what the command line says: "--resamples takes a whole number from 1 to 100000", with
// "<workspace>" for an argument.
func (e *Error) Error() string { return onCommandLine(e.text, e.options) }

// Said returns what a form says of an error of this package: it names options by their labels and
// puts commas between thousands, "Resamples takes a whole number from 1 to 100,000". Other errors
// are said as they are.
func Said(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	text := inBraces.ReplaceAllStringFunc(e.text, func(found string) string {
		name := found[1 : len(found)-1]
		if f, there := named(e.options, name); there {
			return f.Label
		}
		if name[0] < '0' || name[0] > '9' {
			return name
		}
		for at := len(name) - 3; at > 0; at -= 3 {
			name = name[:at] + "," + name[at:]
		}
		return name
	})
	return strings.Replace(err.Error(), e.Error(), text, 1)
}

// inBraces are a name and a whole number.
var inBraces = regexp.MustCompile(`\{([a-z][a-z0-9-]*|[0-9]+)\}`)

// onCommandLine replaces what stands in braces. A name that is not among the options is a flag's.
func onCommandLine(text string, options []Field) string {
	return inBraces.ReplaceAllStringFunc(text, func(found string) string {
		name := found[1 : len(found)-1]
		switch f, there := named(options, name); {
		case name[0] >= '0' && name[0] <= '9':
			return name
		case there && f.Arg:
			return "<" + name + ">"
		}
		return "--" + name
	})
}

func named(options []Field, name string) (Field, bool) {
	i := slices.IndexFunc(options, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return options[i], true
}
