package metrics_test

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

func ExampleAUROC() {
	scores := []float64{0.9, 0.8, 0.7, 0.6}
	positive := []bool{true, false, true, false}
	area, err := metrics.AUROC(scores, positive)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(area)
	// Output: 0.75
}

// The metrics of two folds and their mean; AUPRC is undefined in the second,
// which holds no positive record.
func ExampleMeanSD() {
	classes := []string{"other", "promoter"}
	first, err := metrics.Evaluate(classes, []int{1, 0}, []int{1, 0}, [][]float64{{2, 1}}, 1)
	if err != nil {
		log.Fatal(err)
	}
	second, err := metrics.Evaluate(classes, []int{0, 0}, []int{0, 1}, [][]float64{{1, 2}}, 1)
	if err != nil {
		log.Fatal(err)
	}
	mean, sd := metrics.MeanSD([]metrics.Report{first, second})
	fmt.Printf("accuracy %.2f ± %.4f, AUPRC %.1f\n", mean.Value("accuracy"), sd.Value("accuracy"), mean.Value("auprc"))
	if err := json.NewEncoder(os.Stdout).Encode(second.Scalars); err != nil {
		log.Fatal(err)
	}
	// Output:
	// accuracy 0.75 ± 0.3536, AUPRC 1.0
	// {"accuracy":0.5,"balanced_accuracy":0.5,"auroc":null,"auprc":null,"f1_macro":0.3333333333333333,"f1_micro":0.5,"mcc":null}
}
