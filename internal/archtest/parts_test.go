package archtest

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// parts are what only ui/kit makes, and ui/widget, which is its ground: tables and forms.
var parts = map[string][]string{
	fyne + "/widget":      {"NewTable", "NewTableWithHeaders", "Table", "NewForm", "Form", "NewFormItem", "FormItem"},
	fyne + "/dialog":      {"NewForm", "NewFormWithoutButtons", "ShowForm"},
	module + "/ui/widget": {"NewTable", "Table"},
}

// TestTablesAndFormsAreTheKits: a table of kit.Records and a form of kit.Form sort, filter, check
// and remember alike everywhere.
func TestTablesAndFormsAreTheKits(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	inKit := false
	eachSource(t, func(where string, file *ast.File) {
		uses(file, func(path, name string) {
			switch {
			case !slices.Contains(parts[path], name), strings.HasPrefix(where, "ui/widget/"):
			case strings.HasPrefix(where, "ui/kit/"):
				inKit = true
			default:
				t.Errorf("%s uses %s.%s; use kit.Records or kit.Form", where, short(path), name)
			}
		})
	})
	if !inKit {
		t.Error("ui/kit itself makes no tables")
	}
}

// mostWidths is how many widths screens and dialogs may set by hand, those of pictures.
const mostWidths = 10

// TestColumnsHaveTheWidthOfTheirTexts: kit.Records measures columns, nobody else sets their widths.
func TestColumnsHaveTheWidthOfTheirTexts(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads the sources
	}
	var found []string
	eachSource(t, func(where string, file *ast.File) {
		if !strings.HasPrefix(where, "ui/screen/") && !strings.HasPrefix(where, "ui/dialogs/") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if pair, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Width" {
					found = append(found, where)
				}
			}
			return true
		})
	})
	if len(found) > mostWidths {
		t.Errorf("%d widths are set by hand, %d are allowed: %s", len(found), mostWidths, strings.Join(found, ", "))
	}
}
