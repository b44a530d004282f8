package ui

import (
	"strings"
	"sync"

	"fyne.io/fyne/v2/lang"

	"github.com/variscope/variscope/ui/words"
)

// loadTranslations hands the texts to Fyne, once.
var loadTranslations = sync.OnceValue(func() error { return lang.AddTranslationsFS(words.Translations, "translations") })

// languages are those that there is a translation into, beside English, which is in the code.
var languages = func() map[string]bool {
	list := map[string]bool{}
	files, _ := words.Translations.ReadDir("translations") // the folder is embedded
	for _, file := range files {
		language, _, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".json"), "-")
		list[language] = language != "en"
	}
	return list
}()

// speak chooses the language of the window: that of the desktop where there is a translation into it, else English. Fyne
// is not asked for English: it knows some of the words in the desktop's language, and half a translation reads badly.
func speak() error {
	words.Use(nil)
	wanted, _, _ := strings.Cut(lang.SystemLocale().LanguageString(), "-")
	if !languages[wanted] {
		return nil
	}
	if err := loadTranslations(); err != nil {
		return words.E("read the translations: %w", err)
	}
	words.Use(throughFyne())
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
