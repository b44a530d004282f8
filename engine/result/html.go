package result

import (
	"html/template"
	"io"
	"strings"
)

// pages are the templates of HTML. Values go through them alone, and are escaped for their places.
var pages = template.Must(template.New("table").Parse(`<table>
<thead><tr>{{range .Heads}}<th scope="col"{{with .Class}} class="{{.}}"{{end}}{{with .Note}} title="{{.}}"{{end}}>{{.Text}}</th>{{end}}</tr></thead>
<tbody>
{{- range .Rows}}
<tr>{{range .}}<td{{with .Class}} class="{{.}}"{{end}}{{with .Note}} title="{{.}}"{{end}}>{{.Text}}</td>{{end}}</tr>
{{- end}}
</tbody>
</table>
{{define "page"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{{.Schema}}</title>
<style>
body { font: 15px/1.5 system-ui, Arial, sans-serif; margin: 2rem; color-scheme: light dark; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .9rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #8884; }
.number { text-align: right; }
.id { font-family: ui-monospace, monospace; font-size: .86em; }
</style>
</head>
<body>
{{- range .Sheets}}
<h2>{{.Title}}</h2>
{{.Table}}
{{- end}}
</body>
</html>
{{end}}`))

// cell is a cell of a page: its text, how it is set, and what a pointer over it is told.
type cell struct{ Text, Class, Note string }

// Table is the sheet as a table of a page: the columns that people see, numbers to the right (class
// number), IDs whole (class id), for each missing value None with its reason as its title.
func (s *Sheet) Table() template.HTML {
	var content struct {
		Heads []cell
		Rows  [][]cell
	}
	fields, rows := s.Cells()
	for _, f := range fields {
		content.Heads = append(content.Heads, cell{f.Title, f.class(), f.Help})
	}
	for row, texts := range rows {
		cells := make([]cell, len(fields))
		for k, f := range fields {
			cells[k] = cell{texts[k], f.class(), f.Why(row).Text}
		}
		content.Rows = append(content.Rows, cells)
	}
	var b strings.Builder
	pages.Execute(&b, content) // a Builder and plain values do not fail
	return template.HTML(b.String())
}

// HTML writes the document as a page that needs no other file: its sheets below their titles.
func (d Document) HTML(w io.Writer) error { return pages.ExecuteTemplate(w, "page", d) }

// shown are the columns that people see.
func (s *Sheet) shown() (fields []*Field) {
	for k := range s.Fields {
		if s.Fields[k].Show == Shown {
			fields = append(fields, &s.Fields[k])
		}
	}
	return fields
}

func (f *Field) class() string {
	switch {
	case f.Format.Right():
		return "number"
	case f.Format == ID:
		return "id"
	}
	return ""
}

// Cells are the columns that people see and the cells of all rows for a page, which has room for
// whole IDs.
func (s *Sheet) Cells() (fields []*Field, rows [][]string) {
	fields = s.shown()
	for row := range s.ids {
		cells := make([]string, len(fields))
		for k, f := range fields {
			if cells[k] = f.Say(row); f.Format == ID && !f.Missing(row) {
				cells[k] = f.said[row]
			}
		}
		rows = append(rows, cells)
	}
	return fields, rows
}
