package stringkernel

import (
	"context"
	"fmt"
	"reflect"
	"slices"
)

// IndexSharer is an option of a [Kernel] whose index of a corpus serves other kernels too, its family: the same kernel
// with other weights, lengths or document frequencies. Correct without it; with it, a search over many kernels indexes
// the corpus once per family. Ask [FamilyOf] and call [Share], which take any kernel.
type IndexSharer interface {
	// Family says what the kernels of a family have in common. Kernels of the same family have the same Go type.
	Family() string
	// Share indexes a corpus for some members of the receiver's family, of which there is at least one.
	Share(ctx context.Context, c *Corpus, members []Kernel) (Shared, error)
}

// Shared is the index of a corpus for several kernels of a family. It returns the matrix over the whole corpus of a
// member, fitted (if it depends on a corpus and is not fitted) to the records train, 0-based and ascending, nil for
// all: up to rounding, the matrix of Fit(k, c.Subset(train)). It may be called from several goroutines at once.
type Shared func(ctx context.Context, k Kernel, train []int) (Gram, error)

// IndexSharerOf returns the [IndexSharer] of k, nil if it has none.
func IndexSharerOf(k Kernel) IndexSharer {
	return Lookup(k, func(w interface{ IndexSharer() IndexSharer }) IndexSharer { return w.IndexSharer() })
}

// FamilyOf names the family of a kernel. One without an [IndexSharer] is a family of one, named by its type and
// parameters.
func FamilyOf(k Kernel) string {
	if s := IndexSharerOf(k); s != nil {
		return s.Family()
	}
	return fmt.Sprintf("%#v", k)
}

// Share indexes a corpus for kernels of one family. A single kernel, possibly given several times, has the bits of its
// own matrix, unless it depends on a corpus.
func Share(ctx context.Context, c *Corpus, members []Kernel) (Shared, error) {
	if len(members) == 0 {
		return nil, fmt.Errorf("stringkernel: no kernels to share an index")
	}
	for _, k := range members[1:] {
		if FamilyOf(k) != FamilyOf(members[0]) {
			return nil, fmt.Errorf("stringkernel: kernels %T and %T are not of one family", members[0], k)
		}
	}
	if s := IndexSharerOf(members[0]); s != nil && !alone(members) {
		return s.Share(ctx, c, members)
	}
	if DependsOnCorpus(members[0]) { // the matrix depends on the records it is fitted to
		return func(ctx context.Context, k Kernel, train []int) (Gram, error) {
			reference := c
			if train != nil {
				reference = c.Subset(train)
			}
			k, err := Fit(ctx, k, reference)
			if err != nil {
				return nil, err
			}
			return k.Gram(ctx, c)
		}, nil
	}
	g, err := members[0].Gram(ctx, c)
	return func(context.Context, Kernel, []int) (Gram, error) { return g, nil }, err
}

// alone reports whether there is one kernel only, which does not depend on a corpus: nothing is to be shared.
func alone(members []Kernel) bool {
	return !slices.ContainsFunc(members, func(k Kernel) bool {
		return DependsOnCorpus(k) || !reflect.DeepEqual(k, members[0])
	})
}
