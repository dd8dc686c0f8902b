package decide

// DecisionOf returns an untrained but valid decision.
func DecisionOf(scheme string, classes ...string) Rule {
	d := Rule{Classes: classes, Scheme: scheme, Positive: 1}
	d.Machines = schemeNamed(scheme).binaries(&d)
	for m := range d.Machines {
		d.Machines[m].Rho = float64(m)
	}
	return d
}
