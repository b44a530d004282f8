package docs

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var direct = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)$`) // an indirect one has a remark behind it

// linked are the modules that the program is linked from, as direct finds them.
func linked(t *testing.T) (modules [][]string) {
	t.Helper()
	list := exec.Command("go", "list", "-deps", "-f",
		"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}", "..")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	seen := map[string]bool{}
	for i := 0; i+1 < len(lines); i += 2 {
		if !seen[lines[i]] {
			seen[lines[i]] = true
			modules = append(modules, []string{"", lines[i], lines[i+1]})
		}
	}
	return modules
}

func TestEveryModuleHasItsLicence(t *testing.T) {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	modules := direct.FindAllStringSubmatch(string(text), -1)
	if len(modules) < 10 {
		t.Fatalf("go.mod names only %d modules", len(modules))
	}
	modules = append(modules, linked(t)...)
	for _, m := range modules {
		_, licence, ok := strings.Cut(Licences, "\n## "+m[1]+" "+m[2]+"\n")
		if !ok {
			t.Errorf("%s %s is not in licences.md: go run ./internal/licences > docs/licences.md", m[1], m[2])
			continue
		}
		licence, _, _ = strings.Cut(licence, "\n## ")
		if len(licence) < 300 {
			t.Errorf("the licence of %s is only %q", m[1], licence)
		}
	}
}

func TestTheLibraryAndTheProgramHaveTheirLicence(t *testing.T) {
	for _, want := range []string{
		"Variscope itself: Apache-2.0", "## ONNX Runtime",
		"Copyright (c) Microsoft Corporation",
	} {
		if !strings.Contains(Licences, want) {
			t.Errorf("licences.md does not say %q", want)
		}
	}
	if !strings.Contains(Guide, "# User guide") {
		t.Error("the guide is empty")
	}
}
