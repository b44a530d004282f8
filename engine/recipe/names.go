package recipe

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxNames bounds the class names that are read from one text.
const maxNames = 1 << 20

// errNames says which forms of class names are read.
var errNames = errors.New(`class names are written as ["cat","dog"], {"0":"cat","1":"dog"}, {0: 'cat', 1: 'dog'}, or cat,dog`)

// ClassNames reads class names in the order of their numbers: a JSON list, a dict of number to
// name as JSON or as Python writes it, or names with commas between them (semicolons or ends of
// lines where there are some outside of names in quotes). Numbers of a dict are 0, 1, 2 and so on.
func ClassNames(text string) ([]string, error) {
	text = strings.TrimSpace(text)
	var names []string
	var err error
	if strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") || strings.HasPrefix(text, "(") {
		l := literal{rest: text}
		if names, err = l.names(); err != nil {
			return nil, fmt.Errorf("%.60q: %w: %w", text, err, errNames)
		}
	} else {
		if names, err = separated(text); err != nil {
			return nil, fmt.Errorf("%.60q: %w: %w", text, err, errNames)
		}
	}
	if i := slices.Index(names, ""); i >= 0 {
		return nil, fmt.Errorf("%.60q: name %d is empty: %w", text, i, errNames)
	}
	return names, nil
}

// separated reads names with commas, semicolons or ends of lines between them. Those in double
// quotes can have commas inside.
func separated(text string) ([]string, error) {
	outside := quotedText.ReplaceAllString(text, "")
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.TrimLeadingSpace, r.LazyQuotes = -1, true, true // a name can have the sign for inches
	switch {
	case strings.Contains(outside, "\n"): // a name a line
		r.Comma = '\x1f'
	case strings.Contains(outside, ";"):
		r.Comma = ';'
	}
	rows, err := r.ReadAll()
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		err = parse.Err
	}
	names := slices.Concat(rows...)
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
	}
	if len(names) == 0 {
		names = []string{""}
	}
	return names, err
}

var quotedText = regexp.MustCompile(`"[^"]*"`)

// numbered tells names that a program has made up: LABEL_0, LABEL_1, ... They say nothing of the
// classes.
func numbered(names []string) bool {
	for i, name := range names {
		if name != "LABEL_"+strconv.Itoa(i) {
			return false
		}
	}
	return true
}

// inOrder are the names of a dict of number to name.
func inOrder(byID map[int]string) ([]string, error) {
	names := make([]string, len(byID))
	for id, name := range byID {
		if id < 0 || id >= len(names) {
			return nil, fmt.Errorf("class %d is named, and there are %d names; "+
				"the numbers begin with 0 and leave none out", id, len(names))
		}
		names[id] = name
	}
	return names, nil
}

// literal reads a list or dict of names as JSON and Python write them.
type literal struct{ rest string }

func (l *literal) names() ([]string, error) {
	open := l.rest[0]
	l.rest = l.rest[1:]
	shut := map[byte]byte{'[': ']', '(': ')', '{': '}'}[open]
	list, byID := []string{}, map[int]string{}
	for first := true; ; first = false {
		if l.next(shut) {
			break
		}
		if !first && !l.next(',') {
			return nil, fmt.Errorf("a comma or %c is missing at %.20q", shut, l.rest)
		}
		if !first && l.next(shut) { // a comma behind the last one
			break
		}
		value, err := l.value()
		if err != nil {
			return nil, err
		}
		if open != '{' {
			list = append(list, value)
		} else {
			id, err := strconv.Atoi(value)
			if err != nil || !l.next(':') {
				return nil, fmt.Errorf("%.20q is no number of a class with its name", value)
			}
			if value, err = l.value(); err != nil {
				return nil, err
			}
			if _, twice := byID[id]; twice {
				return nil, fmt.Errorf("class %d is named twice", id)
			}
			byID[id] = value
		}
		if len(list)+len(byID) > maxNames {
			return nil, fmt.Errorf("more than %d names", maxNames)
		}
	}
	if strings.TrimSpace(l.rest) != "" {
		return nil, fmt.Errorf("%.20q stands behind the end", l.rest)
	}
	if open == '{' {
		return inOrder(byID)
	}
	return list, nil
}

// next takes one character behind blanks.
func (l *literal) next(c byte) bool {
	rest := strings.TrimLeft(l.rest, " \t\r\n")
	if rest == "" || rest[0] != c {
		return false
	}
	l.rest = rest[1:]
	return true
}

// value takes a text in quotes of either kind, or a number.
func (l *literal) value() (string, error) {
	for _, quote := range []byte{'"', '\''} {
		if l.next(quote) {
			return l.quoted(quote)
		}
	}
	l.rest = strings.TrimLeft(l.rest, " \t\r\n")
	end := strings.IndexAny(l.rest, ",:]}) \t\r\n")
	if end < 0 {
		end = len(l.rest)
	}
	word := l.rest[:end]
	if _, err := strconv.ParseFloat(word, 64); err != nil {
		return "", fmt.Errorf("a text in quotes or a number is missing at %.20q", l.rest)
	}
	l.rest = l.rest[end:]
	return word, nil
}

// quoted takes the rest of a text whose quote has been taken.
func (l *literal) quoted(quote byte) (string, error) {
	var b strings.Builder
	for i := 0; i < len(l.rest); i++ {
		switch c := l.rest[i]; c {
		case quote:
			l.rest = l.rest[i+1:]
			return b.String(), nil
		case '\\':
			r, size, err := escape(l.rest[i:])
			if err != nil {
				return "", err
			}
			b.WriteRune(r)
			i += size - 1
		default:
			b.WriteByte(c)
		}
	}
	return "", fmt.Errorf("a quote %c is missing", quote)
}

// escape is the character of an escape at the beginning of a text, and how many bytes it has.
func escape(text string) (r rune, size int, err error) {
	if len(text) < 2 {
		return 0, 0, errors.New("nothing stands behind the last backslash")
	}
	if plain := strings.IndexByte(`nrtbf`, text[1]); plain >= 0 {
		return rune("\n\r\t\b\f"[plain]), 2, nil
	}
	digits, isNumber := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[1]]
	if !isNumber {
		if strings.IndexByte(`'"\/`, text[1]) < 0 {
			return 0, 0, fmt.Errorf("the escape %.2q is unknown", text)
		}
		return rune(text[1]), 2, nil
	}
	size = 2 + digits
	if len(text) < size {
		return 0, 0, fmt.Errorf("the escape %.10q is too short", text)
	}
	if text[1] == 'u' { // JSON writes what lies outside of the basic plane as two
		end := size
		if len(text) >= 2*size && text[size:size+2] == `\u` {
			end = 2 * size
		}
		var s string
		if json.Unmarshal([]byte(`"`+text[:end]+`"`), &s) == nil {
			first, n := utf8.DecodeRuneInString(s)
			if n == len(s) {
				return first, end, nil
			}
		}
	}
	v, err := strconv.ParseUint(text[2:size], 16, 32)
	if err != nil {
		return 0, 0, fmt.Errorf("the escape %.10q is no number", text[:size])
	}
	return rune(v), size, nil
}
