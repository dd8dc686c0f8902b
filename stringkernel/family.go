package stringkernel

import (
	"context"
	"fmt"
)

// Familial is a Kernel whose index of a corpus serves other kernels too, its family: the same kernel with other weights, lengths or document
// frequencies. Whoever tries many kernels on one corpus indexes it once per family. Correct without, faster with: ask [FamilyOf] and
// [Share], which know what to do with a kernel that is none.
type Familial interface {
	Kernel
	// Family says what the kernels of a family have in common. Kernels that give the same text have the same Go type.
	Family() string
	// Share indexes a corpus for some members of the receiver's family, of which there is at least one.
	Share(ctx context.Context, c *Corpus, members []Kernel) (Shared, error)
}

// Shared is the index of a corpus for several kernels of a family. It is immutable and safe for concurrent use.
type Shared interface {
	// GramOf returns the matrix over the whole corpus of a member, fitted (if it depends on a corpus and is not fitted) to the records train,
	// 0-based and ascending, nil for all: up to rounding, the matrix of Fit(k, c.Subset(train)).
	GramOf(ctx context.Context, k Kernel, train []int) (Gram, error)
}

// FamilyOf names the family of a kernel. One that is no [Familial] is a family of its own, told by its type and parameters.
func FamilyOf(k Kernel) string {
	if f, ok := k.(Familial); ok {
		return f.Family()
	}
	return LoneFamily(k)
}

// Share indexes a corpus for kernels of one family. One kernel alone, or one several times, has its own matrix to the bit, unless it depends on a corpus.
func Share(ctx context.Context, c *Corpus, members []Kernel) (Shared, error) {
	if len(members) == 0 {
		return nil, fmt.Errorf("stringkernel: no kernels to share an index")
	}
	for _, k := range members[1:] {
		if FamilyOf(k) != FamilyOf(members[0]) {
			return nil, fmt.Errorf("stringkernel: kernels %T and %T are not of one family", members[0], k)
		}
	}
	if f, ok := members[0].(Familial); ok && !alone(members) {
		return f.Share(ctx, c, members)
	}
	return ShareLone(ctx, c, members[0])
}

// alone reports whether there is one kernel only, which does not depend on a corpus: nothing is to be shared.
func alone(members []Kernel) bool {
	if DependsOnCorpus(members[0]) {
		return false
	}
	for _, k := range members[1:] {
		if DependsOnCorpus(k) || LoneFamily(k) != LoneFamily(members[0]) {
			return false
		}
	}
	return true
}

func LoneFamily(k Kernel) string { return fmt.Sprintf("%#v", k) }

// lone is the index of a single kernel: its matrix, unless that depends on which records it is fitted to.
type lone struct {
	corpus *Corpus
	gram   Gram // nil if the kernel depends on a corpus
}

func ShareLone(ctx context.Context, c *Corpus, k Kernel) (Shared, error) {
	if DependsOnCorpus(k) {
		return lone{corpus: c}, nil
	}
	g, err := k.Gram(ctx, c)
	return lone{c, g}, err
}

func (s lone) GramOf(ctx context.Context, k Kernel, train []int) (Gram, error) {
	if s.gram != nil {
		return s.gram, nil
	}
	return fittedGram(ctx, k, s.corpus, train)
}

// fittedGram fits a kernel to some records of a corpus and indexes all of them.
func fittedGram(ctx context.Context, k Kernel, c *Corpus, train []int) (Gram, error) {
	reference := c
	if train != nil {
		reference = c.Subset(train)
	}
	k, err := Fit(ctx, k, reference)
	if err != nil {
		return nil, err
	}
	return k.Gram(ctx, c)
}
