package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/variscope/variscope/engine"
)

// TestWhatAWorkerMayNotDo with its token.
func TestWhatAWorkerMayNotDo(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	c := d.served()
	j, err := ParseJoin(c.Join()[0])
	d.must(err)
	violations := make(chan string, 100)
	who, other := identityOf("prober"), identityOf("other")
	nc, err := j.connect("prober", append(who.options(j), nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { violations <- err.Error() }))...)
	d.must(err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	d.must(err)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	n := c.names
	refused := func(subject string) {
		t.Helper()
		d.must(nc.FlushWithContext(ctx))
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
		"$JS.API.STREAM.DELETE." + n.units(), "$JS.API.STREAM.PURGE." + n.units(), "$JS.API.STREAM.CREATE.x", "$JS.API.CONSUMER.CREATE." + n.units(),
		"$JS.API.STREAM.DELETE.OBJ_" + n.modelObjects(), "$O." + n.modelObjects() + ".C.x", "$O." + n.imageObjects() + ".M.x",
		n.unit(pure, someHash), n.subject("to", "x"), n.subject("withdrawn"), "$SYS.REQ.SERVER.PING", "anything",
		// In another's name.
		n.subject("beat", other.id), n.subject("trouble", other.id), n.result(someHash, other.id), "_INBOX.x",
	} {
		d.must(nc.Publish(subject, []byte("{}")))
		refused(subject)
	}
	for _, subject := range []string{
		">", "_INBOX.>", "_INBOX.*.>", inbox(other.id) + ".>", n.subject("to", other.id), n.subject("to", "*"), n.subject("hello"), n.subject("beat", "*"),
		n.result("*", "*"), n.subject("units", ">"), "$O.>", "$JS.>",
	} {
		_, err := nc.SubscribeSync(subject)
		d.must(err)
		refused(subject)
	}
	if _, err := js.Publish(ctx, n.result("x", who.id), make([]byte, 2*maxNotice)); err == nil {
		t.Error("a notice beyond the limit is taken")
	}
	if err := nc.Publish(n.subject("beat", who.id), make([]byte, maxMessage+1)); !errors.Is(err, nats.ErrMaxPayload) {
		t.Errorf("a message beyond the limit: %v", err)
	}
	for _, text := range []string{"", "{}", "{", `{"machine":{"id":"x","cores":-1}}`, `{"machine":{"id":"y","cores":1}}`, `{"unknown":1}`} {
		d.must(nc.Publish(n.subject("beat", who.id), []byte(text)))
		d.must(nc.Publish(n.subject("trouble", who.id), []byte(text)))
		msg, err := nc.RequestWithContext(ctx, n.subject("hello"), []byte(text))
		if err != nil || !strings.Contains(string(msg.Data), "refused") {
			t.Errorf("hello %s: %v", text, err)
		}
	}
	if len(c.Workers()) != 0 {
		t.Errorf("%+v", c.Workers())
	}
}

// TestAnswersGoToWorkersAlone: the coordinator may do what workers may not, so it answers nowhere but in a worker's inbox.
func TestAnswersGoToWorkersAlone(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	c := d.served()
	d.start()
	f := newForger(t, c.Join()[0], "f0", nil)
	f.take()
	for _, subject := range []string{"$JS.API.STREAM.PURGE." + c.units(), c.subject("withdrawn"), "_INBOX.x"} {
		d.must(f.w.nc.PublishRequest(f.w.subject("hello"), subject, []byte("{}")))
	}
	d.must(f.w.join(t.Context())) // everything before has been heard by now
	stream, err := c.js.Stream(t.Context(), c.units())
	d.must(err)
	if stream.CachedInfo().State.Msgs != 1 {
		t.Errorf("%+v", stream.CachedInfo().State)
	}
}

// TestWhoGetsIn: a worker by the token and a secret of its own; nobody by halves.
func TestWhoGetsIn(t *testing.T) {
	d := newDesk(t, images(t, 10), "a", engine.NoWorkers)
	c := d.served()
	j, err := ParseJoin(c.Join()[0])
	d.must(err)
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
		if tt.in != (err == nil) || err != nil && !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMessagesThatTheServerSendsOn for a worker, to subjects that the worker may not use, are passed over.
func TestMessagesThatTheServerSendsOn(t *testing.T) {
	root := images(t, 100)
	want := local(t, root, "a")
	d := newDesk(t, root, "a", engine.NoWorkers)
	c := d.served()
	id := d.start()
	var begun <-chan struct{}
	var letGo func()
	victim := hire(t, c.Join()[0], func(o *WorkOptions) {
		rt := &sums{}
		begun, letGo = slow(rt)
		o.Runtime = rt
	})
	<-begun
	until(t, "its unit is told", func() bool { return len(c.Workers()) == 1 && len(c.Workers()[0].Units) == 1 })
	one := c.Workers()[0]
	c.mu.Lock()
	unit := c.crew[one.ID].last.Units[0].Unit
	c.mu.Unlock()
	f := newForger(t, c.Join()[0], "f0", nil)
	objects, err := f.w.js.ObjectStore(t.Context(), c.resultObjects())
	d.must(err)
	for subject, v := range map[string]any{
		c.subject("withdrawn"):         withdrawn{[]string{unit}},
		c.subject("to", one.ID):        leave{"go"},
		c.subject("beat", one.ID):      beat{Machine: one.Machine, Leaving: true},
		c.subject("trouble", one.ID):   trouble{Unit: unit, Reason: "no"},
		c.result(unit, one.ID):         notice{Unit: unit, Worker: one.ID, Object: objectName(unit, one.ID), Size: 1},
		c.unit(mixed, someHash):        "no order",
		c.unit(pure, "0"+someHash[1:]): "no order",
	} {
		data, err := json.Marshal(v)
		d.must(err)
		info, err := objects.PutBytes(t.Context(), "x", data)
		d.must(err)
		bucket := c.resultObjects()
		d.must(f.w.nc.PublishRequest("$JS.API.DIRECT.GET.OBJ_"+bucket+".$O."+bucket+".C."+info.NUID, subject, nil))
	}
	d.must(f.w.nc.FlushTimeout(requestTime))
	d.must(c.nc.FlushTimeout(requestTime))
	letGo()
	if s := d.wait(id); s.Phase != engine.Done {
		t.Errorf("%+v", s)
	}
	d.same(want)
	until(t, "one unit was computed and none failed", func() bool {
		list := c.Workers()
		return len(list) > 0 && list[0].ID == one.ID && list[0].Done == 1 && list[0].Failed == 0
	})
	stream, err := c.js.Stream(t.Context(), c.units())
	d.must(err)
	if info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(c.unit(pure, "*"))); err != nil || len(info.State.Subjects) > 0 {
		t.Errorf("%+v, %v", info.State, err)
	}
	victim.end()
	if err := victim.gone(); err != nil {
		t.Error(err)
	}
}
