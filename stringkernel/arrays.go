package stringkernel

import "fmt"

// ArraysByName returns the data of arrays by their names, for a [Restorer]. It returns an error if a name is there twice.
func ArraysByName(arrays []Array) (map[string]any, error) {
	named := make(map[string]any, len(arrays))
	for _, a := range arrays {
		if _, twice := named[a.Name]; twice {
			return nil, fmt.Errorf("array %q is there twice", a.Name)
		}
		named[a.Name] = a.Data
	}
	return named, nil
}
