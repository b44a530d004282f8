package background

import (
	"fmt"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/outside"
)

// ReadTable reads a keyword table from a file.
func ReadTable(path string) (background.Table, error) {
	file, err := outside.Open(path, outside.LargeTable)
	if err != nil {
		return background.Table{}, err
	}
	defer file.Close()
	table, err := background.ReadTable(file)
	if err != nil {
		return table, fmt.Errorf("keyword table %s: %w", path, err)
	}
	return table, nil
}
