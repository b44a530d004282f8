package dialogs

import (
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/signal"
)

// parseModalities reads modalities separated by commas, semicolons or blanks and returns their
// canonical texts, each once, in order.
func parseModalities(text string) ([]string, error) {
	var names []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",; \n\t", r) }) {
		m, err := signal.ParseModality(part)
		if err != nil {
			return nil, err
		}
		if name := m.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// defaultModalities are the names of the five matrices in their order.
func defaultModalities() []string {
	var names []string
	for _, m := range signal.DefaultModalities() {
		names = append(names, m.String())
	}
	return names
}
