package result

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// LaTeX writes the columns that people see as a table of a LaTeX text, with the rules of the
// package booktabs: numbers to the right, None for missing values, the sheet's title as its caption
// and tab:LABEL as its label. More rows than a page has room for become a longtable.
func (s *Sheet) LaTeX(w io.Writer, label string) error {
	fields, rows := s.Cells()
	var b bytes.Buffer
	begin, end := "\\begin{table}\n\\centering\n", "\\bottomrule\n\\end{tabular}\n\\end{table}\n"
	head := fmt.Sprintf("\\caption{%s}\n\\label{tab:%s}\n", escapeLaTeX(s.Title), label)
	environment := "tabular"
	const page = 45 // rows
	packages := "booktabs"
	if len(rows) > page {
		begin, end = "", "\\bottomrule\n\\end{longtable}\n"
		environment, packages = "longtable", "booktabs,longtable"
	}
	fmt.Fprintf(&b, "%% \\usepackage{%s}\n%s", packages, begin)
	if environment == "tabular" {
		b.WriteString(head)
	}
	fmt.Fprintf(&b, "\\begin{%s}{", environment)
	var titles []string
	for _, f := range fields {
		side := byte('l')
		if f.Format.Right() {
			side = 'r'
		}
		b.WriteByte(side)
		titles = append(titles, escapeLaTeX(f.Title))
	}
	b.WriteString("}\n")
	if environment == "longtable" {
		b.WriteString(strings.TrimSuffix(head, "\n") + " \\\\\n")
	}
	fmt.Fprintf(&b, "\\toprule\n%s \\\\\n\\midrule\n", strings.Join(titles, " & "))
	if environment == "longtable" {
		b.WriteString("\\endhead\n")
	}
	for _, row := range rows {
		for k, cell := range row {
			if k > 0 {
				b.WriteString(" & ")
			}
			text := escapeLaTeX(cell)
			// The \\ that ends the row before would take a [ or * for its own.
			if k == 0 && text != "" && strings.ContainsRune("[*", rune(text[0])) {
				text = "{" + text[:1] + "}" + text[1:]
			}
			b.WriteString(text)
		}
		b.WriteString(" \\\\\n")
	}
	b.WriteString(end)
	_, err := b.WriteTo(w)
	return err
}

// latex are the characters that LaTeX takes for orders, and those that its usual fonts lack.
var latex = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "$", `\$`, "&", `\&`, "#", `\#`, "%", `\%`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", "$<$", ">", "$>$", "|", "$|$", "\n", " ",
	"±", `$\pm$`, "≤", `$\le$`, "≥", `$\ge$`, "−", "$-$", "×", `$\times$`, "°", `$^\circ$`, "²", "$^2$",
	"κ", `$\kappa$`, "ρ", `$\rho$`, "τ", `$\tau$`, "α", `$\alpha$`, "δ", `$\delta$`, "σ", `$\sigma$`,
	"★", `$\star$`, "☆", `$\star$`, "✓", `$\checkmark$`, "…", `\dots{}`,
)

func escapeLaTeX(text string) string { return latex.Replace(text) }
