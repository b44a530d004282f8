package dialogs

import (
	"fmt"
	"os"
	"strings"

	"github.com/variscope/variscope/engine/comma"
)

// ReadClassTable reads a table of two columns, suite class and model class, with or without the
// header "suite,model". Errors name the file and the line.
func ReadClassTable(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("class table: %w", err)
	}
	defer file.Close()
	reader := comma.NewReader(file)
	reader.FieldsPerRecord = 2
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("class table %s: %w; write two columns, suite class and model class", path, err)
	}
	table := map[string]string{}
	for i, row := range rows {
		if i == 0 && strings.EqualFold(row[0], "suite") {
			continue
		}
		if _, twice := table[row[0]]; twice {
			return nil, fmt.Errorf("class table %s: suite class %q stands there twice (row %d); keep one", path, row[0], i+1)
		}
		table[row[0]] = row[1]
	}
	if len(table) == 0 {
		return nil, fmt.Errorf("class table %s is empty; write two columns, suite class and model class", path)
	}
	return table, nil
}
