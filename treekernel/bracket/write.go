package bracket

// escapes maps a byte to the one after the backslash in its escape sequence, 0 for bytes that need none; escaped is the
// inverse.
var (
	escapes = [256]byte{'(': '(', ')': ')', '\\': '\\', ' ': 's', '\t': 't', '\n': 'n', '\v': 'v', '\f': 'f', '\r': 'r'}
	escaped = inverse(escapes)
)

func inverse(table [256]byte) (inverted [256]byte) {
	for b, e := range table {
		if e != 0 {
			inverted[e] = byte(b)
		}
	}
	return inverted
}

// Escape appends the word that spells label to dst and returns it. Any bytes may be a label.
func Escape[T string | []byte](dst []byte, label T) []byte {
	done := 0
	for i := range len(label) {
		if e := escapes[label[i]]; e != 0 {
			dst = append(append(dst, label[done:i]...), '\\', e)
			done = i + 1
		}
	}
	return append(dst, label[done:]...)
}

// Unescape appends the label that an escaped label of a [Forest] spells to dst and returns it. It is the inverse of
// [Escape].
func Unescape(dst, word []byte) []byte {
	for i := 0; i < len(word); i++ {
		b := word[i]
		if b == '\\' && i+1 < len(word) {
			i++
			b = escaped[word[i]]
		}
		dst = append(dst, b)
	}
	return dst
}

// Writer writes a record in canonical form, node by node in preorder. The zero Writer is ready to use. Methods take
// O(len(label)) time.
type Writer struct {
	buf   []byte
	start int // of the record in buf
	depth int
	bare  bool // the last node opened has no children yet and may lose its brackets
	last  int  // its ( in buf
	// unnamed: the innermost open node has an empty label and no child yet
	unnamed bool
}

// Reset begins a new record whose bytes are appended to dst.
func (w *Writer) Reset(dst []byte) { *w = Writer{buf: dst, start: len(dst)} }

// Bytes returns what was given to Reset followed by the record. It is complete when Depth is 0.
func (w *Writer) Bytes() []byte { return w.buf }

// Open begins a node with a label, which is escaped, as the next child of the innermost open node, or as a root.
func (w *Writer) Open(label []byte) { open(w, label) }

// OpenString is Open for a string.
func (w *Writer) OpenString(label string) { open(w, label) }

func open[T string | []byte](w *Writer, label T) {
	w.begin(len(label) == 0)
	w.buf = Escape(w.buf, label)
}

// OpenWord is Open for a label that is escaped already, as [Forest.Label] returns it.
func (w *Writer) OpenWord(word []byte) {
	w.begin(len(word) == 0)
	w.buf = append(w.buf, word...)
}

func (w *Writer) begin(empty bool) {
	if len(w.buf) > w.start {
		w.buf = append(w.buf, ' ')
	}
	w.bare = w.depth > 0 && !empty && !w.unnamed
	w.last = len(w.buf)
	w.buf = append(w.buf, '(')
	w.unnamed = empty
	w.depth++
}

// Close ends the innermost open node. It does nothing if none is open.
func (w *Writer) Close() {
	if w.depth == 0 {
		return
	}
	w.depth--
	if w.bare {
		w.buf = append(w.buf[:w.last], w.buf[w.last+1:]...)
	} else {
		w.buf = append(w.buf, ')')
	}
	w.bare, w.unnamed = false, false
}

// Leaf writes a node without children.
func (w *Writer) Leaf(label []byte) {
	if w.depth == 0 || len(label) == 0 || w.unnamed {
		w.Open(label)
		w.Close()
		return
	}
	w.buf = Escape(append(w.buf, ' '), label)
	w.bare = false
}
