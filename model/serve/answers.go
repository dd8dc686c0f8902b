package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/suggest"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func (s *Service) predict(w *watchedWriter, r *http.Request) error {
	return s.answer(w, r, func(x *exchange) error {
		if x.request.class != "" {
			return refusef(http.StatusBadRequest, "a class is given, which explain takes; predict answers for all")
		}
		x.part, x.most = x.predictPart, max(1, min(predictRecords, predictScores/len(x.model.classifier.Machines)))
		x.longest = s.limits.Letters
		return nil
	})
}

func (s *Service) explain(w *watchedWriter, r *http.Request) error {
	return s.answer(w, r, func(x *exchange) error {
		if x.model.classifier.Ball {
			return refusef(http.StatusUnprocessableEntity, "model %s: %v", x.model.name, decide.ErrBall)
		}
		if !x.model.explains {
			return refusef(http.StatusUnprocessableEntity, "the kernel %s of model %s has no contributions of "+
				"positions", x.model.file.Kernel, x.model.name)
		}
		rule := &x.model.classifier.Rule
		x.explainer = answer.Explainer{Classifier: x.model.classifier, Class: -1, Spans: x.model.spans}
		switch class := x.request.class; {
		case class != "":
			x.explainer.Class, x.explainer.Chosen = slices.Index(rule.Classes, class), true
			if x.explainer.Class < 0 {
				return refusef(http.StatusBadRequest, "class %.60q, want one of: %s%s", class,
					strings.Join(rule.Classes[:min(12, len(rule.Classes))], ", "), suggest.Hint(class, rule.Classes))
			}
		case rule.Single():
			x.explainer.Class = rule.Positive
		}
		x.part, x.most, x.longest = x.explainPart, explainRecords, max(1, s.limits.Letters/explainedShare)
		return nil
	})
}

// Parts of the records that are answered in one turn have at most partLetters and so many records and scores; the next
// requests wait for no more.
const (
	partLetters    = 1 << 18
	predictRecords = 1 << 12
	predictScores  = 1 << 20
	explainRecords = 1 << 9
	explainedShare = 8       // of the limit of letters is what explain takes: a letter has an answer of its own
	streamPart     = 1 << 18 // bytes of records of a stream, as seqio.BatchSize counts them
)

// exchange is a request and what has been answered.
type exchange struct {
	*Service
	w       *watchedWriter
	request request
	model   *loaded
	stream  *incoming // nil if the request is no stream

	part      func(ctx context.Context, part *stringkernel.Corpus) error // writes the answers of a part to out
	most      int                                                        // records of a part
	longest   int                                                        // letters in all, or of a record of a stream
	explainer answer.Explainer

	out              *bytes.Buffer
	encode           *json.Encoder
	begun            bool         // something was sent
	atWork           bool         // it has a place at work
	full             bool         // no more records are answered
	input            seqio.Format // of the body, unless it is a JSON object
	records, letters int
	unknown, outside int
}

// answer answers a request about records; prepare chooses how.
func (s *Service) answer(w *watchedWriter, r *http.Request, prepare func(x *exchange) error) error {
	defer s.held.Add(-1)
	if s.held.Add(1) > int64(s.limits.Queue) {
		return exceeded(http.StatusTooManyRequests, "queue", int64(s.limits.Queue),
			"%d requests are being answered or waiting; try again later", s.limits.Queue)
	}
	q, err := parseRequest(r)
	if err != nil {
		return err
	}
	if q.model != "" { // is it known? Say so before the body is read
		if _, err := s.named(q.model); err != nil {
			return err
		}
	}
	x := &exchange{Service: s, w: w, request: q, out: new(bytes.Buffer)}
	x.encode = json.NewEncoder(x.out)
	x.encode.SetEscapeHTML(false)
	if q.stream {
		return x.answerStream(r, prepare)
	}
	of := &holding{gate: s.bodies}
	defer of.end()
	buffer, err := s.receive(w, r, of)
	if err != nil {
		return err
	}
	defer x.leave()
	if err := x.enter(r.Context()); err != nil { // before it takes memory
		return err
	}
	records, err := x.request.open(buffer.Bytes())
	if err != nil {
		return err
	}
	if err := x.choose(prepare); err != nil {
		return err
	}
	// all records come together, so that nothing is answered before all have been checked
	size := seqio.BatchSize(min(records.size, s.limits.Records)+1, min(records.size, x.longest)+1)
	if err := x.read(r.Context(), records, size); err != nil {
		return err
	}
	return x.end()
}

// choose finds the model.
func (x *exchange) choose(prepare func(x *exchange) error) (err error) {
	if x.model, err = x.named(x.request.model); err != nil {
		return err
	}
	return prepare(x)
}

// answerStream answers while it reads. An error after the first line of the answer is its last line.
func (x *exchange) answerStream(r *http.Request, prepare func(x *exchange) error) error {
	if err := x.choose(prepare); err != nil {
		return err
	}
	records, in, err := x.openStream(x.w, r)
	if err != nil {
		return err
	}
	wait, stop := context.WithTimeout(r.Context(), x.limits.Time)
	defer stop()
	if err := x.streams.enter(wait, 1); err != nil {
		if r.Context().Err() == nil {
			err = exceeded(http.StatusTooManyRequests, "streams", int64(x.limits.Streams),
				"%d streams are being answered; try again later", x.limits.Streams)
		}
		return err
	}
	defer x.streams.leave(1)
	in.begin()
	x.stream = in
	if err = x.read(r.Context(), records, int(min(streamPart, 1+x.limits.Body/32))); err == nil {
		return x.end()
	}
	in.abandon()
	told := x.told(err)
	if !x.begun || told == nil {
		return err
	}
	if told.limit != "" {
		x.metrics.refused.add(1, told.limit)
	}
	x.log.Info("stream failed", "model", x.model.name, "records", x.records, "error", err)
	x.out.Write(told.json())
	return x.flush()
}

// scoringError is an error that is none of the records.
type scoringError struct{ error }

func (e scoringError) Unwrap() error { return e.error }

// read reads the records as those of training were read, and answers them in collections of a size.
func (x *exchange) read(ctx context.Context, records *body, size int) error {
	options := x.model.file.ReadOptions()
	options.Format, options.OptionalLabels = x.request.format, true
	options.Texts = true // sequences may come a line each, too
	inputs := []seqio.Input{{Path: "body", Reader: records}}
	err := seqio.AllBatches(ctx, inputs, options, size, func(all *seqio.Collection) error {
		return x.take(ctx, all)
	})
	var told *fault
	var scoring scoringError
	var large *http.MaxBytesError
	switch {
	case err == nil || errors.As(err, &told) || errors.As(err, &scoring) || errors.As(err, &large),
		errors.Is(err, context.Canceled) || isTimeout(err):
		return err
	}
	return refusef(http.StatusBadRequest, "%w", err)
}

func isTimeout(err error) bool {
	var timed interface{ Timeout() bool }
	return errors.As(err, &timed) && timed.Timeout()
}

// take answers records, part by part.
func (x *exchange) take(ctx context.Context, all *seqio.Collection) error {
	if !x.request.document {
		x.input = all.Sets[0].Format
	}
	corpus := x.first(all.Corpus)
	if corpus.Len() == 0 {
		return nil
	}
	if most := x.limits.Records; x.stream == nil && x.records+corpus.Len() > most {
		return exceeded(http.StatusRequestEntityTooLarge, "records", int64(most),
			"more than %d records; send fewer at a time, or a stream", most)
	}
	if letters := x.letters + corpus.Letters(); x.stream == nil && letters > x.longest {
		return exceeded(http.StatusRequestEntityTooLarge, "letters", int64(x.longest),
			"more than %d letters; send fewer at a time, or a stream", x.longest)
	}
	for i := range corpus.Len() {
		if len(corpus.Seq(i)) > x.longest {
			return exceeded(http.StatusRequestEntityTooLarge, "letters", int64(x.longest),
				"record %.60q has more than %d letters", corpus.Name(i), x.longest)
		}
	}
	err := x.model.file.Kernel.CheckCorpus(corpus, stringkernel.WindowLength(x.model.classifier.Scorer))
	if err != nil {
		return refusef(http.StatusBadRequest, "%w", all.Placed(err))
	}
	outside, _ := seqio.CountOutside(corpus, x.model.file.Kernel.Alphabet())
	x.outside += outside
	for lo := 0; lo < corpus.Len(); {
		hi, letters := lo, 0
		for hi < corpus.Len() && hi-lo < x.most && (hi == lo || letters+len(corpus.Seq(hi)) <= partLetters) {
			letters += len(corpus.Seq(hi))
			hi++
		}
		if err := x.turn(ctx, corpus.Slice(lo, hi)); err != nil {
			return err
		}
		x.count(hi-lo, letters)
		if lo = hi; lo < corpus.Len() || x.stream != nil {
			if err := x.flush(); err != nil {
				return err
			}
		}
	}
	if x.stream != nil {
		x.stream.next()
	}
	return nil
}

// first returns those of the next records that are answered.
func (x *exchange) first(corpus *stringkernel.Corpus) *stringkernel.Corpus {
	n, letters := 0, x.letters
	for !x.full && n < corpus.Len() {
		letters += len(corpus.Seq(n))
		if x.full = x.request.letters > 0 && letters > x.request.letters; !x.full {
			n++
		}
	}
	return corpus.Slice(0, n)
}

// count counts records that have been answered.
func (x *exchange) count(records, letters int) {
	x.records, x.letters = x.records+records, x.letters+letters
	x.w.model, x.w.records, x.w.letters = x.model.name, x.records, x.letters
	x.metrics.records.add(float64(records), x.model.name)
	x.metrics.letters.add(float64(letters), x.model.name)
}

// turn waits for a place at work and answers a part there.
func (x *exchange) turn(ctx context.Context, part *stringkernel.Corpus) error {
	if err := x.enter(ctx); err != nil {
		return err
	}
	defer x.leave()
	ctx, cancel := context.WithTimeout(ctx, x.limits.Time)
	defer cancel()
	if err := x.part(ctx, part); err != nil {
		return scoringError{err}
	}
	return nil
}

// enter waits for a place at work, unless it has one.
func (x *exchange) enter(ctx context.Context) (err error) {
	if !x.atWork {
		ctx, cancel := context.WithTimeout(ctx, x.limits.Time)
		defer cancel()
		err = x.working.enter(ctx, 1)
		x.atWork = err == nil
	}
	return err
}

// leave gives the place at work back, if it has one.
func (x *exchange) leave() {
	if x.atWork {
		x.working.leave(1)
		x.atWork = false
	}
}

func (x *exchange) predictPart(ctx context.Context, part *stringkernel.Corpus) error {
	predictions, err := x.model.classifier.Predict(ctx, part)
	if err != nil {
		return err
	}
	for i, p := range predictions {
		name := answer.Name{ID: part.Name(i)}
		if err := x.object(answer.Prediction(&x.model.classifier.Rule, name, p), p.Unknown, x.records+i); err != nil {
			return err
		}
	}
	return nil
}

func (x *exchange) explainPart(ctx context.Context, part *stringkernel.Corpus) error {
	explanations := make([]answer.Explanation, part.Len())
	err := parallel.Do(ctx, part.Len(), func(i int) error {
		explanations[i] = x.explainer.Explain(part.Seq(i))
		return nil
	})
	if err != nil {
		return err
	}
	for i := range explanations {
		entry := x.explainer.ExplainedUnits(answer.Name{ID: part.Name(i)}, &explanations[i])
		if err := x.object(entry, explanations[i].Unknown, x.records+i); err != nil {
			return err
		}
	}
	return nil
}

// object writes the answer of a record, given its number from 0.
func (x *exchange) object(v any, unknown bool, number int) error {
	if unknown {
		x.unknown++
	}
	switch {
	case x.request.lines:
	case number == 0:
		if err := x.open(); err != nil {
			return err
		}
	default:
		x.out.WriteByte(',')
	}
	return x.encode.Encode(v)
}

// open begins the object of an answer.
func (x *exchange) open() error {
	begin, err := json.Marshal(struct {
		Model string       `json:"model"`
		Input seqio.Format `json:"input,omitempty"`
	}{x.model.name, x.input})
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	x.out.Write(bytes.TrimSuffix(begin, []byte("}")))
	x.out.WriteString(`,"records":[` + "\n")
	return nil
}

// end ends the answer.
func (x *exchange) end() error {
	if !x.request.lines {
		if x.records == 0 {
			if err := x.open(); err != nil {
				return err
			}
		}
		warnings, err := json.Marshal(x.warnings())
		if err != nil {
			return fmt.Errorf("serve: %w", err)
		}
		x.out.WriteString(`],"warnings":`)
		x.out.Write(warnings)
		x.out.WriteString("}\n")
	}
	if !x.begun {
		x.w.Header().Set("Content-Length", strconv.Itoa(x.out.Len()))
	}
	return x.flush()
}

// warnings says what looks wrong with the records, as predict does.
func (x *exchange) warnings() []string {
	const tolerated = 0.1
	list := []string{}
	if share := float64(x.outside) / float64(max(1, x.letters)); share > tolerated {
		list = append(list, fmt.Sprintf("%.0f %% of the letters are outside the kernel's alphabet, %s, and match "+
			"nothing", 100*share, x.model.file.Kernel.Alphabet()))
	}
	if x.unknown > 0 {
		list = append(list, fmt.Sprintf("%d of %d records are too short or have no feature with a weight in the "+
			"model, so that their decision is the bias alone", x.unknown, x.records))
	}
	return list
}

// flush sends what has been written.
func (x *exchange) flush() error {
	control := http.NewResponseController(x.w)
	if !x.begun {
		kind := typeJSON
		if x.request.lines {
			kind = typeLines
		}
		x.w.Header().Set("Content-Type", kind)
	}
	x.begun = true
	if err := deadline(control.SetWriteDeadline, x.limits.Time); err != nil {
		return err
	}
	_, err := x.w.Write(x.out.Bytes())
	x.out.Reset()
	if err == nil && x.stream != nil {
		err = control.Flush()
	}
	return gone(err)
}
