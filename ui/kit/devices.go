package kit

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
)

// FindDevices are the devices of this computer that can be used, of a runtime that knows. It may take
// seconds the first time.
func FindDevices(ctx context.Context, rt engine.Runtime) []device.Found {
	finder, ok := rt.(engine.DeviceFinder)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(finder.Devices(ctx), func(f device.Found) bool { return f.Problem != "" })
}

// DeviceOptions are the entries of a menu for a device (device.Pick) of those that were found,
// with the one that is chosen; usual says what no choice means.
func DeviceOptions(found []device.Found, chosen, usual string) []Option {
	list := []Option{{Name: usual}, {Key: string(device.CPU), Name: "processor"}}
	several, kinds := map[string]string{}, map[string]int{}
	for _, f := range found {
		if !f.Device.IsGPU() {
			continue
		}
		if kinds[f.Device.Kind()]++; kinds[f.Device.Kind()] > 1 {
			several[f.Device.Kind()] += ","
		}
		several[f.Device.Kind()] += string(f.Device)
		list = append(list, Option{Key: string(f.Device), Name: f.Device.Name()})
	}
	for kind, n := range kinds {
		if n > 1 {
			list = append(list, Option{Key: several[kind], Name: fmt.Sprintf("all %d GPUs of %s, models in turns", n, kind)})
		}
	}
	if len(kinds) > 0 {
		list = append(list, Option{Key: device.Auto, Name: "a GPU where it agrees with the processor"})
	}
	if !slices.ContainsFunc(list, func(o Option) bool { return o.Key == chosen }) {
		list = append(list, Option{Key: chosen, Name: chosen + ", which was not found"})
	}
	return list
}
