// Package export writes the labelled set of a workspace and everything that it rests on as files that other tools read
// (DESIGN.md section 8), and reads the label tables again.
package export

import "strings"

// Guard writes a free-text cell of a table: one that begins with = + - @ or an apostrophe gets one apostrophe in front,
// so that spreadsheets do not take it for a formula (DESIGN.md section 8).
func Guard(text string) string {
	if text != "" && strings.ContainsRune("=+-@'", rune(text[0])) {
		return "'" + text
	}
	return text
}

// Unguard reads a free-text cell: it removes exactly one leading apostrophe.
func Unguard(cell string) string { return strings.TrimPrefix(cell, "'") }
