package cluster

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"regexp"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// identity is what a worker proves to be, so that no other one can speak for it or hear what is said to it: its id is the hash of a secret that it makes for itself
// at its start and that goes over the encrypted connection to the server alone.
type identity struct {
	secret string
	id     string
}

func newIdentity() (identity, error) {
	secret, err := randomHex(16)
	return identity{secret, idOf(secret)}, err
}

// idOf is the id that goes with a secret.
func idOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:16])
}

// inbox is where answers to a worker go.
func inbox(id string) string { return "_INBOX." + id }

// workerInbox is a subject in a worker's inbox.
var workerInbox = regexp.MustCompile(`^_INBOX\.[0-9a-f]{32}\.[A-Za-z0-9.]{1,100}$`)

// options connect as this worker.
func (i identity) options(j Join) []nats.Option {
	list := []nats.Option{nats.CustomInboxPrefix(inbox(i.id))}
	if j.Scheme == schemeOwn {
		list = append(list, nats.UserInfo(i.secret, j.token()))
	}
	return list
}

// gate lets the coordinator and workers into the embedded server (server.Authentication). A worker is whoever has the token; what it may do
// depends on its id.
type gate struct {
	space  names
	inside string // the coordinator's password
	token  string // the workers'
}

// secretSize bounds what is taken for a worker's secret.
const (
	minSecret = 32
	maxSecret = 64
)

// Check implements server.Authentication.
func (g gate) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	switch {
	case same(o.Password, g.inside) && o.Username == userCoordinator:
		c.RegisterUser(&server.User{Username: userCoordinator})
		return true
	case same(o.Password, g.token) && len(o.Username) >= minSecret && len(o.Username) <= maxSecret:
		id := idOf(o.Username)
		// From here on the server's reports name the id, not the secret.
		c.RegisterUser(&server.User{Username: id, Permissions: workerPermissions(g.space, id)})
		return true
	}
	return false
}

func same(a, b string) bool { return b != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// workerPermissions are what the worker of an id needs, and nothing beyond.
func workerPermissions(n names, id string) *server.Permissions {
	api := func(parts ...string) (list []string) {
		for _, p := range parts {
			list = append(list, "$JS.API."+p)
		}
		return list
	}
	publish := []string{
		n.subject("hello"), n.subject("beat", id), n.subject("trouble", id), n.result("*", id),
		"$JS.ACK." + n.units() + ".>", "$JS.FC.>",
		// Putting an object anew removes the pieces of the one before. Who misuses that makes units be computed again.
		"$O." + n.resultObjects() + ".C.>", "$O." + n.resultObjects() + ".M.>", "$JS.API.STREAM.PURGE.OBJ_" + n.resultObjects(),
	}
	publish = append(publish, api("INFO", "STREAM.NAMES",
		"CONSUMER.INFO."+n.units()+".*", "CONSUMER.MSG.NEXT."+n.units()+".*")...)
	for _, bucket := range []string{n.modelObjects(), n.imageObjects(), n.resultObjects()} {
		publish = append(publish, api("STREAM.INFO.OBJ_"+bucket, "STREAM.MSG.GET.OBJ_"+bucket, "DIRECT.GET.OBJ_"+bucket, "DIRECT.GET.OBJ_"+bucket+".>")...)
	}
	for _, bucket := range []string{n.modelObjects(), n.imageObjects()} {
		publish = append(publish, api("CONSUMER.CREATE.OBJ_"+bucket, "CONSUMER.CREATE.OBJ_"+bucket+".>", "CONSUMER.DELETE.OBJ_"+bucket+".>",
			"CONSUMER.INFO.OBJ_"+bucket+".>", "CONSUMER.MSG.NEXT.OBJ_"+bucket+".>")...)
	}
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: publish},
		Subscribe: &server.SubjectPermission{Allow: []string{inbox(id) + ".>", n.subject("to", id), n.subject("withdrawn")}},
	}
}
