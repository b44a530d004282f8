// Package option reads what a method or a command asks for from one struct, its options.
//
// Everything that people see of an option comes from its field and the tags of the field: the flag
// of the command line (kong reads the same struct), the entry of a form in the window, the record
// of how a result was made, the reference of commands, and the command that makes a result again.
//
//	type Options struct {
//		Suite     []string `help:"Suites, by name or hash." source:"suites" sep:"none"`
//		Method    string   `help:"How scenes are chosen." enum:"nearest,random" default:"nearest"`
//		Resamples int      `help:"Resamples of the band." default:"1000" min:"1" max:"100000"`
//		Share     float64  `help:"Share of the images." default:"1" above:"0" max:"1"`
//		Feather   float64  `help:"Width of the blended edge." min:"0" max:"64" unit:"pixels"`
//		Seed      *uint64  `help:"Seed (default: that of the assessor)."`
//	}
//
//	func (o *Options) Check() error {
//		if o.Feather > 0 && o.Method == "random" {
//			return option.Errorf("{feather} goes with {method} nearest")
//		}
//		return nil
//	}
//
// A field is a string, a bool, an integer, a float64, a type made from one of these, a
// time.Duration, a pointer to one (nil: not given), or an unnamed slice of them ([]string). Fields
// that are not exported, fields tagged kong:"-" window:"-", and commands (tagged cmd) are no
// options. Embedded structs are read as if their fields stood in the outer struct.
//
// These tags mean what they mean to kong: name, help, default, enum, placeholder, arg, required,
// optional, aliases, hidden, type (path, existingfile, existingdir), sep, short, negatable, embed.
// These are read here and ignored by kong:
//
//	min:"1" max:"9"  bounds that are themselves taken; of each value of a list
//	above:"0"        a bound that is not itself taken, in place of min
//	unit:"pixels"    what a number counts
//	zero:"100"       what 0 stands for, of a number without a default: a form shows it instead
//	names:"a file|b" the names for people of the choices of enum, in their order
//	slide:"1 64 0.5" the ends and the step of the slider that a form has for a number
//	label:"Regions"  how a form names the option; without it the name with blanks, "Min support"
//	source:"suites"  choices that depend on the workspace, by a name that the form knows
//	when:"study"     the option has a meaning only where the option study is given or on
//	when:"by=a|b"    the option has a meaning only where the option by is a or b, and when:"by="
//	                 only where it is not given; at an embedded struct for all its options
//	                 without a tag when of their own
//	study:"path"     in a step of a study file: the path of what is read, as all options with the
//	                 tag type without another word here are; it begins at the study file's folder
//	study:"name"     a path where such a file is there or the text ends like one, else a name
//	study:"beside"   a path where the step is of a file in place of the workspace, else a name
//	study:"written"  the path of what is written, in the folder of the step
//	study:"-"        no option of a step
//	window:"-"       the option is for the command line only
//	kong:"-"         the option is for the window only
//	json:"support"   the key under which a program keeps it; options themselves do not read it
//
// A method Check() error with a pointer receiver says what tags cannot say, such as that two
// options exclude each other. It changes nothing and makes its errors with Errorf.
package option

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Kind is what one value of an option is.
type Kind int

// The kinds. A field with the tag enum is a Choice, whatever its type; a text with the tag type is
// a Path.
const (
	Text Kind = iota
	Whole
	Number
	Switch
	Choice
	Path
	Duration
)

// Field is one option of a struct. Its exported fields say what was declared; a form may change
// them in its copy. The methods read and change the struct that was given to Fields.
type Field struct {
	// Name is the option's name, as a flag without dashes: kebab-case, such as min-support.
	Name string
	// Aliases are former names, which the command line and remembered settings may still have.
	Aliases []string
	// Label is how a form names the option.
	Label string
	// Help is one or more sentences. ${NAME} stands in it for a variable of kong, such as a paper.
	Help string
	// Default is what the tag default says, in the form that Set takes; empty without one.
	Default string
	// Unit is what a number counts, such as pixels; empty without one.
	Unit string
	// Zero is what the number 0 stands for, such as the default of a library. The text of 0 is then
	// the empty text.
	Zero string
	// Source names choices that depend on the workspace, such as suites; empty without one. A form
	// that knows them puts them into Choices, and Set then takes nothing else.
	Source string
	// Placeholder stands for the value in the help.
	Placeholder string
	// When names the option that this one depends on, empty for none, and WhenTexts its texts with
	// which this one has a meaning; none stands for all but the empty text and false.
	When      string
	WhenTexts []string
	// Existing is file or dir for a path that must be there, empty otherwise.
	Existing string
	// Kind is the kind of the value, of each value of a list.
	Kind Kind
	// List is set for an option that takes several values.
	List bool
	// Optional is set for pointers: nil, with the empty text, means that nothing is given.
	Optional bool
	// Required is set where the command line demands a value; then the empty text and the empty
	// list are refused. Arguments are required unless they are tagged optional or have a default.
	Required bool
	// Min and Max are the bounds of a number, of a duration in seconds; -Inf and +Inf without one.
	Min, Max float64
	// Above is set where Min itself is not taken.
	Above bool
	// Slide are the ends and the step of a slider; zero for none.
	Slide [3]float64
	// Choices are the texts that are taken, in their order; nil where all are. An empty text means
	// that nothing is chosen.
	Choices []string
	// Names are what people call the Choices, in their order; nil where they call them so.
	Names []string
	// Study is path, name, beside, written or - for what the option is in a step of a study file;
	// empty for what is no path.
	Study string
	// Arg is set for an argument that is given by its position and not by its name.
	Arg bool
	// Hidden is set for an option that help and forms leave out.
	Hidden bool
	// NoWindow and NoFlag are set for an option that only the command line or only the window has.
	NoWindow, NoFlag bool

	negatable bool
	bounded   bool   // by tags
	sep       string // between the values of a list as one flag; empty where each has a flag of its own
	value     reflect.Value
	initial   reflect.Value
}

// Fields returns the options of a pointer to a struct in the order of their declaration. It panics
// where Verify returns an error.
func Fields(options any) []Field {
	fields, err := read(options)
	if err != nil {
		panic(err)
	}
	return fields
}

// Verify returns what is wrong with the tags of a pointer to a struct: unknown tags, types that no
// option has, names that occur twice, missing help, bounds that are no numbers or stand at what is
// no number, defaults that are not taken, choices without a default. A test calls it for each
// struct of options.
func Verify(options any) error {
	_, err := read(options)
	return err
}

// SetDefaults sets every option to its default, and to the zero value where it has none. It panics
// where Verify returns an error.
func SetDefaults(options any) {
	for _, f := range Fields(options) {
		f.value.Set(f.initial)
	}
}

// Name returns the name of the option that is declared by a Go field of this name: kebab-case as
// kong makes it (CacheGB: cache-gb, MinSupport: min-support).
func Name(field string) string {
	var name strings.Builder
	runes := []rune(field)
	for i, r := range runes {
		if i > 0 && begins(runes, i) {
			name.WriteByte('-')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}

// begins reports whether a word begins at i: where lower case, upper case, digits and other
// characters meet, and at the last capital of several before lower case.
func begins(runes []rune, i int) bool {
	class := func(r rune) int {
		switch {
		case unicode.IsLower(r):
			return 1
		case unicode.IsUpper(r):
			return 2
		case unicode.IsDigit(r):
			return 3
		}
		return 4
	}
	before, here := class(runes[i-1]), class(runes[i])
	if here == 2 && i+1 < len(runes) && class(runes[i+1]) == 1 {
		return true
	}
	return before != here && !(before == 2 && here == 1)
}

// read reads the options of a pointer to a struct; the error joins all that is wrong.
func read(options any) ([]Field, error) {
	v := reflect.ValueOf(options)
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("options are a pointer to a struct, and not %T", options)
	}
	var fields []Field
	var wrong []error
	names := map[string]bool{}
	walk(v.Elem(), func(sf reflect.StructField, value reflect.Value) {
		f, err := declared(sf, value)
		if err == nil && names[f.Name] {
			err = fmt.Errorf("the name %s occurs twice", f.Name)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%T, field %s: %w", options, sf.Name, err))
		}
		names[f.Name] = true
		fields = append(fields, f)
	}, nil)
	for k, f := range fields {
		if f.When == "" {
			continue
		}
		on, there := named(fields[:k], f.When)
		if !there {
			wrong = append(wrong, fmt.Errorf("%T, option %s: the tag when names no option before it: %q",
				options, f.Name, f.When))
			continue
		}
		for _, text := range f.WhenTexts {
			if v, ok := on.parse(text); !ok || on.check(v) != nil {
				wrong = append(wrong, fmt.Errorf("%T, option %s: %s is never %q", options, f.Name, on.Name, text))
			}
		}
	}
	return fields, errors.Join(wrong...)
}

// Applies tells whether the option has a meaning with what the others are now; fields are all
// options of the struct.
func (f Field) Applies(fields []Field) bool {
	on, there := named(fields, f.When)
	if !there {
		return true
	}
	given := on.Text() != "" && on.Text() != "false"
	if len(f.WhenTexts) > 0 {
		given = slices.Contains(f.WhenTexts, on.Text())
	}
	return given && on.Applies(fields)
}

// Choice is what people call a choice.
func (f Field) Choice(choice string) string {
	if k := slices.Index(f.Choices, choice); k >= 0 && f.Names != nil {
		return f.Names[k]
	}
	return choice
}

// walk visits the fields of a struct that are options, in their order, and after its fields each
// embedded struct; both functions may be nil.
func walk(v reflect.Value, field func(reflect.StructField, reflect.Value), embedded func(reflect.Value)) {
	for i := range v.NumField() {
		sf, value := v.Type().Field(i), v.Field(i)
		_, command := sf.Tag.Lookup("cmd")
		_, embeds := sf.Tag.Lookup("embed")
		switch {
		case command || sf.Tag.Get("kong") == "-" && sf.Tag.Get("window") == "-":
		case value.Kind() == reflect.Struct && (sf.Anonymous || embeds):
			inner, when := field, sf.Tag.Get("when")
			if when != "" && field != nil {
				inner = func(f reflect.StructField, v reflect.Value) {
					if f.Tag.Get("when") == "" {
						f.Tag += reflect.StructTag(fmt.Sprintf(" when:%q", when))
					}
					field(f, v)
				}
			}
			walk(value, inner, embedded)
			if embedded != nil {
				embedded(value)
			}
		case sf.IsExported() && field != nil:
			field(sf, value)
		}
	}
}

// tags are all tags that a field may have.
var tags = []string{
	"above", "aliases", "arg", "default", "embed", "enum", "help", "hidden", "json", "kong", "label", "max", "min",
	"name", "names", "negatable", "optional", "placeholder", "required", "sep", "short", "slide", "source", "study",
	"type", "unit", "when", "window", "zero",
}

// declared reads the tags of one field.
func declared(sf reflect.StructField, value reflect.Value) (Field, error) {
	tag, has := sf.Tag.Get, func(key string) bool { _, there := sf.Tag.Lookup(key); return there }
	f := Field{
		Name: tag("name"), Label: tag("label"), Help: tag("help"), Default: tag("default"), Unit: tag("unit"),
		Zero: tag("zero"), Source: tag("source"), Placeholder: tag("placeholder"), Study: tag("study"),
		Min: math.Inf(-1), Max: math.Inf(1), Arg: has("arg"),
		Hidden: has("hidden"), NoWindow: tag("window") == "-", NoFlag: tag("kong") == "-",
		negatable: has("negatable"), value: value, initial: reflect.Zero(value.Type()),
	}
	if f.Name == "" {
		f.Name = Name(sf.Name)
	}
	if has("aliases") {
		f.Aliases = strings.Split(tag("aliases"), ",")
	}
	if on, texts, chosen := strings.Cut(tag("when"), "="); chosen {
		f.When, f.WhenTexts = on, strings.Split(texts, "|")
	} else {
		f.When = on
	}
	if f.Label == "" {
		f.Label = strings.ToUpper(f.Name[:1]) + strings.ReplaceAll(f.Name[1:], "-", " ")
	}
	f.Required = has("required") || f.Arg && !has("optional") && !has("default")
	for rest := string(sf.Tag); rest != ""; {
		key, after, _ := strings.Cut(strings.TrimSpace(rest), ":")
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil || !slices.Contains(tags, key) {
			return f, fmt.Errorf("there is no tag %q", key)
		}
		rest = after[len(quoted):]
	}
	if err := f.readType(value.Type(), tag("type")); err != nil {
		return f, err
	}
	if f.List {
		if f.sep = tag("sep"); f.sep == "" {
			f.sep = ","
		} else if f.sep == "none" {
			f.sep = ""
		}
	}
	if err := f.readBounds(sf.Tag); err != nil {
		return f, err
	}
	if has("slide") {
		low, high, step := &f.Slide[0], &f.Slide[1], &f.Slide[2]
		_, err := fmt.Sscan(tag("slide"), low, high, step)
		if err != nil || f.List || f.Kind != Whole && f.Kind != Number ||
			!(*low < *high && *step > 0 && f.Min <= *low && *high <= f.Max) {
			return f, fmt.Errorf("the tag slide has two ends among the bounds of a number and a step, not %q",
				tag("slide"))
		}
	}
	if has("enum") {
		f.Kind = Choice
		for _, choice := range strings.Split(tag("enum"), ",") {
			f.Choices = append(f.Choices, strings.TrimSpace(choice))
		}
	}
	if has("names") {
		f.Names = strings.Split(tag("names"), "|")
	}
	if f.Kind == Path && f.Study == "" {
		f.Study = "path"
	}
	switch {
	case f.Help == "":
		return f, errors.New("the tag help is missing")
	case !slices.Contains([]string{"", "path", "name", "beside", "written", "-"}, f.Study):
		return f, fmt.Errorf("the tag study is path, name, beside, written or -, and not %q", f.Study)
	case has("sep") && (!f.List || len(f.sep) > 1):
		return f, errors.New("the tag sep is for lists, and is one character or none")
	case f.negatable && f.Kind != Switch:
		return f, errors.New("the tag negatable is for switches")
	case has("names") && len(f.Names) != len(f.Choices):
		return f, errors.New("the tag names has a name for each choice")
	case f.Kind == Choice && !f.Required && !has("default") && !f.List && !f.Optional:
		return f, errors.New("choices need a default")
	case f.Zero != "" && (f.Kind != Whole && f.Kind != Number || f.List || f.Optional || has("default")):
		return f, errors.New("the tag zero is for single numbers without a default")
	case f.Optional && has("default"):
		return f, errors.New("a pointer has no default: nil says that nothing is given")
	}
	if has("default") {
		initial, ok := f.parse(f.Default)
		if !ok || f.check(initial) != nil {
			return f, fmt.Errorf("the default %q is not taken, which is %s", f.Default, f.takes())
		}
		f.initial = initial
	}
	return f, nil
}

// readType sets what follows from a field's type and from the tag type.
func (f *Field) readType(t reflect.Type, path string) error {
	switch {
	case t.Kind() == reflect.Slice && t.Name() == "":
		f.List, t = true, t.Elem()
	case t.Kind() == reflect.Pointer:
		f.Optional, t = true, t.Elem()
	}
	switch kind := t.Kind(); {
	case t == reflect.TypeFor[time.Duration]():
		f.Kind = Duration
	case kind == reflect.String:
		f.Kind = Text
	case kind == reflect.Bool:
		f.Kind = Switch
	case kind >= reflect.Int && kind <= reflect.Int64:
		f.Kind = Whole
	case kind >= reflect.Uint && kind <= reflect.Uint64:
		f.Kind, f.Min = Whole, 0
	case kind == reflect.Float64:
		f.Kind = Number
	default:
		return fmt.Errorf("%v is no type of an option", f.value.Type())
	}
	switch {
	case path == "":
		return nil
	case f.Kind == Text && slices.Contains([]string{"path", "existingfile", "existingdir"}, path):
		f.Kind, f.Existing = Path, strings.TrimPrefix(strings.TrimPrefix(path, "path"), "existing")
		return nil
	}
	return fmt.Errorf("the tag type is path, existingfile or existingdir, at a text, and not %q", path)
}

// readBounds reads the tags min, above and max.
func (f *Field) readBounds(tag reflect.StructTag) error {
	for _, key := range []string{"min", "above", "max"} {
		text, there := tag.Lookup(key)
		if !there {
			continue
		}
		f.bounded = true
		bound, err := strconv.ParseFloat(text, 64)
		if f.Kind == Duration {
			var d time.Duration
			d, err = time.ParseDuration(text)
			bound = d.Seconds()
		}
		switch {
		case err != nil || math.IsNaN(bound) || math.IsInf(bound, 0):
			return fmt.Errorf("the tag %s is no number: %q", key, text)
		case f.Kind != Whole && f.Kind != Number && f.Kind != Duration:
			return fmt.Errorf("the tag %s is for numbers", key)
		case f.Kind == Whole && bound != math.Trunc(bound):
			return fmt.Errorf("the tag %s is no whole number: %q", key, text)
		case key == "max":
			f.Max = bound
		case f.Above || key == "above" && tag.Get("min") != "":
			return errors.New("one of the tags min and above is enough")
		default:
			f.Min, f.Above = bound, key == "above"
		}
	}
	if f.Min > f.Max || f.Above && f.Min == f.Max {
		return fmt.Errorf("nothing lies between %v and %v", f.Min, f.Max)
	}
	return nil
}
