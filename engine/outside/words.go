package outside

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden tells whether a letter would not be seen as itself, or changes how others are shown:
// control characters, marks of direction such as U+202E, invisible ones, and what no font has.
func hidden(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r) || unicode.In(r,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Visible is a text that came out of a file, as a terminal, a log or a window may show it: one
// line, with every hidden letter as \n, \x1b, \u202e or \U000e0001, and bytes that are no UTF-8
// as \x9b. Of a very long one it is the beginning and the end.
func Visible(text string) string { return cut(visible(text, ""), longest) }

// VisibleLines is Visible for a text of several lines: line ends and tabs stay.
func VisibleLines(text string) string { return visible(text, "\n\t") }

func visible(text, but string) string {
	at := strings.IndexFunc(text, func(r rune) bool {
		return r == utf8.RuneError || hidden(r) && !strings.ContainsRune(but, r)
	})
	if at < 0 {
		return text
	}
	var b strings.Builder
	for ; at < len(text); at = 0 {
		b.WriteString(text[:at])
		text = text[at:]
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case !hidden(r) || strings.ContainsRune(but, r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		text = text[size:]
	}
	return b.String()
}

// Terminal is a writer whose texts are made visible. A line that is written over after \r stays
// one.
type Terminal struct{ io.Writer }

// Write implements io.Writer for whole texts.
func (t Terminal) Write(p []byte) (int, error) {
	_, err := io.WriteString(t.Writer, visible(string(p), "\n\t\r"))
	return len(p), err
}

// VisibleJSON is a JSON text that means the same, with the hidden letters in its strings escaped.
func VisibleJSON(text string) string {
	if strings.IndexFunc(text, hiddenInJSON) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if !hiddenInJSON(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// hiddenInJSON leaves line ends and tabs between values; within strings JSON has no such letters.
func hiddenInJSON(r rune) bool { return r >= 0x7f && hidden(r) }

// longest is how many letters of a line are shown.
const longest = 1500

// cut is a text of at most so many letters: of a longer one the beginning and the end, which says
// what to do.
func cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	letters := []rune(text)
	head := most * 2 / 3
	return string(letters[:head]) + "…" + string(letters[len(letters)-(most-head-1):])
}

// Sentence is an error in words for people: one line for each error that was joined. Texts from
// inside of files are visible, the words of readers are plain ones (Plain), and a path stands in
// it once, without the name of the system call.
func Sentence(err error) string {
	lines := strings.Split(speak(err, ""), "\n")
	for i, line := range lines {
		lines[i] = Plain(cut(line, longest))
	}
	return strings.Join(lines, "\n")
}

// speak makes the words of an error from those of the errors that it wraps; before is what stands
// in front of it.
func speak(err error, before string) string {
	if path, ok := err.(*fs.PathError); ok {
		reason := Visible(path.Err.Error())
		if errors.Is(path, fs.ErrNotExist) {
			reason = noSuchFile
		}
		name := Visible(path.Path)
		if !strings.Contains(before, name) && !strings.Contains(" "+before, " "+filepath.Base(name)) {
			reason = name + ": " + reason
		}
		return reason
	}
	var inner []error
	switch wrapping := err.(type) {
	case interface{ Unwrap() error }:
		inner = []error{wrapping.Unwrap()}
	case interface{ Unwrap() []error }:
		inner = wrapping.Unwrap()
	}
	text, said := err.Error(), ""
	for _, one := range inner {
		if one == nil || one.Error() == "" {
			continue
		}
		front, behind, found := strings.Cut(text, one.Error())
		if !found {
			continue
		}
		line, ended := strings.CutSuffix(front, "\n") // a list of errors
		if said += Visible(line); ended {
			said += "\n"
		}
		said += speak(one, before+said)
		text = behind
	}
	return said + Visible(text)
}

const noSuchFile = "there is no such file or folder"

// plainWords are what the readers of formats say of a file, and what is said in its place.
var plainWords = []struct {
	theirs *regexp.Regexp
	ours   string
}{
	{
		regexp.MustCompile(`json: cannot unmarshal (\w+)( [^ ]+)? into Go struct field [^ .]*\.?([^ ]*) of type [^ ;,)]+`),
		`its field $3 holds a wrong kind of value ($1$2)`,
	},
	{
		regexp.MustCompile(`json: cannot unmarshal (\w+)( [^ ]+)? into Go value of type [^ ;,)]+`),
		`it holds a wrong kind of value ($1$2)`,
	},
	{regexp.MustCompile(`json: unknown field ("(?:[^"\\]|\\.)*")`), `it has a field $1, which is not known`},
	{
		regexp.MustCompile(`json: invalid (?:number literal|use of ,string struct tag)[^;)]*`),
		`it holds a wrong kind of value`,
	},
	{regexp.MustCompile(`invalid character ('.{1,12}?') (?:looking for|after|in) [a-z:\\ -]*[a-z](?: \(expecting '.'\))?`), `it is no valid JSON: $1 stands where it must not`},
	{regexp.MustCompile(`unexpected end of JSON input`), `its JSON ends too early`},
	{regexp.MustCompile(`(?:record on line \d+; )?parse error on (line \d+, column \d+): `), `$1: `},
	{
		regexp.MustCompile(`record on (line \d+): wrong number of fields`),
		`$1: it has another number of cells than the first row`,
	},
	{regexp.MustCompile(`\bwrong number of fields\b`), `it has another number of cells than the first row`},
	{
		regexp.MustCompile(`bare " in non-quoted[- ]field`),
		`a quotation mark stands within a cell that does not begin with one`,
	},
	{
		regexp.MustCompile(`extraneous or missing " in quoted[- ]field`),
		`the quotation mark that ends a cell is missing, or something follows it`,
	},
	{regexp.MustCompile(`bufio\.Scanner: token too long`), `a line is too long`},
	{regexp.MustCompile(`bufio\.(?:Scanner|Reader|ReadWriter): .+`), `it cannot be read`},
	{regexp.MustCompile(`bufio: buffer full`), `a line is too long`},
	{regexp.MustCompile(`zip: not a valid zip file`), `it is no zip archive, or it is cut off`},
	{
		regexp.MustCompile(`zip: unsupported compression algorithm`),
		`it is packed in a way that cannot be read here; pack it anew`,
	},
	{
		regexp.MustCompile(`(?:zip: checksum error|(?:gzip|zlib): invalid checksum)`),
		`its checksum is wrong: it is damaged`,
	},
	{regexp.MustCompile(`(?:gzip|zlib): invalid header`), `it is no packed file, or its beginning is damaged`},
	{
		regexp.MustCompile(`(?:flate: corrupt input before offset \d+|flate: read error at offset \d+: .+|lzw: [a-z ]+)`),
		`its packed data are damaged`,
	},
	{
		regexp.MustCompile(`strconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): value out of range`),
		`$1 is a number out of range`,
	},
	{regexp.MustCompile(`strconv\.\w+: parsing ("(?:[^"\\]|\\.)*"): .+?(;|$)`), `$1 is no number$2`},
	{regexp.MustCompile(`parsing time ("(?:[^"\\]|\\.)*")(?: as ".*?": cannot parse ".*?" as ".*?"|: [a-z ]+ out of range)`), `$1 is no time`},
	{regexp.MustCompile(`encoding/hex: [a-z ]+(?:: \S+)?`), `it is no hexadecimal number`},
	{regexp.MustCompile(`illegal base64 data at input byte \d+`), `it is no base64`},
	{regexp.MustCompile(`\bunexpected EOF\b`), `it ends too early`},
	{regexp.MustCompile(`(^|: )EOF\b`), `${1}it ends too early`},
	{
		regexp.MustCompile(`runtime error: [^;]+`),
		`this program's reader failed at it, which is a mistake of the program; please report it`,
	},
	{regexp.MustCompile(`(^|[^.\w])(?:nats|parquet|thrift): `), `$1`},
	{regexp.MustCompile(regexp.QuoteMeta(syscall.ENOENT.Error())), noSuchFile},
}

// Plain is a text without the words of the readers of formats: encoding/json, encoding/csv,
// archive/zip, compress, bufio, strconv, time and io, in plain English.
func Plain(text string) string {
	for _, words := range plainWords {
		text = words.theirs.ReplaceAllString(text, words.ours)
	}
	return text
}

// JSON reads one JSON value, with nothing behind it. With strict, an object has no fields that
// into does not know. The error names line and column where they are known, and no file.
func JSON(data []byte, into any, strict bool) error {
	in := json.NewDecoder(bytes.NewReader(data))
	if strict {
		in.DisallowUnknownFields()
	}
	err := in.Decode(into)
	if err == nil {
		if _, err = in.Token(); err == io.EOF {
			return nil
		}
		return place(data, in.InputOffset(), errors.New("something follows its JSON"))
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return errors.New("it is empty")
	case errors.As(err, &syntax):
		return place(data, syntax.Offset, err)
	case errors.As(err, &kind):
		return place(data, kind.Offset, err)
	}
	return err
}

// place names line and column of the letter at an offset, or of the last one before it.
func place(data []byte, offset int64, err error) error {
	before := data[:min(max(offset-1, 0), int64(len(data)))]
	line := bytes.Count(before, []byte{'\n'}) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}
