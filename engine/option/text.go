package option

import (
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Text returns the value as Set takes it: lists with a separator between their values, one value a
// line where the tag sep is none; "true" and "false" for switches; the empty text for nothing, and
// for 0 where the tag zero says what that stands for.
func (f Field) Text() string {
	if !f.List {
		return strings.Join(f.texts(f.value), "")
	}
	return f.Join(f.texts(f.value))
}

// Join returns the text of a list of these values, as Set takes it.
func (f Field) Join(values []string) string {
	sep := f.separator()
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = escaped(value, sep)
	}
	return strings.Join(texts, sep)
}

// Join returns the text of a list of these values, as Set takes it where the list has no tag sep.
func Join(values []string) string { return Field{sep: ","}.Join(values) }

// Values returns the single values as texts: none for nil, those of a list, otherwise one.
func (f Field) Values() []string { return f.texts(f.value) }

// Reset gives the option its default, the zero value where it has none.
func (f Field) Reset() {
	initial := reflect.New(f.value.Type()).Elem()
	initial.Set(f.initial)
	if f.List {
		initial.Set(reflect.AppendSlice(reflect.MakeSlice(f.value.Type(), 0, f.initial.Len()), f.initial))
	}
	f.value.Set(initial)
}

// Set parses a text, checks bounds and choices and changes the option; on an error, an *Error,
// nothing changes. Blanks around numbers and around the values of a list do not count, and empty
// values of a list are left out. A single number may have commas between thousands, as the program
// writes it: 100,000. In a list a backslash before a separator makes it a part of the value; so a
// value that itself has a backslash before a separator or at its end cannot be written.
func (f Field) Set(text string) error {
	v, ok := f.parse(text)
	if !ok {
		return f.refuse()
	}
	if err := f.check(v); err != nil {
		return err
	}
	f.value.Set(v)
	return nil
}

// IsDefault reports whether the option has its default, the zero value where it has none. An empty
// list equals no list.
func (f Field) IsDefault() bool {
	if f.List && f.value.Len() == 0 && f.initial.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(f.value.Interface(), f.initial.Interface())
}

// Bounds says the bounds alone that tags declare, as the command line writes numbers: "from 1 to
// 100000"; empty without any.
func (f Field) Bounds() string {
	if !f.bounded {
		return ""
	}
	return onCommandLine(f.bounds(), nil)
}

// Condition says with what the option has a meaning, for the command line: "with --study", "with
// --method nearest or random", "without --open"; empty for an option that depends on no other.
func (f Field) Condition() string {
	if f.When == "" {
		return ""
	}
	return f.condition("--" + f.When)
}

// takes says which values the option takes, large numbers in braces: "a whole number from 1 to
// {100000}", "keywords, nearest or random".
func (f Field) takes() string {
	choices := slices.DeleteFunc(slices.Clone(f.Choices), func(c string) bool { return c == "" })
	if len(choices) > 0 {
		return alternatives(choices)
	}
	what := map[Kind]string{
		Text: "a text", Whole: "a whole number", Number: "a number", Switch: "true or false", Path: "a file or folder",
		Duration: "a time such as 90m or 6h",
	}[f.Kind]
	if f.List {
		what = map[Kind]string{
			Text: "texts", Whole: "whole numbers", Number: "numbers", Switch: "true or false",
			Path: "files or folders", Duration: "times such as 90m or 6h",
		}[f.Kind]
	}
	bounds := f.bounds()
	switch {
	case bounds != "":
		return what + " " + bounds
	case f.Unit != "":
		return what + " of " + f.Unit
	}
	return what
}

// bounds is Bounds with large numbers in braces.
func (f Field) bounds() string {
	low, high := !math.IsInf(f.Min, -1), !math.IsInf(f.Max, 1)
	text := ""
	switch {
	case f.Above && high:
		text = "above " + f.bound(f.Min) + ", at most " + f.bound(f.Max)
	case f.Above:
		text = "above " + f.bound(f.Min)
	case low && high:
		text = "from " + f.bound(f.Min) + " to " + f.bound(f.Max)
	case low:
		text = "from " + f.bound(f.Min)
	case high:
		text = "up to " + f.bound(f.Max)
	default:
		return ""
	}
	if f.Unit != "" {
		text += " " + f.Unit
	}
	return text
}

// bound writes a bound; whole numbers from 1,000 stand in braces, in which forms group digits.
func (f Field) bound(b float64) string {
	switch {
	case f.Kind == Duration:
		return duration(time.Duration(b * float64(time.Second)))
	case b >= 1000 && b == math.Trunc(b):
		return "{" + float(b, 64) + "}"
	}
	return float(b, 64)
}

// separator stands between the values of a list in a text.
func (f Field) separator() string {
	if f.sep == "" {
		return "\n"
	}
	return f.sep
}

// elements are the single values of v: none for nil, those of a list, otherwise one.
func (f Field) elements(v reflect.Value) []reflect.Value {
	switch {
	case f.List:
		list := make([]reflect.Value, v.Len())
		for i := range list {
			list[i] = v.Index(i)
		}
		return list
	case f.Optional && v.IsNil():
		return nil
	case f.Optional:
		return []reflect.Value{v.Elem()}
	}
	return []reflect.Value{v}
}

// texts are the single values as texts.
func (f Field) texts(v reflect.Value) []string {
	texts := []string{}
	for _, e := range f.elements(v) {
		if f.Zero == "" || !e.IsZero() {
			texts = append(texts, written(e))
		}
	}
	return texts
}

// parse reads a text; false where it is not of the option's type.
func (f Field) parse(text string) (reflect.Value, bool) {
	v := reflect.New(f.value.Type()).Elem()
	switch {
	case f.List:
		for _, part := range split(text, f.separator()) {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			e := reflect.New(v.Type().Elem()).Elem()
			if !scan(e, part) {
				return v, false
			}
			v.Set(reflect.Append(v, e))
		}
		return v, true
	case text == "" && f.Optional, f.Zero != "" && strings.TrimSpace(text) == "":
		return v, true
	case f.Optional:
		v.Set(reflect.New(v.Type().Elem()))
		return v, scan(v.Elem(), text)
	}
	return v, scan(v, text)
}

// grouped is a number with commas between thousands.
var grouped = regexp.MustCompile(`^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$`)

// scan reads one value into v; false where the text is not of its type.
func scan(v reflect.Value, text string) bool {
	number := strings.TrimSpace(text)
	if grouped.MatchString(number) {
		number = strings.ReplaceAll(number, ",", "")
	}
	var err error
	switch kind := v.Kind(); {
	case v.Type() == reflect.TypeFor[time.Duration]():
		var d time.Duration
		d, err = time.ParseDuration(number)
		v.SetInt(int64(d))
	case kind == reflect.String:
		v.SetString(text)
	case kind == reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(number)
		v.SetBool(b)
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(number, 10, v.Type().Bits())
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(number, 10, v.Type().Bits())
		v.SetUint(n)
	default:
		var x float64
		x, err = strconv.ParseFloat(number, v.Type().Bits())
		v.SetFloat(x)
	}
	return err == nil
}

// written is one value as a text.
func written(v reflect.Value) string {
	switch kind := v.Kind(); {
	case v.Type() == reflect.TypeFor[time.Duration]():
		return duration(time.Duration(v.Int()))
	case kind == reflect.String:
		return v.String()
	case kind == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	}
	return float(v.Float(), v.Type().Bits())
}

// float writes a number with the fewest digits that give it back, most of them without exponent.
func float(x float64, bits int) string {
	if size := math.Abs(x); size != 0 && (size < 1e-5 || size >= 1e15) {
		return strconv.FormatFloat(x, 'g', -1, bits)
	}
	return strconv.FormatFloat(x, 'f', -1, bits)
}

// duration writes a time without parts that are 0: 6h, 1h30m.
func duration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// split cuts a text at the separators that have no backslash before them, as kong does.
func split(text, sep string) []string {
	var parts []string
	part := ""
	for text != "" {
		switch {
		case strings.HasPrefix(text, `\`+sep):
			part, text = part+sep, text[1+len(sep):]
		case strings.HasPrefix(text, sep):
			parts, part, text = append(parts, part), "", text[len(sep):]
		case text[0] == '\\' && len(text) > 1:
			part, text = part+text[:2], text[2:]
		default:
			part, text = part+text[:1], text[1:]
		}
	}
	return append(parts, part)
}

// escaped puts a backslash before each separator.
func escaped(text, sep string) string { return strings.ReplaceAll(text, sep, `\`+sep) }
