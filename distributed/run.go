package distributed

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

func init() {
	register.DoFn2x0[[]byte, func(int)](&dealFn{})
	register.DoFn2x1[context.Context, int, error](&partFn{})
	register.Emitter1[int]()
}

// Job is where and how the work of a job is done.
type Job struct {
	Output   string    // what the names of the parts begin with, on any file system that Beam knows
	Lanes    int       // parts that may be worked on at once; 0: one per processor of this machine
	PartSize int64     // bytes of input of a part, or letters of a genome; 0: 64 MiB
	Log      io.Writer // progress; nil: nowhere
}

// defaultPartSize is the size of a part where none is given.
const defaultPartSize = 64 << 20

func (j *Job) partSize() int64 {
	if j.PartSize > 0 {
		return j.PartSize
	}
	return defaultPartSize
}

func (j *Job) say(format string, args ...any) {
	if j.Log != nil {
		fmt.Fprintf(j.Log, "seqsvm-beam: "+format+"\n", args...)
	}
}

// Counters of Beam, in the namespace seqsvm.
var (
	partsDone   = beam.NewCounter("seqsvm", "parts")
	recordsDone = beam.NewCounter("seqsvm", "records")
	lettersDone = beam.NewCounter("seqsvm", "letters")
	withoutAny  = beam.NewCounter("seqsvm", "records without a feature")
	windowsDone = beam.NewCounter("seqsvm", "windows written")
)

// work is what the parts of a job are made by. It is encoded in JSON and sent to the workers.
type work interface {
	// do does part i (0-based). Calls for the same part have the same effect, also if one of them failed half way or
	// both run at once.
	do(ctx context.Context, part int) error
}

// kinds are the works by their names: functions that return an empty one.
var kinds = map[string]func() work{
	"predict": func() work { return new(prediction) },
	"scan":    func() work { return new(scanning) },
	"kernel":  func() work { return new(gramBlocks) },
	"pass":    func() work { return new(pass) },
}

// partFn does parts of a work.
type partFn struct {
	Kind string
	Work []byte // JSON

	work work
}

// newPartFn returns a function that does parts of a work of a kind.
func newPartFn(kind string, w work) (*partFn, error) {
	text, err := json.Marshal(w)
	return &partFn{Kind: kind, Work: text}, err
}

// Setup decodes the work.
func (f *partFn) Setup() error {
	f.work = kinds[f.Kind]()
	return json.Unmarshal(f.Work, f.work)
}

// ProcessElement does a part.
func (f *partFn) ProcessElement(ctx context.Context, part int) error {
	if err := f.work.do(ctx, part); err != nil {
		return err
	}
	partsDone.Inc(ctx, 1)
	return nil
}

// dealFn yields the numbers of the parts of a lane.
type dealFn struct {
	Lane, Lanes, Parts int
}

// ProcessElement yields the numbers.
func (f *dealFn) ProcessElement(_ []byte, emit func(int)) {
	for part := f.Lane; part < f.Parts; part += f.Lanes {
		emit(part)
	}
}

// lanes is how many parts may be worked on at once.
func (j *Job) lanes() int {
	if j.Lanes > 0 {
		return j.Lanes
	}
	return runtime.NumCPU()
}

// run runs a pipeline that does all parts.
func (j *Job) run(ctx context.Context, parts int, kind string, w work) (beam.PipelineResult, error) {
	fn, err := newPartFn(kind, w)
	if err != nil {
		return nil, err
	}
	lanes := min(j.lanes(), parts)
	p, s := beam.NewPipelineWithRoot()
	for lane := range lanes {
		numbers := beam.ParDo(s, &dealFn{Lane: lane, Lanes: lanes, Parts: parts}, beam.Impulse(s))
		beam.ParDo0(s, fn, numbers)
	}
	return beamx.RunWithMetrics(ctx, p)
}

// runOutput runs a pipeline whose parts are those of the output, and names them.
func (j *Job) runOutput(ctx context.Context, parts int, kind string, w work) error {
	if err := prepare(ctx, j.Output, parts); err != nil {
		return err
	}
	j.say("%d parts", parts)
	result, err := j.run(ctx, parts, kind, w)
	if err != nil {
		return err
	}
	if err := publish(ctx, j.Output, parts); err != nil {
		return err
	}
	j.sayCounters(result)
	return nil
}

// sayCounters logs the counters of a pipeline.
func (j *Job) sayCounters(result beam.PipelineResult) {
	if result == nil {
		return
	}
	all := result.Metrics().Query(func(r beam.MetricResult) bool { return r.Namespace() == "seqsvm" })
	sums := map[string]int64{}
	for _, c := range all.Counters() {
		sums[c.Name()] += counted(c)
	}
	var said []string
	for _, name := range []string{"parts", "records", "letters", "windows written", "records without a feature"} {
		if n := sums[name]; n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, name))
		}
	}
	j.say("%s", strings.Join(said, ", "))
}

func counted(c metrics.CounterResult) int64 {
	return cmp.Or(c.Committed, c.Attempted)
}
