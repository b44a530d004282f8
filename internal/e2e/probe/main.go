// Probe is the program with one addition for the window tests: it answers, on the socket named by VARISCOPE_SCREEN, what is
// on the screen and where. The tests then click on a text wherever the layout puts it; keys, mouse and pixels stay real.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/app"
)

func main() {
	if path := os.Getenv("VARISCOPE_SCREEN"); path != "" && len(os.Args) > 1 && os.Args[1] == "--verbose" {
		listener, err := net.Listen("unix", path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "probe:", err)
			os.Exit(1)
		}
		go answer(listener)
	}
	os.Exit(app.Run(os.Args[1:], os.Stdout, os.Stderr))
}

// answer writes the screen to everyone who connects.
func answer(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		var all []Node
		fyne.DoAndWait(func() { all = screen() })
		_ = json.NewEncoder(conn).Encode(all)
		_ = conn.Close()
	}
}
