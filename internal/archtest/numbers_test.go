package archtest

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// formatters are the functions outside engine/result that turn numbers into text by themselves,
// with the reason. A number that people or files see is said by engine/result alone (Format.Say,
// Write).
var formatters = []struct{ in, why string }{
	{"engine/option/text.go: float", "flags and settings read it back with as many bits as they had"},
	{"engine/render/drawing.go: DrawImage", "operands of a PDF"},
	{"engine/render/ticks.go: tidy", "rounds a number, nobody sees the text"},
	{"engine/render/ticks.go: TickTexts", "ticks have the decimals that tell them all"},
	{"engine/render/ticks.go: decimal", "makes a number, nobody sees the text"},
	{"store/report/html.go: SVG", "measures of a picture"},
}

// laterFormatters is how many functions are still to say numbers by engine/result: none may be
// added, and the number goes down with them.
const laterFormatters = 1

// precise finds verbs of floating-point numbers with a precision or a form: what is written with
// them has been rounded. %v and %g write a number as it is.
var precise = regexp.MustCompile(`%[-+# 0]*[0-9*]*(\.[0-9*]+[fgeFGE]|[fF])`)

// TestNumbersAreSaidInOnePlace: shares, coefficients, p-values, sizes and durations look alike
// everywhere, and files have all digits.
func TestNumbersAreSaidInOnePlace(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	var found, later []string
	eachSource(t, func(where string, file *ast.File) {
		if strings.HasPrefix(where, "internal/") || strings.HasPrefix(where, "engine/result/") {
			return
		}
		for _, d := range file.Decls {
			name := "variables"
			if f, ok := d.(*ast.FuncDecl); ok {
				name = f.Name.Name
			}
			if formats(d) {
				found = append(found, where+": "+name)
			}
		}
	})
	for _, f := range formatters {
		if !slices.Contains(found, f.in) {
			t.Errorf("%s formats no number any more; leave it out of the list", f.in)
		}
	}
	for _, one := range found {
		if !slices.ContainsFunc(formatters, func(f struct{ in, why string }) bool { return f.in == one }) {
			later = append(later, one)
		}
	}
	if len(later) > laterFormatters {
		t.Errorf("%d functions format numbers by themselves, %d are allowed; use engine/result:\n%s", len(later),
			laterFormatters, strings.Join(later, "\n"))
	}
}

// formats tells whether a declaration turns floating-point numbers into rounded text.
func formats(d ast.Decl) (yes bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			yes = yes || n.Sel.Name == "FormatFloat" || n.Sel.Name == "AppendFloat"
		case *ast.BasicLit:
			yes = yes || n.Kind == token.STRING && precise.MatchString(n.Value)
		}
		return !yes
	})
	return yes
}
