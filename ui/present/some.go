package present

import (
	"fmt"
	"strings"
)

// Some lists names, of many the first: "m1, m2, m3, m4, m5 and 7 more".
func Some(names []string) string {
	const few = 5
	if n := len(names); n > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), n-few)
	}
	return strings.Join(names, ", ")
}
