package background

import (
	"bufio"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/outside"
)

// ReadLines reads a text file of one name per line; empty lines and those that begin with # are
// passed over.
func ReadLines(path string) ([]string, error) {
	file, err := outside.Open(path, outside.Names)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer file.Close()
	var lines []string
	in := bufio.NewScanner(file)
	for in.Scan() {
		text := in.Text()
		if len(lines) == 0 {
			text = strings.TrimPrefix(text, "\ufeff") // the byte order mark that some editors put in front
		}
		if !utf8.ValidString(text) {
			return nil, fmt.Errorf("read %s: line %d is not UTF-8; choose a text file with one name per line", path,
				len(lines)+1)
		}
		if line := strings.TrimSpace(text); line != "" && !strings.HasPrefix(line, "#") {
			lines = append(lines, line)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return lines, nil
}

// ReadNames is ReadLines for the names of a network's classes: a file without any is an error. No
// path has no names.
func ReadNames(path string) ([]string, error) {
	if path == "" {
		return nil, nil
	}
	names, err := ReadLines(path)
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s lists no names; it needs one per line", path)
	}
	return names, err
}

// ElementsOf are the names of the elements that a segmentation network tells apart: those given,
// or the class_names of its file. It reads the file and runs nothing. Errors name the file: it is
// no such network, or its names are not as many as its classes.
func ElementsOf(rt engine.Runtime, path string, given []string) ([]string, error) {
	return namesOf(rt, segmentation, path, given)
}

// ScenesOf is ElementsOf for a scene network.
func ScenesOf(rt engine.Runtime, path string, given []string) ([]string, error) {
	return namesOf(rt, sceneNetwork, path, given)
}

func namesOf(rt engine.Runtime, r role, path string, given []string) ([]string, error) {
	n, graph, err := readNetwork(rt, r, path)
	if err != nil {
		return nil, err
	}
	own, err := n.settings(graph)
	if err != nil {
		return nil, err
	}
	if err := n.nameClasses(given, own.ClassNames, graph.Outputs[0].Classes); err != nil {
		return nil, err
	}
	return n.classes, nil
}
