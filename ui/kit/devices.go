package kit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
)

// FindDevices are the devices of this computer that can be used, of a runtime that knows. It may
// take seconds the first time.
func FindDevices(ctx context.Context, rt engine.Runtime) []device.Found {
	finder, ok := rt.(engine.DeviceFinder)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(finder.Devices(ctx), func(f device.Found) bool { return f.Problem != "" })
}

// DeviceOptions are the entries of a menu for a device (device.Pick) of those that were found, with
// the one that is chosen; usual is what no choice means.
func DeviceOptions(found []device.Found, chosen, usual string) []Option {
	list := []Option{{Key: string(device.CPU), Name: "processor"}}
	several, kinds := map[string][]string{}, []string(nil)
	for _, f := range found {
		kind := f.Device.Kind()
		if kind == "" {
			continue
		}
		list = append(list, Option{Key: string(f.Device), Name: f.Device.Name()})
		if several[kind] = append(several[kind], string(f.Device)); len(several[kind]) == 1 {
			kinds = append(kinds, kind)
		}
	}
	for _, kind := range kinds {
		if n := len(several[kind]); n > 1 {
			list = append(list, Option{
				Key: strings.Join(several[kind], ","), Name: fmt.Sprintf("all %d GPUs of %s, models in turns", n, kind),
			})
		}
	}
	if len(kinds) > 0 {
		list = append(list, Option{Key: device.Auto, Name: "a GPU where it agrees with the processor"})
	}
	for _, key := range []string{usual, chosen} {
		if key != "" && !slices.ContainsFunc(list, func(o Option) bool { return o.Key == key }) {
			list = append(list, Option{Key: key, Name: key + ", which was not found"})
		}
	}
	at := slices.IndexFunc(list, func(o Option) bool { return o.Key == cmp.Or(usual, string(device.CPU)) })
	if list[at].Key != chosen {
		list[at].Key = "" // what is usual later on is meant, too
	}
	list[at].Name += " (usual)"
	return list
}
