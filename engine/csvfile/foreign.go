package csvfile

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// separators are those that a first line is searched for, the first where two are as frequent.
const separators = ",;\t|"

// foreign is how a table that another program wrote is read.
type foreign struct {
	separator rune
	named     bool // the first line is sep=X, as Excel takes and writes it
	utf16     bool
	fallback  *fallback // of a file that is not UTF-16
	width     int       // cells of the header; 0 before it is read
}

// Foreign reads a table that people or other programs wrote. Its separator is that of a first line
// sep=X, else the most frequent of comma, semicolon, tab and | in the first line, outside of
// quotation marks. It is UTF-8 or UTF-16 with or without a byte order mark, or else Windows-1252,
// of which Latin-1 is a part. Rows without any text are passed over and empty cells behind the
// last column are cut off; any other row has as many cells as the header, or the error is a
// *csv.ParseError with csv.ErrFieldCount, after which reading can go on. Lines may end in a
// carriage return alone, as Excel writes them for the Macintosh. Reader.Form tells what was found.
func Foreign(r io.Reader) *Reader {
	f := &foreign{}
	in := bufio.NewReader(r)
	start, _ := in.Peek(4) // an error comes again when the first row is read
	var text io.Reader
	if byteOrder, marks, ok := utf16In(start); ok {
		f.utf16 = true
		text = transform.NewReader(in, unicode.UTF16(byteOrder, marks).NewDecoder())
	} else {
		f.fallback = &fallback{windows: charmap.Windows1252.NewDecoder(), line: 1}
		text = transform.NewReader(in, f.fallback)
	}
	limit := &limited{in: bufio.NewReaderSize(text, 1<<16)}
	if first, _ := limit.in.Peek(limit.in.Size()); !bytes.Contains(first, []byte("\n")) &&
		bytes.Contains(first, []byte("\r")) {
		limit.in = bufio.NewReaderSize(macintosh{limit.in}, 1<<16)
	}
	limit.begin()
	f.look(limit.in)
	reader := &Reader{Reader: csv.NewReader(limit), limit: limit, foreign: f}
	reader.Comma, reader.FieldsPerRecord = f.separator, -1
	return reader
}

// macintosh reads a text whose lines end in a carriage return alone.
type macintosh struct{ in io.Reader }

// Read is that of io.Reader.
func (m macintosh) Read(p []byte) (int, error) {
	n, err := m.in.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}

// utf16In tells UTF-16 by its mark, or by the zeros that it has in place of every second byte of
// plain letters.
func utf16In(start []byte) (unicode.Endianness, unicode.BOMPolicy, bool) {
	switch {
	case len(start) < 2:
		return false, 0, false
	case start[0] == 0xff && start[1] == 0xfe:
		return unicode.LittleEndian, unicode.UseBOM, true
	case start[0] == 0xfe && start[1] == 0xff:
		return unicode.BigEndian, unicode.UseBOM, true
	case len(start) == 4 && start[0] != 0 && start[1] == 0 && start[2] != 0 && start[3] == 0:
		return unicode.LittleEndian, unicode.IgnoreBOM, true
	case len(start) == 4 && start[0] == 0 && start[1] != 0 && start[2] == 0 && start[3] != 0:
		return unicode.BigEndian, unicode.IgnoreBOM, true
	}
	return false, 0, false
}

// look finds the separator in the first line that has any text, or in as much of it as is held.
func (f *foreign) look(in *bufio.Reader) {
	start, _ := in.Peek(in.Size()) // less of a short table
	line, _, _ := bytes.Cut(bytes.TrimLeft(start, "\r\n"), []byte("\n"))
	text := strings.TrimRight(string(line), "\r")
	name, given := strings.CutPrefix(strings.ToLower(text), "sep=")
	if given && utf8.RuneCountInString(name) == 1 && name != `"` {
		f.separator, _ = utf8.DecodeRuneInString(name)
		f.named = true
		return
	}
	f.separator = ','
	quoted, most, counts := false, 0, map[rune]int{}
	for _, r := range text {
		if r == '"' {
			quoted = !quoted
		}
		if !quoted {
			counts[r]++
		}
	}
	for _, s := range separators {
		if counts[s] > most {
			f.separator, most = s, counts[s]
		}
	}
}

// row is the next row that holds text.
func (f *foreign) row(r *Reader) ([]string, error) {
	for {
		row, err := r.Reader.Read()
		if err != nil {
			return row, err
		}
		if f.named {
			f.named = false
			continue
		}
		if slices.ContainsFunc(row, func(cell string) bool { return strings.ContainsRune(cell, 0) }) {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("line %d holds a zero, which no text has; save the table as UTF-8", line)
		}
		full := len(row)
		for full > 0 && strings.TrimSpace(row[full-1]) == "" {
			full--
		}
		if full == 0 {
			continue
		}
		f.width = cmp.Or(f.width, full)
		if full > f.width || len(row) < f.width {
			line, column := r.FieldPos(0)
			return row, &csv.ParseError{StartLine: line, Line: line, Column: column, Err: csv.ErrFieldCount}
		}
		return row[:f.width], nil
	}
}

// Form says in words how a table from elsewhere is separated and encoded, as far as it was read;
// "" for a plain one with commas and UTF-8.
func (r *Reader) Form() string {
	if r.foreign == nil {
		return ""
	}
	var words []string
	if s := r.foreign.separator; s != ',' {
		name := map[rune]string{';': "semicolons", '\t': "tabs"}[s]
		if name == "" {
			name = fmt.Sprintf("%q", s)
		}
		words = append(words, "separated by "+name)
	}
	switch {
	case r.foreign.utf16:
		words = append(words, "read as UTF-16")
	case r.foreign.fallback.on:
		words = append(words, "read as Windows-1252 (Latin-1), since it is not UTF-8")
	}
	return strings.Join(words, ", ")
}

// fallback passes UTF-8 on and becomes Windows-1252 at the first byte that is not UTF-8. That is
// the encoding of the whole text as long as only ASCII came before, which both have in common.
type fallback struct {
	windows *encoding.Decoder
	on      bool
	letters bool // UTF-8 beyond ASCII was passed on
	line    int
}

// Reset does nothing: a fallback reads one text.
func (f *fallback) Reset() {}

// Transform is that of transform.Transformer.
func (f *fallback) Transform(dst, src []byte, atEOF bool) (written, read int, err error) {
	for read < len(src) {
		if f.on {
			w, r, err := f.windows.Transform(dst[written:], src[read:], atEOF)
			if bytes.ContainsAny(dst[written:written+w], "\x00\ufffd") {
				return written, read, f.wrong()
			}
			return written + w, read + r, err
		}
		r, size := utf8.DecodeRune(src[read:])
		switch {
		case r == utf8.RuneError && size == 1 && !atEOF && !utf8.FullRune(src[read:]):
			return written, read, transform.ErrShortSrc
		case r == utf8.RuneError && size == 1 && f.letters, r == 0:
			return written, read, f.wrong()
		case r == utf8.RuneError && size == 1:
			f.on = true
			continue
		case written+size > len(dst):
			return written, read, transform.ErrShortDst
		}
		f.letters = f.letters || size > 1
		if r == '\n' {
			f.line++
		}
		written += copy(dst[written:], src[read:read+size])
		read += size
	}
	return written, read, nil
}

func (f *fallback) wrong() error {
	if f.on {
		return errors.New("it is neither UTF-8 nor Windows-1252; save it as UTF-8")
	}
	return fmt.Errorf("line %d is neither UTF-8 nor another known encoding; save the table as UTF-8", f.line)
}
