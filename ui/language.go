package ui

import (
	"fmt"
	"strings"
	"sync"

	"fyne.io/fyne/v2/lang"

	"github.com/variscope/variscope/ui/words"
)

// loadTranslations hands the texts to Fyne, once.
var loadTranslations = sync.OnceValue(func() error { return lang.AddTranslationsFS(words.Translations, "translations") })

// speak chooses the language of the window: that of the desktop where there is a translation into it, else English. Fyne
// is not asked for English: it knows some of the words in the desktop's language, and half a translation reads badly.
func speak() error {
	files, err := words.Translations.ReadDir("translations")
	if err != nil {
		return fmt.Errorf("list the translations: %w", err)
	}
	wanted, _, _ := strings.Cut(lang.SystemLocale().LanguageString(), "-")
	words.Use(nil)
	if wanted == "en" {
		return nil
	}
	for _, file := range files {
		name, _, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".json"), "-")
		if name != wanted {
			continue
		}
		if err := loadTranslations(); err != nil {
			return fmt.Errorf("read the translations: %w", err)
		}
		words.Use(throughFyne())
		return nil
	}
	return nil
}

// throughFyne looks texts up with Fyne and keeps what it was told, since lists ask for the same text again and again.
func throughFyne() *words.Language {
	var known sync.Map
	return &words.Language{
		Text: func(key string) string {
			if text, ok := known.Load(key); ok {
				return text.(string)
			}
			text := lang.X(words.Name(key), key)
			known.Store(key, text)
			return text
		},
		Count: func(key string, n int) string { return lang.XN(words.Name(key), key, n) },
	}
}
