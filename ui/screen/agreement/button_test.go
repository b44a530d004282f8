package agreement

import (
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/words"
)

func TestAButtonKeepsTheKeyOfItsLabel(t *testing.T) {
	words.Use(&words.Language{
		Text:  func(key string) string { return map[string]string{"variant": "étalé"}[key] },
		Count: func(key string, _ int) string { return key },
	})
	defer words.Use(nil)
	if got := valueButton(label.Variant); got != "Étalé (V)" {
		t.Error(got)
	}
}
