package cluster

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine"
)

const someHash = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

func TestParseJoin(t *testing.T) {
	for text, want := range map[string]string{
		"variscope://token@10.0.0.1:4000/space1?cert=" + someHash: "",
		" variscope://t@[fe80::1]:1/s?cert=" + someHash + "\n":    "",
		"tls://user:secret@example.org:4222/s":                    "",
		"tls://token@example.org:4222/s":                          "",
		"nats://127.0.0.1:4222/s":                                 "",
		"nats://localhost:4222/s":                                 "",
		"nats://[::1]:4222/s":                                     "",
		"":                                                        "begins with",
		"http://token@10.0.0.1:4000/s":                            "begins with",
		"variscope://10.0.0.1:4000/s?cert=" + someHash:            "cut off",
		"variscope://token@10.0.0.1:4000/s":                       "cut off",
		"variscope://token@10.0.0.1:4000/s?cert=0011":             "cut off",
		"variscope://token@10.0.0.1/s?cert=" + someHash:           "HOST:PORT",
		"variscope://token@10.0.0.1:4000/?cert=" + someHash:       "space",
		"variscope://token@10.0.0.1:4000/a.b?cert=" + someHash:    "space",
		"variscope://token@10.0.0.1:4000/S>?cert=" + someHash:     "space",
		"tls://u:p@10.0.0.1:4000/s?cert=" + someHash:              "goes with variscope://",
		"nats://u:p@10.0.0.1:4222/s":                              "not encrypted",
		"tls://10.0.0.1:4222/s":                                   "needs a token",
		"variscope://%zz@10.0.0.1:4000/s":                         "cannot be read",
	} {
		j, err := ParseJoin(text)
		switch {
		case want == "" && (err != nil || j.String() != strings.TrimSpace(text)):
			t.Errorf("%q: %q, %v", text, j.String(), err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, where %q is wrong", text, err, want)
		case err != nil && strings.Contains(err.Error(), "secret"):
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
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	c := d.served()
	line := c.Join()[0]
	otherLevel := func(o *WorkOptions) { o.Self.Level = "avx1024" }
	for name, tt := range map[string]struct {
		line   func(j *Join)
		change func(o *WorkOptions)
		want   string
	}{
		"wrong token":       {line: func(j *Join) { j.User = url.User("0000") }, want: "does not know this token"},
		"other certificate": {line: func(j *Join) { j.Cert = someHash }, want: "another certificate"},
		"other version":     {change: func(o *WorkOptions) { o.Self.Program = "1.1" }, want: "Variscope 1.1 and the coordinator is 1,"},
		"too many cores":    {change: func(o *WorkOptions) { o.Self.Cores = 1e9 }, want: "1000000000 cores"},
		"no name to show":   {change: func(o *WorkOptions) { o.Self.Name = "a\x1b[2Jb" }, want: "makes no sense"},
		"other runtime":     {change: func(o *WorkOptions) { o.Self.Runtime = "1.1" }, want: "ONNX Runtime 1.1"},
		"other processor":   {change: otherLevel, want: "--mixed"},
	} {
		t.Run(name, func(t *testing.T) {
			j, err := ParseJoin(line)
			d.must(err)
			if tt.line != nil {
				tt.line(&j)
			}
			h := hire(t, j.String(), tt.change)
			if err := h.gone(); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestOtherProcessors may join where that is allowed, and get no units of runs that need the same bits.
func TestOtherProcessors(t *testing.T) {
	c, err := Serve(t.Context(), t.TempDir(), "127.0.0.1:0", Options{Self: self(), Mixed: true, Pace: quick, Log: logTo(t, "coordinator")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	hire(t, c.Join()[0], func(o *WorkOptions) { o.Self.Level = "avx1024" })
	until(t, "the other processor is let in", func() bool { return len(c.Workers()) == 1 && c.Workers()[0].Mixed })
	if n := c.seats(pure); n != 0 || c.seats(mixed) != 1 {
		t.Errorf("%d places for pure units", n)
	}
}

// TestPlainTextIsNotAnswered: somebody who does not speak TLS learns nothing.
func TestPlainTextIsNotAnswered(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	c := d.served()
	conn, err := net.Dial("tcp", host(t, c.Join()[0]))
	d.must(err)
	defer func() { _ = conn.Close() }()
	d.must(conn.SetDeadline(time.Now().Add(20 * time.Second)))
	_, err = conn.Write([]byte("CONNECT {\"verbose\":true,\"user\":\"worker\",\"pass\":\"x\"}\r\nPING\r\n"))
	d.must(err)
	text, err := bufio.NewReader(conn).ReadString('\n')
	if err == nil || strings.Contains(text, "INFO") || strings.Contains(text, "PONG") {
		t.Errorf("%q, %v", text, err)
	}
	j, err := ParseJoin(c.Join()[0])
	d.must(err)
	if nc, err := nats.Connect("nats://"+j.Host, nats.UserInfo(identityOf("x").secret, j.token()), nats.Timeout(3*time.Second)); err == nil {
		nc.Close()
		t.Error("a connection without TLS")
	}
}

// TestTamperedObject: what does not have the content that its name promises is neither kept nor used; the unit fails with that reason.
func TestTamperedObject(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	c := d.served()
	models, err := d.ws.Models()
	d.must(err)
	objects, err := c.js.ObjectStore(t.Context(), c.modelObjects())
	d.must(err)
	_, err = objects.PutBytes(t.Context(), models[0].Hash, []byte("modal a"))
	d.must(err)
	id := d.start()
	cache := t.TempDir()
	hire(t, c.Join()[0], func(o *WorkOptions) { o.Cache = cache })
	s := d.wait(id)
	if s.Phase != engine.Failed || !strings.Contains(s.Tasks[0].Err.Error(), errTampered.Error()) {
		t.Errorf("%+v", s)
	}
	if _, err := os.Stat(filepath.Join(cache, models[0].Hash)); err == nil {
		t.Error("the tampered model is kept")
	}
}

// TestSecretsArePrivate, and a file that was damaged is an error that says what to do.
func TestSecretsArePrivate(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	queue := d.ws.QueueFolder()
	c, detach := d.serve(queue)
	first := c.Join()[0]
	detach()
	d.must(c.Close())
	for path, want := range map[string]os.FileMode{queue: 0o700, filepath.Join(queue, secretsName): 0o600} {
		info, err := os.Stat(path)
		d.must(err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
	}
	d.must(os.WriteFile(filepath.Join(queue, secretsName), []byte(`{"space":"x"}`), 0o600))
	if _, err := Serve(t.Context(), queue, "127.0.0.1:0", Options{Self: self()}); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("%v", err)
	}
	d.must(os.Remove(filepath.Join(queue, secretsName)))
	again, detach := d.serve(queue)
	detach()
	d.must(again.Close())
	if again.Join()[0] == first {
		t.Error("the same secrets")
	}
}

func TestAddresses(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	for _, address := range []string{"nonsense", "127.0.0.1:port", "127.0.0.1:99999"} {
		if c, err := Serve(t.Context(), t.TempDir(), address, Options{Self: self()}); err == nil {
			d.must(c.Close())
			t.Errorf("%s is taken", address)
		}
	}
	for _, address := range []string{"", "http://127.0.0.1:1", "nats://u:secret@10.0.0.1:1", "tls://10.0.0.1:1"} {
		_, err := Dial(t.Context(), address, "s", Options{Self: self()})
		if err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	d.must(err)
	defer func() { _ = taken.Close() }()
	if c, err := Serve(t.Context(), t.TempDir(), taken.Addr().String(), Options{Self: self()}); err == nil || !strings.Contains(err.Error(), "choose another") {
		t.Errorf("%v, %v", c, err)
	}
	if list := hosts(""); len(list) == 0 || list[len(list)-1] != "127.0.0.1" {
		t.Errorf("%v", list)
	}
}

// TestObjectsThatAreNotRead: links, what is too large, and what was removed while it is read; none of them holds anything up.
func TestObjectsThatAreNotRead(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	c := d.served()
	objects, err := c.js.ObjectStore(t.Context(), c.resultObjects())
	d.must(err)
	whole, err := objects.PutBytes(t.Context(), "whole", make([]byte, 300_000))
	d.must(err)
	_, err = objects.AddLink(t.Context(), "link", whole)
	d.must(err)
	gone, err := objects.PutBytes(t.Context(), "gone", make([]byte, 300_000))
	d.must(err)
	stream, err := c.js.Stream(t.Context(), "OBJ_"+c.resultObjects())
	d.must(err)
	d.must(stream.Purge(t.Context(), jetstream.WithPurgeSubject("$O."+c.resultObjects()+".C."+gone.NUID)))
	for name, tt := range map[string]struct {
		limit int64
		want  string
	}{
		"whole":   {300_000, ""},
		"link":    {300_000, "a link"},
		"nowhere": {300_000, "not found"},
		"large":   {299_999, "larger than it may be"},
	} {
		object := name
		if name == "large" {
			object = "whole"
		}
		var data bytes.Buffer
		n, err := c.copyObject(t.Context(), &data, c.resultObjects(), object, tt.limit)
		if tt.want == "" && (err != nil || n != 300_000 || data.Len() != 300_000) || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %d bytes, %v", name, n, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	begun := time.Now()
	if _, err := c.copyObject(ctx, io.Discard, c.resultObjects(), "gone", 300_000); !errors.Is(err, errIncomplete) || time.Since(begun) > 15*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}
