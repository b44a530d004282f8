// Licences writes docs/licences.md: the licence of every module that the program is built from,
// with the texts of the module cache. Run it after go.mod changed: go run ./internal/licences >
// docs/licences.md
package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// systems are those whose packages are looked at, since the modules differ between them.
var systems = []string{"linux", "windows", "darwin"}

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// write writes the licences of the modules that are linked on any of the systems, and of those that
// go.mod names directly.
func write(out io.Writer) error {
	head, err := os.ReadFile(filepath.Join("internal", "licences", "head.md"))
	if err != nil {
		return err
	}
	const form = "{{.Path}} {{.Version}}\t{{.Dir}}"
	folders := map[string]string{} // of modules by path and version
	list := func(system string, arguments ...string) error {
		command := exec.Command("go", append([]string{"list", "-e"}, arguments...)...)
		command.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=1")
		command.Stderr = os.Stderr
		text, err := command.Output()
		for line := range strings.Lines(string(text)) {
			if module, folder, _ := strings.Cut(strings.TrimSpace(line), "\t"); folder != "" {
				folders[module] = folder
			}
		}
		return err
	}
	for _, system := range systems {
		err := list(system, "-deps", "-f", "{{with .Module}}{{if not .Main}}"+form+"{{end}}{{end}}", ".")
		if err != nil {
			return err
		}
	}
	if err := list(systems[0], "-m", "-f", "{{if not (or .Main .Indirect)}}"+form+"{{end}}", "all"); err != nil {
		return err
	}
	if _, err := out.Write(head); err != nil {
		return err
	}
	for _, module := range slices.Sorted(maps.Keys(folders)) {
		text, err := licence(folders[module])
		if err != nil {
			return fmt.Errorf("%s: %w", module, err)
		}
		if _, err := fmt.Fprintf(out, "\n## %s\n\n```\n%s\n```\n", module, text); err != nil {
			return err
		}
	}
	return nil
}

// licence is the text of the files in a module's folder that hold its licence, notices and patents.
func licence(folder string) (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		if entry.IsDir() || strings.HasSuffix(name, ".GO") {
			continue
		}
		for _, word := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"} {
			if strings.HasPrefix(name, word) || strings.HasSuffix(name, "."+word) {
				text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
				if err != nil {
					return "", err
				}
				texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
				break
			}
		}
	}
	if len(texts) == 0 {
		return "", errors.New("has no file LICENSE")
	}
	return strings.Join(texts, "\n\n"), nil
}
