package command

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// confirm asks on a terminal whether to go on, and is false for every answer but yes or y, where
// nobody can be asked, and when the command is cancelled.
func (s *Session) confirm(question string) bool {
	info, err := os.Stdin.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || s.held != nil {
		return false
	}
	s.clear()
	fmt.Fprintf(s.stderr, "%s (yes or no) ", question)
	answer := make(chan string, 1)
	go func() { // a terminal cannot be read with a bound; after a cancel the program ends, and this with it
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-s.ctx.Done():
		return false
	case said := <-answer:
		return said == "yes" || said == "y"
	}
}
