package stringkernel

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
)

// IndexSharer is an option of a [Kernel] whose index of a corpus serves other kernels too, its family: the same kernel
// with other weights, lengths or document frequencies. Correct without it; with it, a search over many kernels indexes
// the corpus once per family. Ask [FamilyOf] and call [Indexes.Share], which take any kernel.
type IndexSharer interface {
	// Family says what the kernels of a family have in common. Kernels of the same family have the same Go type.
	Family() string
	// Share indexes the corpus of x for some members of the receiver's family, of which there is at least one. What the
	// members wrap is asked of x, or of the indexes of what they make of its corpus. If the receiver was fitted to that
	// corpus, what it learned need not be found again.
	Share(ctx context.Context, x *Indexes, members []Kernel) (Shared, error)
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

// Indexes are the indexes of a corpus, one per family of kernels, each made when it is first asked for and held as long
// as the value is. Sums that depend on a corpus have the indexes of terms in common.
type Indexes struct {
	Corpus *Corpus
	// Matrices holds matrices of kernels that depend on a corpus, too, one per kernel and records that it was fitted to:
	// sums then have what a term has learned in common, such as the pivots of a low rank.
	Matrices bool

	lock     sync.Mutex
	families map[string]*family
}

// family is the index of a family for some members.
type family struct {
	members []Kernel
	index   cancel.Once[familyIndex]
}

type familyIndex struct {
	shared Shared
	err    error
}

// Share indexes a corpus for kernels of one family: see [Indexes.Share].
func Share(ctx context.Context, c *Corpus, members []Kernel) (Shared, error) {
	return (&Indexes{Corpus: c}).Share(ctx, members)
}

// Share returns the index for kernels of one family: the one held if that was made for these kernels, otherwise a new
// one. A single kernel, possibly given several times, has the bits of its own matrix, unless it depends on a corpus.
// It may be called from several goroutines at once.
func (x *Indexes) Share(ctx context.Context, members []Kernel) (s Shared, err error) {
	if len(members) == 0 {
		return nil, fmt.Errorf("stringkernel: no kernels to share an index")
	}
	return x.ShareBy(ctx, members[0], members)
}

// ShareBy is Share by a kernel that may be fitted to the corpus: what it has learned is not found again if it is of the
// members' family.
func (x *Indexes) ShareBy(ctx context.Context, by Kernel, members []Kernel) (s Shared, err error) {
	defer cancel.Catch(&err)
	for _, k := range members[1:] {
		if FamilyOf(k) != FamilyOf(members[0]) {
			return nil, fmt.Errorf("stringkernel: kernels %T and %T are not of one family", members[0], k)
		}
	}
	found := x.family(by, members).index.Get(ctx)
	return found.shared, found.err
}

// family returns the family of the members, which may be new.
func (x *Indexes) family(by Kernel, members []Kernel) *family {
	x.lock.Lock()
	defer x.lock.Unlock()
	name := typedFamily(members[0])
	if f := x.families[name]; f != nil && f.serves(members) {
		return f
	}
	f := &family{members: members}
	f.index.Make = func(ctx context.Context) familyIndex {
		shared, err := x.share(ctx, by, members)
		cancel.Check(ctx)
		if x.Matrices && err == nil && DependsOnCorpus(members[0]) {
			shared = remembered(shared)
		}
		return familyIndex{shared, err}
	}
	if x.families == nil {
		x.families = map[string]*family{}
	}
	x.families[name] = f
	return f
}

// serves reports whether the index was made for all of some members.
func (f *family) serves(members []Kernel) bool {
	return !slices.ContainsFunc(members, func(k Kernel) bool {
		return !slices.ContainsFunc(f.members, func(of Kernel) bool { return reflect.DeepEqual(k, of) })
	})
}

// typedFamily names the family of a kernel and its Go type.
func typedFamily(k Kernel) string { return fmt.Sprintf("%T %s", k, FamilyOf(k)) }

// share makes the index of some members of a family, by a kernel that may be fitted.
func (x *Indexes) share(ctx context.Context, by Kernel, members []Kernel) (Shared, error) {
	if typedFamily(by) != typedFamily(members[0]) { // as where all that it has learned are its parameters
		by = members[0]
	}
	if s := IndexSharerOf(by); s != nil && !alone(members) {
		return s.Share(ctx, x, members)
	}
	if DependsOnCorpus(members[0]) { // the matrix depends on the records it is fitted to
		return func(ctx context.Context, k Kernel, train []int) (Gram, error) {
			reference := x.Corpus
			if train != nil {
				reference = x.Corpus.Subset(train)
			}
			k, err := Fit(ctx, k, reference)
			if err != nil {
				return nil, err
			}
			return k.Gram(ctx, x.Corpus)
		}, nil
	}
	g, err := members[0].Gram(ctx, x.Corpus)
	return func(context.Context, Kernel, []int) (Gram, error) { return g, nil }, err
}

// alone reports whether there is one kernel only, which does not depend on a corpus: nothing is to be shared.
func alone(members []Kernel) bool {
	return !slices.ContainsFunc(members, func(k Kernel) bool {
		return DependsOnCorpus(k) || !reflect.DeepEqual(k, members[0])
	})
}

// remembered returns a function that makes each matrix once, and holds it.
func remembered(shared Shared) Shared {
	type matrix struct {
		gram Gram
		err  error
	}
	type key struct {
		kernel Kernel
		train  []int
		made   cancel.Once[matrix]
	}
	var lock sync.Mutex
	var held []*key
	find := func(k Kernel, train []int) *key {
		lock.Lock()
		defer lock.Unlock()
		for _, h := range held {
			if (h.train == nil) == (train == nil) && slices.Equal(h.train, train) && reflect.DeepEqual(h.kernel, k) {
				return h
			}
		}
		h := &key{kernel: k, train: train}
		h.made.Make = func(ctx context.Context) matrix {
			g, err := shared(ctx, k, train)
			cancel.Check(ctx)
			return matrix{g, err}
		}
		held = append(held, h)
		return h
	}
	return func(ctx context.Context, k Kernel, train []int) (_ Gram, err error) {
		defer cancel.Catch(&err)
		m := find(k, train).made.Get(ctx)
		return m.gram, m.err
	}
}
