package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// draftOf is the hidden folder beside a workspace's place in which it is put together, .NAME-COMPUTER-PROCESS.part. Only
// the process that is named there touches it while it lives.
func draftOf(path string) string {
	name := draftPrefix(path) + strconv.Itoa(os.Getpid()) + partSuffix
	return filepath.Join(filepath.Dir(path), name)
}

// draftPrefix is what the drafts of this computer for one workspace begin with. The folder may lie on a disk that several
// computers share; a host's name is hashed because it may have any character in it.
func draftPrefix(path string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	sum := sha256.Sum256([]byte(host))
	return fmt.Sprintf(".%s-%s-", nameOf(path), hex.EncodeToString(sum[:4]))
}

// sweepDrafts removes what processes of this computer that were killed in the middle of creating, copying or moving a
// workspace have left beside its place. What cannot be removed does no harm.
func sweepDrafts(path string) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return
	}
	prefix := draftPrefix(path)
	for _, e := range entries {
		if process := drafter(e.Name(), prefix); e.IsDir() && process > 0 && process != os.Getpid() && !isAlive(process) {
			_ = os.RemoveAll(filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
}

// drafter is the process that a draft's name tells, 0 for other names.
func drafter(name, prefix string) int {
	rest, begins := strings.CutPrefix(name, prefix)
	number, ends := strings.CutSuffix(rest, partSuffix)
	process, err := strconv.Atoi(number)
	if !begins || !ends || err != nil || process < 0 {
		return 0
	}
	return process
}
