package archtest

import (
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// codeColumns and commentColumns are the most that a line of code and one of comment alone may
// take, where a tab counts 4.
const codeColumns, commentColumns = 120, 100

// TestLinesEndInColumn holds the lines of all Go files, tests too, to their columns.
func TestLinesEndInColumn(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	eachFile(t, func(where string, source []byte) {
		for _, line := range tooLong(source) {
			t.Errorf("%s:%d is past column %d (code) or %d (comment)", where, line, codeColumns, commentColumns)
		}
	})
}

func TestTooLongLinesAreFound(t *testing.T) {
	words := strings.Repeat("word ", 22) // 110 columns
	source := "//go:build " + words + "\npackage a\n\n// " + words +
		"\nvar a = `" + words + "first\n" + words + "second line`\n" +
		"var b = \"`" + words + "\"\nvar c int // `" + words + "\n\t\t\tvar d = \"" + words[:100] + "\"\n"
	if got := tooLong([]byte(source)); !slices.Equal(got, []int{4, 7, 8, 9}) {
		t.Error("lines", got)
	}
}

// tooLong returns the numbers of the lines that end past their column. Lines with a raw string,
// which struct tags are too, and constraints of the build cannot be broken and may be longer.
func tooLong(source []byte) []int {
	var long []int
	number := 0
	for line := range strings.Lines(string(source)) {
		number++
		columns := codeColumns
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			columns = commentColumns
		}
		if utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))+3*strings.Count(line, "\t") > columns &&
			!strings.HasPrefix(line, "//go:generate ") && !strings.HasPrefix(line, "//go:build ") {
			long = append(long, number)
		}
	}
	if long == nil {
		return nil
	}
	var tokens scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	tokens.Init(file, source, nil, 0)
	for {
		at, kind, text := tokens.Scan()
		if kind == token.EOF {
			return long
		}
		if kind == token.STRING && text[0] == '`' {
			first := file.Line(at)
			last := first + strings.Count(text, "\n")
			long = slices.DeleteFunc(long, func(line int) bool { return first <= line && line <= last })
		}
	}
}
