package cluster

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// TestWhatAWorkerMayNotDo with its token.
func TestWhatAWorkerMayNotDo(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	c := d.served()
	j := testdata.Must(ParseJoin(c.Join()[0]))(d)
	violations := make(chan string, 100)
	who, other := identityOf("prober"), identityOf("other")
	nc, err := j.connect("prober", append(who.options(j),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { violations <- err.Error() }))...)
	must(d, err)
	defer nc.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	n := c.names
	refused := func(subject string) {
		t.Helper()
		must(d, nc.FlushWithContext(ctx))
		select {
		case text := <-violations:
			if !strings.Contains(text, "ermissions") || !strings.Contains(text, subject) {
				t.Errorf("%s: %s", subject, text)
			}
		case <-ctx.Done():
			t.Fatalf("%s is allowed", subject)
		}
	}
	for _, subject := range []string{
		n.to("x", "leave"), n.to(other.id, "piece"), n.subject("withdrawn"), "$SYS.REQ.SERVER.PING", "$JS.API.INFO",
		"anything",
		// In another's name.
		n.from(other.id, "beat"), n.from(other.id, "trouble"), n.from(other.id, "brought"), "_INBOX.x",
	} {
		must(d, nc.Publish(subject, []byte("{}")))
		refused(subject)
	}
	for _, subject := range []string{
		">", "_INBOX.>", "_INBOX.*.>", inbox(other.id) + ".>", n.to(other.id, "piece"), n.to("*", "leave"),
		n.subject("hello"), n.from("*", "*"), "$SYS.>",
	} {
		_, err := nc.SubscribeSync(subject)
		must(d, err)
		refused(subject)
	}
	testdata.ErrorIs(t, "a message beyond the limit", nc.Publish(n.from(who.id, "beat"), make([]byte, maxMessage+1)),
		nats.ErrMaxPayload)
	for _, text := range []string{
		"", "{}", "{", `{"machine":{"id":"x","cores":-1}}`,
		`{"machine":{"id":"y","cores":1}}`, `{"unknown":1}`,
	} {
		must(d, nc.Publish(n.from(who.id, "beat"), []byte(text)))
		must(d, nc.Publish(n.from(who.id, "trouble"), []byte(text)))
		msg, err := nc.RequestWithContext(ctx, n.subject("hello"), []byte(text))
		if err != nil || !strings.Contains(string(msg.Data), "refused") {
			t.Errorf("hello %s: %v", text, err)
		}
	}
	if len(c.Workers()) != 0 {
		t.Errorf("%+v", c.Workers())
	}
}

// TestAnswersGoToWorkersAlone: the coordinator may do what workers may not, so it answers nowhere
// but in the inbox of who asks.
func TestAnswersGoToWorkersAlone(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	c := d.served()
	d.start()
	f := newForger(t, c.Join()[0], "f0", nil)
	f.w.tell(false)
	heard := make(chan string, 9)
	other := identityOf("other").id
	for _, subject := range []string{c.subject("withdrawn"), c.to(other, "leave"), "_INBOX.x", inbox(other) + ".x.1"} {
		sub, err := c.nc.Subscribe(subject, func(msg *nats.Msg) { heard <- msg.Subject })
		must(d, err)
		defer func() { must(d, sub.Unsubscribe()) }()
		must(d, f.w.nc.PublishRequest(f.w.from(f.w.self.ID, "ask"), subject, say([]string{})))
		if m := f.w.self; subject != inbox(other)+".x.1" { // a refusal there tells nobody anything
			must(d, f.w.nc.PublishRequest(f.w.subject("hello"), subject, say(m)))
		}
	}
	f.take() // everything before has been heard by now
	must(d, c.nc.FlushTimeout(requestTime))
	if len(heard) > 0 {
		t.Errorf("it answers to %s", <-heard)
	}
}

// TestWhoGetsIn: a worker by the token and a secret of its own; nobody by halves.
func TestWhoGetsIn(t *testing.T) {
	d := newDesk(t, sums.Pets(t, 10), "a", engine.NoWorkers)
	c := d.served()
	j, err := ParseJoin(c.Join()[0])
	must(d, err)
	secret := identityOf("x").secret
	for name, tt := range map[string]struct {
		user, password string
		in             bool
	}{
		"worker":                       {secret, j.token(), true},
		"no secret":                    {"", j.token(), false},
		"short secret":                 {"worker", j.token(), false},
		"long secret":                  {strings.Repeat("a", 1000), j.token(), false},
		"no token":                     {secret, "", false},
		"other token":                  {secret, j.token() + "0", false},
		"the coordinator's name":       {userCoordinator, j.token(), false},
		"the coordinator, no password": {userCoordinator, "", false},
		"nobody":                       {"", "", false},
	} {
		nc, err := j.connect("x", nats.UserInfo(tt.user, tt.password))
		if err == nil {
			nc.Close()
		}
		if tt.in != (err == nil) || err != nil && !errors.Is(err, errRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
