package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/variscope/variscope/store/durable"
)

// preferences are what the window remembers between starts, in preferences.json in the user's
// configuration folder. The file is written beside and renamed at every change, so that two
// programs, or one that is killed, never leave half a file. They are used on the main goroutine.
type preferences struct {
	path   string
	values map[string]any // strings and float64
}

// brokenSuffix is added to the name of a file of preferences that cannot be understood.
const brokenSuffix = ".broken"

// openPreferences reads the file. One that is not there, or that cannot be understood, counts as
// empty: preferences are a comfort and never keep the window from opening. The latter is put
// aside, because it may hold a choice of keys.
func openPreferences() (*preferences, error) {
	folder, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("find the folder for preferences: %w", err)
	}
	p := &preferences{path: filepath.Join(folder, "variscope", "preferences.json"), values: map[string]any{}}
	data, err := os.ReadFile(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &p.values)
	}
	if err != nil || p.values == nil {
		slog.Warn("preferences start anew; the file is put aside", "file", p.path+brokenSuffix, "error", err)
		_ = durable.Move(p.path, p.path+brokenSuffix)
		p.values = map[string]any{}
	}
	return p, nil
}

// StringWithFallback is the text under key.
func (p *preferences) StringWithFallback(key, fallback string) string {
	if text, ok := p.values[key].(string); ok {
		return text
	}
	return fallback
}

// FloatWithFallback is the number under key.
func (p *preferences) FloatWithFallback(key string, fallback float64) float64 {
	if number, ok := p.values[key].(float64); ok {
		return number
	}
	return fallback
}

// SetString remembers a text.
func (p *preferences) SetString(key, value string) { p.set(key, value) }

// SetFloat remembers a number.
func (p *preferences) SetFloat(key string, value float64) { p.set(key, value) }

func (p *preferences) set(key string, value any) {
	if p.values[key] == value {
		return
	}
	p.values[key] = value
	err := durable.WriteFile(p.path, func(w io.Writer) error { return json.NewEncoder(w).Encode(p.values) })
	if err != nil {
		slog.Warn("preferences are not kept", "error", err)
	}
}
