package cluster

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

const someHash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

func TestParseJoin(t *testing.T) {
	for _, text := range []string{
		"variscope://token@10.0.0.1:4000/space1?cert=" + someHash, "tls://user:secret@example.org:4222/s",
		" variscope://t@[fe80::1]:1/s?cert=" + someHash + "\n", "tls://token@example.org:4222/s",
		"nats://127.0.0.1:4222/s", "nats://localhost:4222/s", "nats://[::1]:4222/s",
	} {
		testdata.Is(t, text, testdata.Must(ParseJoin(text))(t).String(), strings.TrimSpace(text))
	}
	for text, want := range map[string]string{
		"":                             "begins with",
		"http://token@10.0.0.1:4000/s": "begins with",
		"variscope://10.0.0.1:4000/s?cert=" + someHash:         "cut off",
		"variscope://token@10.0.0.1:4000/s":                    "cut off",
		"variscope://token@10.0.0.1:4000/s?cert=0011":          "cut off",
		"variscope://token@10.0.0.1/s?cert=" + someHash:        "HOST:PORT",
		"variscope://token@10.0.0.1:4000/?cert=" + someHash:    "space",
		"variscope://token@10.0.0.1:4000/a.b?cert=" + someHash: "space",
		"variscope://token@10.0.0.1:4000/S>?cert=" + someHash:  "space",
		"tls://u:p@10.0.0.1:4000/s?cert=" + someHash:           "goes with variscope://",
		"nats://u:secret@10.0.0.1:4222/s":                      "not encrypted",
		"tls://10.0.0.1:4222/s":                                "needs a token",
		"variscope://%zz@10.0.0.1:4000/s":                      "cannot be read",
	} {
		_, err := ParseJoin(text)
		testdata.Refused(t, text, err, want)
		if strings.Contains(fmt.Sprint(err), "secret") {
			t.Errorf("the error tells the password: %v", err)
		}
	}
}

func FuzzParseJoin(f *testing.F) {
	f.Add("variscope://token@10.0.0.1:4000/space1?cert=" + someHash)
	f.Add("nats://127.0.0.1:4222/s")
	f.Fuzz(func(t *testing.T, text string) {
		j, err := ParseJoin(text)
		if err != nil {
			return
		}
		again, err := ParseJoin(j.String())
		if err != nil || again.String() != j.String() {
			t.Errorf("%q becomes %q: %v", text, j.String(), err)
		}
		if j.Scheme != schemeOwn && !isLoopback(j.Host) && (j.Scheme != schemeTLS || j.token() == "") {
			t.Errorf("%q is taken for safe", text)
		}
	})
}

// TestWhoIsRefused: each has a sentence, at once, and changes nothing.
func TestWhoIsRefused(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	c := d.served()
	line := c.Join()[0]
	for want, change := range map[string]func(j *Join, o *WorkOptions){
		"does not know this token": func(j *Join, _ *WorkOptions) { j.User = url.User("0000") },
		"another certificate":      func(j *Join, _ *WorkOptions) { j.Cert = someHash },
		"1000000000 cores":         func(_ *Join, o *WorkOptions) { o.Self.Cores = 1e9 },
		"makes no sense":           func(_ *Join, o *WorkOptions) { o.Self.Name = "a\x1b[2Jb" },
		"--mixed":                  func(_ *Join, o *WorkOptions) { o.Self.Level = "avx1024" }, // more in TestRefusal
	} {
		t.Run(want, func(t *testing.T) {
			j := testdata.Must(ParseJoin(line))(t)
			change(&j, &WorkOptions{})
			err := hire(t, j.String(), func(o *WorkOptions) { change(&Join{}, o) }).gone()
			testdata.ErrorIs(t, want, err, errRefused)
			testdata.Refused(t, want, err, want)
		})
	}
}

// TestOtherProcessors may join where that is allowed, and get no units of runs that need the same
// bits.
func TestOtherProcessors(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 20), "a", engine.NoWorkers)
	c, err := Serve(t.Context(), t.TempDir(), "127.0.0.1:0",
		Options{Self: self(), Mixed: true, Pace: quick, Log: logTo(t, "coordinator")})
	must(d, err)
	detach := d.eng.Attach(c)
	t.Cleanup(func() { detach(); c.Close() })
	other := hire(t, c.Join()[0], func(o *WorkOptions) { o.Self.Level = "avx1024" })
	until(t, "the other processor is let in", func() bool { return len(c.Workers()) == 1 && c.Workers()[0].Mixed })
	id := d.start()
	time.Sleep(3 * quick.Beat) // it asks all the while
	if s := d.eng.Snapshot()[0]; s.Done != 0 || other.rt.Batches.Load() != 0 {
		t.Errorf("%+v", s)
	}
	hire(t, c.Join()[0], nil)
	if s := d.wait(id); s.Phase != engine.Done || other.rt.Batches.Load() != 0 {
		t.Errorf("%+v", s)
	}
}

// TestWhoAnswersOtherwise is given up with a sentence without words of the library: somebody who
// says nothing, who hangs up, another line of a server, and plain text to one that speaks TLS.
func TestWhoAnswersOtherwise(t *testing.T) {
	own := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers).served()
	plain := foreign(t)
	answering := func(answer func(net.Conn)) string {
		listen, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		t.Cleanup(func() { _ = listen.Close() })
		go func() {
			for {
				conn, err := listen.Accept()
				if err != nil {
					return
				}
				answer(conn)
			}
		}()
		return listen.Addr().String()
	}
	hangsUp := answering(func(c net.Conn) { _ = c.Close() })
	web := answering(func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.0 400 Bad Request\r\n\r\n"); _ = c.Close() })
	for name, tt := range map[string]struct{ line, want string }{
		"another space":     {"nats://" + plain + "/elsewhere", "has no coordinator of this line"},
		"plain to TLS":      {"nats://" + host(t, own.Join()[0]) + "/" + string(own.names), "copy the join line anew"},
		"TLS to plain":      {"variscope://t@" + plain + "/s?cert=" + someHash, "does not speak TLS"},
		"tls to plain":      {"tls://t@" + plain + "/s", "does not speak TLS"},
		"tls to ours":       {"tls://t@" + host(t, own.Join()[0]) + "/s", "copy the join line anew"},
		"who hangs up":      {"variscope://t@" + hangsUp + "/s?cert=" + someHash, "copy the join line anew"},
		"hangs up on plain": {"nats://" + hangsUp + "/s", "copy the join line anew"},
		"a web server":      {"nats://" + web + "/s", "copy the join line anew"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := hire(t, tt.line, nil).gone()
			testdata.ErrorIs(t, name, err, errRefused)
			testdata.Refused(t, name, err, tt.want)
			if strings.Contains(fmt.Sprint(err), "nats:") {
				t.Errorf("words of the library: %v", err)
			}
		})
	}
}

// TestPlainTextIsNotAnswered: somebody who does not speak TLS learns nothing.
func TestPlainTextIsNotAnswered(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	c := d.served()
	conn, err := net.Dial("tcp", host(t, c.Join()[0]))
	must(d, err)
	defer func() { _ = conn.Close() }()
	must(d, conn.SetDeadline(time.Now().Add(20*time.Second)))
	_, err = conn.Write([]byte("CONNECT {\"verbose\":true,\"user\":\"worker\",\"pass\":\"x\"}\r\nPING\r\n"))
	must(d, err)
	text, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil || strings.Contains(text, "INFO") || strings.Contains(text, "PONG") {
		t.Errorf("%q, %v", text, err)
	}
	j := testdata.Must(ParseJoin(c.Join()[0]))(d)
	if nc, err := nats.Connect("nats://"+j.Host, nats.UserInfo(identityOf("x").secret, j.token()),
		nats.Timeout(3*time.Second)); err == nil {
		nc.Close()
		t.Error("a connection without TLS")
	}
}

// TestTamperedFile: what does not have the content that its name promises is neither kept nor
// used; the unit fails with that reason.
func TestTamperedFile(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	c := d.served()
	models := testdata.Must(d.ws.Models())(d)
	path := d.ws.ModelPath(models[0].Hash)
	must(d, os.Chmod(path, 0o600))
	must(d, os.WriteFile(path, []byte("modal a"), 0o600))
	id := d.start()
	cache := t.TempDir()
	hire(t, c.Join()[0], func(o *WorkOptions) { o.Cache = cache })
	s := d.wait(id)
	if s.Phase != engine.Failed || !strings.Contains(s.Tasks[0].Err.Error(), errTampered.Error()) {
		t.Errorf("%+v", s)
	}
	testdata.Refused(t, "the tampered model is kept", testdata.Err(os.Stat(filepath.Join(cache, models[0].Hash))))
}

// TestSecretsArePrivate, and a file that was damaged is an error that says what to do.
func TestSecretsArePrivate(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	queue := d.ws.QueueFolder()
	c, detach := d.serve(queue)
	first := c.Join()[0]
	detach()
	c.Close()
	for path, want := range map[string]os.FileMode{queue: 0o700, filepath.Join(queue, secretsName): 0o600} {
		info := testdata.Must(os.Stat(path))(d)
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
	}
	must(d, os.WriteFile(filepath.Join(queue, secretsName), []byte(`{"space":"x"}`), 0o600))
	testdata.Refused(t, "Serve", testdata.Err(Serve(t.Context(), queue, "127.0.0.1:0", Options{Self: self()})),
		"remove it")
	must(d, os.Remove(filepath.Join(queue, secretsName)))
	again, detach := d.serve(queue)
	detach()
	again.Close()
	if again.Join()[0] == first {
		t.Error("the same secrets")
	}
}

func TestAddresses(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	for _, address := range []string{"nonsense", "127.0.0.1:port", "127.0.0.1:99999"} {
		if c, err := Serve(t.Context(), t.TempDir(), address, Options{Self: self()}); err == nil {
			c.Close()
			t.Errorf("%s is taken", address)
		}
	}
	for _, address := range []string{"", "http://127.0.0.1:1", "nats://u:secret@10.0.0.1:1", "tls://10.0.0.1:1"} {
		_, err := Dial(t.Context(), t.TempDir(), address, Options{Self: self()})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	taken := testdata.Must(net.Listen("tcp", "127.0.0.1:0"))(d)
	defer func() { _ = taken.Close() }()
	if c, err := Serve(t.Context(), t.TempDir(), taken.Addr().String(), Options{Self: self()}); err == nil ||
		!strings.Contains(err.Error(), "choose another") {
		t.Errorf("%v, %v", c, err)
	}
	list, isNone := Addresses(), func(a string) bool { return net.ParseIP(a) == nil }
	if len(list) == 0 || list[len(list)-1] != "127.0.0.1" || slices.ContainsFunc(list, isNone) {
		t.Errorf("%q", list)
	}
}

// TestPull: what is longer, shorter or gone is no file, and who says nothing holds nothing up.
func TestPull(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	c := d.served()
	whole := bytes.Repeat([]byte("0123456789"), 3*maxMessage/40)
	sub, err := c.nc.Subscribe("x", func(msg *nats.Msg) {
		var ask wanted
		must(d, strictly(msg.Data, maxNotice, &ask))
		must(d, msg.Respond(c.cut(bytes.NewReader(whole), int64(len(whole)), ask.Offset)))
	})
	must(d, err)
	defer func() { must(d, sub.Unsubscribe()) }()
	for name, tt := range map[string]struct {
		more int64
		want error
	}{"whole": {0, nil}, "shorter": {1, errMissing}, "longer": {-1, errOversized}} {
		var data bytes.Buffer
		take := func(piece []byte) error {
			data.Write(piece)
			return nil
		}
		if err := c.pull(t.Context(), "x", "", int64(len(whole))+tt.more, take); !errors.Is(err, tt.want) ||
			err == nil && !bytes.Equal(data.Bytes(), whole) {
			t.Errorf("%s: %v", name, err)
		}
	}
	testdata.ErrorIs(t, "pull", c.pull(t.Context(), "nobody", "", 1, nil), errSilent)
	for _, offset := range []int64{-1, int64(len(whole)), 1 << 62} {
		if c.cut(bytes.NewReader(whole), int64(len(whole)), offset) != nil {
			t.Errorf("something lies at %d", offset)
		}
	}
}
