package report

import (
	"strings"
	"time"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

func numbers(list []float64) string {
	texts := make([]string, len(list))
	for k, v := range list {
		texts[k] = result.Number.Write(v)
	}
	return strings.Join(texts, ", ")
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// valueOrNone is a label, or a dash where there is none.
func valueOrNone(v label.Value) string {
	if v == "" {
		return result.None
	}
	return string(v)
}
