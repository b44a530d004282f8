package cluster

import (
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestThePortOfLastTime: it is taken again; where somebody else has it, another one is taken and
// told of, but none in place of one that was asked for.
func TestThePortOfLastTime(t *testing.T) {
	dir := t.TempDir()
	serve := func(address string) (*Coordinator, error) {
		return Serve(t.Context(), dir, address, Options{Self: self(), Pace: quick, Log: logTo(t, "coordinator")})
	}
	open := func() (port string, moved bool) {
		c := testdata.Must(serve("127.0.0.1:0"))(t)
		line, err := ParseJoin(c.Join()[0])
		_, port, split := net.SplitHostPort(line.Host)
		c.Close()
		must(t, errors.Join(err, split))
		return port, c.Moved()
	}
	first, moved := open()
	if again, movedAgain := open(); again != first || moved || movedAgain {
		t.Errorf("port %s, then %s; moved %t, %t", first, again, moved, movedAgain)
	}
	somebody := testdata.Must(net.Listen("tcp", "127.0.0.1:"+first))(t)
	c, err := serve("127.0.0.1:" + first)
	if err == nil || !strings.Contains(err.Error(), "listen on 127.0.0.1:"+first) {
		t.Errorf("a port that was asked for: %v", err)
	}
	if err == nil {
		c.Close()
	}
	if other, moved := open(); other == first || !moved {
		t.Errorf("port %s, moved %t", other, moved)
	}
	must(t, somebody.Close())
}

func TestWhatIsShownOfAnAddress(t *testing.T) {
	for address, want := range map[string]string{
		"tls://user:secret@nats.example:4222": "...@nats.example:4222",
		"tls://user:secret":                   "tls://...",
		"user:secret":                         "...",
		"http://nats.example":                 "http://nats.example",
		"a@b@host":                            "...@host",
		"nats":                                "nats",
	} {
		testdata.Is(t, address, hidePassword(address), want)
	}
}
