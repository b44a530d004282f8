package present

import (
	"fmt"

	"github.com/variscope/variscope/engine/corrupt"
)

// Corruption is the name of a corruption, or of another kind of change (derive.Change), for people.
func Corruption(name string) string {
	var n, again, t int
	if k, err := fmt.Sscanf(name, "shifted %dx%d t%d", &n, &again, &t); err == nil && k == 3 {
		return fmt.Sprintf("shifted %d × %d, t = %d", n, n, t)
	}
	return corrupt.Title(name)
}
