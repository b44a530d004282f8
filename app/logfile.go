package app

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
)

// largestLog is the size in bytes at which the log file starts anew; the one before is kept as
// variscope.log.1.
const largestLog = 4 << 20

// logFile is the window's log on disk. It never fails: a program that cannot write its log works
// all the same. It is safe for many goroutines.
type logFile struct {
	path string

	mu   sync.Mutex
	file *os.File
	size int64
}

// openLog opens variscope.log in the user's folder for such files, to be written on.
func openLog() (*logFile, error) {
	folder, err := stateDir()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	l := &logFile{path: filepath.Join(folder, "variscope.log")}
	return l, l.open()
}

// stateDir is where the log lies: XDG_STATE_HOME/variscope or its usual place, or the user's cache
// folder where there is no such convention.
func stateDir() (string, error) {
	if base := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(base) {
		return filepath.Join(base, "variscope"), nil
	}
	if home, err := os.UserHomeDir(); err == nil && runtime.GOOS == "linux" {
		return filepath.Join(home, ".local", "state", "variscope"), nil
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a folder for the log: %w", err)
	}
	return filepath.Join(base, "variscope"), nil
}

func (l *logFile) open() error {
	file, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size = file, info.Size()
	return nil
}

// Write adds a line and starts a new file when this one is full.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil && l.size+int64(len(line)) > largestLog {
		l.turn()
	}
	if l.file != nil {
		n, _ := l.file.Write(line)
		l.size += int64(n)
	}
	return len(line), nil
}

func (l *logFile) turn() {
	_ = l.file.Close()
	l.file = nil
	if os.Rename(l.path, l.path+".1") != nil || l.open() != nil {
		return // without a log
	}
}

// Close ends the log.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// tail is the last n lines, across the turn of the file.
func (l *logFile) tail(n int) []string {
	var lines []string
	for _, path := range []string{l.path + ".1", l.path} {
		lines = append(lines, lastLines(path, n)...)
	}
	return lines[max(0, len(lines)-n):]
}

func lastLines(path string, n int) []string {
	file, err := os.Open(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return []string{err.Error()}
		}
		return nil
	}
	defer file.Close()
	var lines []string
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 2*largestLog) // a line with a stack in it is longer than what a scanner takes by itself
	for scan.Scan() {
		lines = append(lines, scan.Text())
		if len(lines) > 2*n {
			lines = append(lines[:0], lines[n:]...)
		}
	}
	return lines[max(0, len(lines)-n):]
}
