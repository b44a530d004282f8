package cluster

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"regexp"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// identity is what a worker proves to be, so that no other one can speak for it or hear what is
// said to it: its id is the hash of a secret that it makes for itself at its start and that goes
// over the encrypted connection to the server alone.
type identity struct {
	secret string
	id     string
}

// idOf is the id that goes with a secret.
func idOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:16])
}

// inbox is where answers to a worker go.
func inbox(id string) string { return "_INBOX." + id }

// workerInbox is a subject in a worker's inbox, whose id it names.
var workerInbox = regexp.MustCompile(`^_INBOX\.([0-9a-f]{32})\.[A-Za-z0-9.]{1,100}$`)

// isInbox tells whether a subject is in the worker's inbox: the coordinator answers nowhere else,
// since it may speak where workers may not.
func isInbox(subject, worker string) bool {
	found := workerInbox.FindStringSubmatch(subject)
	return found != nil && found[1] == worker
}

// options connect as this worker.
func (i identity) options(j Join) []nats.Option {
	list := []nats.Option{nats.CustomInboxPrefix(inbox(i.id))}
	if j.Scheme == schemeOwn {
		list = append(list, nats.UserInfo(i.secret, j.token()))
	}
	return list
}

// gate lets the coordinator and workers into the embedded server. A worker is whoever has the
// token; what it may do depends on its id.
type gate struct {
	space  names
	inside string // the coordinator's password
	token  string // the workers'
}

const minSecret, maxSecret = 26, 64 // bytes of what is taken for a worker's secret

// Check implements server.Authentication.
func (g gate) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	switch {
	case same(o.Password, g.inside) && o.Username == userCoordinator:
		c.RegisterUser(&server.User{Username: userCoordinator})
	case same(o.Password, g.token) && len(o.Username) >= minSecret && len(o.Username) <= maxSecret:
		id := idOf(o.Username)
		// From here on the server's reports name the id, not the secret.
		c.RegisterUser(&server.User{Username: id, Permissions: workerPermissions(g.space, id)})
	default:
		return false
	}
	return true
}

func same(a, b string) bool { return b != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// workerPermissions let a worker speak in its own name and answer what the coordinator asks.
func workerPermissions(n names, id string) *server.Permissions {
	hears := []string{inbox(id) + ".>", n.to(id, "*"), n.subject("withdrawn")}
	return &server.Permissions{
		Publish:   &server.SubjectPermission{Allow: []string{n.subject("hello"), n.from(id, "*")}},
		Subscribe: &server.SubjectPermission{Allow: hears},
		Response:  &server.ResponsePermission{MaxMsgs: 1, Expires: requestTime},
	}
}
