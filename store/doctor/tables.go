package doctor

import (
	"strconv"

	"github.com/variscope/variscope/engine/result"
)

// RepairTable is the table of examinations, with what a repair kept; it has one row.
var RepairTable = result.Table[Repaired]{
	Name: "workspace", Title: "Workspace", Noun: "workspace", ID: func(r Repaired) string { return r.After.Path },
	Columns: []result.Column[Repaired]{
		result.Texts("workspace", "workspace", "folder of the workspace",
			func(r Repaired) string { return r.After.Path }),
		result.Bools("healthy", "healthy", "there are no problems; litter does no harm",
			func(r Repaired) bool { return len(r.After.Problems()) == 0 }),
		result.Texts("backup", "backup", "where a repair kept the database as it was",
			func(r Repaired) string { return r.Backup }),
		result.Texts("set_aside", "set aside", "folder with what a repair took out",
			func(r Repaired) string { return r.Aside }),
	},
}

// CheckedTable is the table of what an examination looked at.
var CheckedTable = result.Table[Checked]{
	Name: "checked", Title: "Checked", Noun: "kind", ID: func(c Checked) string { return c.What },
	Columns: []result.Column[Checked]{
		result.Texts("checked", "checked", "kind of thing that was looked at",
			func(c Checked) string { return c.What }),
		result.Counts("count", "count", "how many there are", func(c Checked) int { return c.Count }),
		result.Counts("found", "found", "problems and litter among them", func(c Checked) int { return c.Found }),
	},
}

// FindingSheet is the sheet of findings under a name, such as problems.
func FindingSheet(name, title string, list []Finding) *result.Sheet {
	type finding struct {
		Finding
		number int
	}
	text := func(key, help string, of func(Finding) string) result.Column[finding] {
		return result.Texts(key, key, help, func(f finding) string { return of(f.Finding) })
	}
	rows := make([]finding, len(list))
	for k, f := range list {
		rows[k] = finding{f, k}
	}
	return result.Table[finding]{
		Name: name, Title: title, Noun: "finding", ID: func(f finding) string { return strconv.Itoa(f.number) },
		Columns: []result.Column[finding]{
			text("kind", "for programs, such as signal-file", func(f Finding) string { return f.Kind }),
			text("where", "a file inside the workspace, or a record", func(f Finding) string { return f.Where }),
			text("what", "what is wrong", func(f Finding) string { return f.What }),
			text("means", "what follows from it", func(f Finding) string { return f.Means }),
			text("remedy", "what can be done", func(f Finding) string { return f.Remedy }),
			result.Bools("repairable", "repairable", "a repair mends it", func(f finding) bool { return f.Repairable }),
		},
	}.Sheet(rows)
}
