package treekernel

import "sync"

// kept holds Δ of pairs of subtrees of the records of a collection, where they take long to compute. It may be used by
// several goroutines.
type kept struct {
	mutex  sync.RWMutex
	values map[keptKey][]float64
	bytes  int
}

// keptKey is a subtree of a forest and the forest whose subtrees of its class it is compared with.
type keptKey struct {
	from    *forest
	subtree int32
	with    *forest
}

// mostKept is how many bytes are kept.
const mostKept = 256 << 20

// find returns the values of a subtree, nil if they are not kept.
func (k *kept) find(key keptKey) []float64 {
	k.mutex.RLock()
	defer k.mutex.RUnlock()
	return k.values[key]
}

// add keeps a copy of the values of a subtree while there is room.
func (k *kept) add(key keptKey, values []float64) {
	const entry = 100 // bytes, of the map
	bytes := 8*len(values) + entry
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.values == nil {
		k.values = make(map[keptKey][]float64)
	}
	if k.values[key] == nil && k.bytes+bytes <= mostKept {
		k.values[key] = append([]float64(nil), values...)
		k.bytes += bytes
	}
}
