package cluster

import (
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/variscope/variscope/store/durable"
)

const (
	userCoordinator = "coordinator"    // at its own server; its password never leaves the process
	startTime       = 15 * time.Second // that the server may take to be ready
)

// embedded is a running server of our own.
type embedded struct {
	server  *server.Server
	secrets secrets
	own     tls.Certificate
	inside  string // the coordinator's password
	moved   bool   // the port of last time was wanted, and somebody else has it
	log     *slog.Logger
}

// startServer serves with the secrets of the folder dir, and gives the join lines. The address is
// HOST:PORT: no host is every address of this machine, port 0 or none the one of last time.
func startServer(dir, address string, log *slog.Logger) (e *embedded, join []string, err error) {
	host, wanted, err := splitAddress(address)
	if err != nil {
		return nil, nil, err
	}
	e = &embedded{inside: rand.Text(), log: log}
	if e.secrets, e.own, err = loadSecrets(dir); err != nil {
		return nil, nil, err
	}
	_ = durable.DeleteAll(filepath.Join(dir, "jetstream")) // the queue of earlier versions
	port := wanted
	if port == 0 {
		port = e.secrets.Port
	}
	if err = e.listen(host, port); err != nil && port != wanted && e.listen(host, 0) == nil {
		e.moved, err = true, nil // somebody else has the port of last time
	}
	if err != nil {
		return nil, nil, err
	}
	at := e.server.Addr().(*net.TCPAddr).Port
	for _, h := range hosts(host) {
		join = append(join, Join{
			Scheme: schemeOwn, Host: net.JoinHostPort(h, strconv.Itoa(at)), User: url.User(e.secrets.Token),
			Space: e.secrets.Space, Cert: certHash(e.own.Certificate[0]),
		}.String())
	}
	if at != e.secrets.Port {
		e.secrets.Port = at
		if err = e.secrets.save(dir); err != nil {
			e.stop()
		}
	}
	return e, join, err
}

func splitAddress(address string) (host string, port int, err error) {
	if address == "" || net.ParseIP(address) != nil {
		return address, 0, nil
	}
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("%q is no address to listen on; "+
			"use HOST:PORT, or :PORT for all of this machine's addresses", address)
	}
	if port, err = strconv.Atoi(text); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q has no port between 0 and 65535", address)
	}
	return host, port, nil
}

func (e *embedded) listen(host string, port int) error {
	shown := net.JoinHostPort(host, strconv.Itoa(port))
	free, err := net.Listen("tcp", shown)
	if port == 0 {
		shown, port = host, server.RANDOM_PORT
	}
	if err == nil {
		err = free.Close() // the server takes it
	}
	if err != nil {
		why := err.Error() // the system's reason stands at the end
		return fmt.Errorf("listen on %s:%s; choose another address or port", shown,
			why[strings.LastIndex(why, ": ")+1:])
	}
	if host == "" {
		host = server.DEFAULT_HOST
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "variscope-" + e.secrets.Space, Host: host, Port: port, NoSigs: true, MaxPayload: maxMessage,
		TLS: true, TLSHandshakeFirst: true, TLSTimeout: 5, AuthTimeout: 5,
		TLSConfig:                  &tls.Config{Certificates: []tls.Certificate{e.own}, MinVersion: tls.VersionTLS13},
		CustomClientAuthentication: gate{space: names(e.secrets.Space), inside: e.inside, token: e.secrets.Token},
	})
	if err != nil {
		return fmt.Errorf("serve other machines: %w", err)
	}
	s.SetLoggerV2(serverLog{e.log}, false, false, false)
	s.Start()
	e.server = s
	if !s.ReadyForConnections(startTime) {
		e.stop()
		return fmt.Errorf("listen on %s: it is not ready after %v; choose another address or port", shown, startTime)
	}
	return nil
}

// Addresses are those of this machine, the likeliest first; the last one leads to itself alone.
func Addresses() []string { return hosts("") }

// hosts are the addresses under which one is reached that listens on host, the likeliest first.
func hosts(host string) []string {
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{host}
	}
	var four, six []string
	addresses, _ := net.InterfaceAddrs() // without them this machine alone can be reached
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok && network.IP.IsGlobalUnicast() {
			if network.IP.To4() != nil {
				four = append([]string{network.IP.String()}, four...)
			} else {
				six = append(six, network.IP.String())
			}
		}
	}
	return append(append(four, six...), "127.0.0.1")
}

// stop ends the server.
func (e *embedded) stop() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

// serverLog is a server.Logger. What the embedded server says in its own words is for those who
// look for a fault in it.
type serverLog struct{ *slog.Logger }

func (l serverLog) Noticef(format string, v ...any) { l.detail(format, v...) }
func (l serverLog) Warnf(format string, v ...any)   { l.detail(format, v...) }
func (l serverLog) Fatalf(format string, v ...any)  { l.detail(format, v...) }

// Errorf hears of clients with a wrong token, and of those that do not speak TLS.
func (l serverLog) Errorf(format string, v ...any) {
	l.Warn("a connection from outside has failed; was it made with the line of now?")
	l.detail(format, v...)
}

func (l serverLog) Debugf(string, ...any) {}
func (l serverLog) Tracef(string, ...any) {}

func (l serverLog) detail(format string, v ...any) {
	l.Debug("server for other machines", "says", fmt.Sprintf(format, v...))
}
