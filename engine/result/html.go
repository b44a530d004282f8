package result

import (
	"html/template"
	"strings"
)

// tableHTML is the template of a table. Values go through it alone, and are escaped for their
// places.
var tableHTML = template.Must(template.New("table").Parse(`<table>
<thead><tr>{{range .Heads}}<th scope="col"{{with .Class}} class="{{.}}"{{end}}{{with .Note}} title="{{.}}"{{end}}>{{.Text}}</th>{{end}}</tr></thead>
<tbody>
{{- range .Rows}}
<tr>{{range .}}<td{{with .Class}} class="{{.}}"{{end}}{{with .Note}} title="{{.}}"{{end}}>{{.Text}}</td>{{end}}</tr>
{{- end}}
</tbody>
</table>
`))

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
	tableHTML.Execute(&b, content) // a Builder and plain values do not fail
	return template.HTML(b.String())
}

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
