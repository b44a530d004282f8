package present

import "cmp"

// Reason is why a model takes no part, as people read it. Reasons of rankings name images and true
// classes; every other one is shown as it is.
func Reason(text string) string { return cmp.Or(rankReason(text), text) }
