package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// TestLabelsOfARuleInAFile: what is learned from them says that no person has given them.
func TestLabelsOfARuleInAFile(t *testing.T) {
	features, labels := filepath.Join(t.TempDir(), "f.csv"), filepath.Join(t.TempDir(), "l.csv")
	columns := feature.DefaultLayout().Names()
	for path, text := range map[string]string{
		features: "model_id,model_hash," + strings.Join(columns, ",") + "\nm," + strings.Repeat(",1", len(columns)) +
			"\n",
		labels: "round_id,model_id,model_hash,r,majority,final,by_rule\n01HZZZZZZZ0000000000000001,m," +
			strings.Repeat("0", 64) + ",variant,variant,,true\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a := asked{Source: features}
	a.Labels = labels
	testdata.Is(t, "source", testdata.Must(a.gather(nil))(t).Labels.Source, "file l.csv ("+label.ByRuleNote+")")
}
