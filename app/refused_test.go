package app_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/variscope/variscope/app"
	"github.com/variscope/variscope/internal/testdata"
)

// TestCommandsRefuse goes through testdata/refused.txt. What is wrong with the command line exits
// 2 and is one line, what is wrong with the data exits 1; nothing is printed beside that. $EI and
// $DSCORE are workspaces with made-up signals, $SCENES is the demo's folder, $BROKEN a model file
// that is none, $DIR an empty folder.
func TestCommandsRefuse(t *testing.T) {
	where := map[string]string{
		"EI": newEIBench(t).path, "DSCORE": newDScoreBench(t).path, "DIR": t.TempDir(),
		"SCENES": filepath.Join(testdata.Root(), "assets", "scenes"), "BROKEN": filepath.Join(t.TempDir(), "broken.onnx"),
	}
	if err := os.WriteFile(where["BROKEN"], []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join("testdata", "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		call, says, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		words := strings.Fields(os.Expand(call, func(name string) string { return where[name] }))
		want, err := strconv.Atoi(words[0])
		if err != nil || !ok {
			t.Fatalf("%q is not CODE COMMAND LINE | WHAT IS SAID", line)
		}
		var out, told bytes.Buffer
		code, lines := app.Run(words[1:], &out, &told), strings.Count(told.String(), "\n")
		if code != want || !strings.Contains(told.String(), says) || out.Len() > 0 || lines != 1 && want == 2 {
			t.Errorf("%s: exit code %d: %s%s", line, code, &out, &told)
		}
	}
}
