package clouds

import (
	"encoding/json"
	"testing"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/internal/testdata"
	scenes "github.com/variscope/variscope/store/background"
)

// TestSettingsAreRepaired: what was stored before the settings were options is read, and what
// cannot be has its default.
func TestSettingsAreRepaired(t *testing.T) {
	usual := usual()
	read := func(text string) Settings {
		t.Helper()
		s := usual
		testdata.OK(t, json.Unmarshal([]byte(text), &s))
		return s.valid()
	}
	if usual.free() != (scatter.Interpolant{Size: 24, Sigma: 4, K: 32}) || usual.Raster != 64 || usual.Share != 100 ||
		usual.Seed != 1 ||
		usual.Mode != One || usual.measure() != scenes.ConfMax || usual.Points != Density || usual.Map != "green" {
		t.Errorf("%+v", usual)
	}
	spoiled := read(`{"mode":"x","measure":"x","points":"x","second":"m","free":{"Size":-1,"Sigma":4,"K":32},"raster":3,"share":101,"range":{"low":1,"high":1},"map":"diverging"}`)
	if spoiled != usual {
		t.Errorf("%+v", spoiled)
	}
	stored := read(`{"mode":"two","model":"a","second":"b","measure":"max@HEAD","points":"density","free":{"Size":7,"Sigma":2,"K":0},` +
		`"raster":32,"share":50,"seed":3,"range":{"low":0.1,"high":2},"map":"cividis"}`)
	want := usual
	want.Mode, want.Model, want.Second, want.Measure, want.Raster, want.Share, want.Seed = Two, "a", "b", "max@HEAD",
		32, 50, 3
	want.Kernel, want.Range, want.Map = background.Kernel{Size: 7, Sigma: 2}, label.Range{Low: 0.1, High: 2}, "cividis"
	if stored != want {
		t.Errorf("%+v, want %+v", stored, want)
	}
}
