package dataset

// blockedFolds assigns every record the fold of its block: Groups are dealt to p parts and Others to as many, with p·p
// ≤ k, p at least 2, and a block is a part of each. Blocks without records are no folds.
func (d *Dataset) blockedFolds(k int, seed uint64) ([]int, error) {
	if err := d.checkFoldCount(k); err != nil {
		return nil, err
	}
	p := 2
	for (p+1)*(p+1) <= k {
		p++
	}
	fold, _ := foldGroups(d.Y, d.Groups, len(d.Classes), p, seed)
	right, _ := foldGroups(d.Y, d.Others, len(d.Classes), p, seed+1)
	number, filled := make([]int, p*p), 0
	for i, part := range right {
		fold[i] = fold[i]*p + part
		if number[fold[i]] == 0 {
			filled++
			number[fold[i]] = filled
		}
		fold[i] = number[fold[i]] - 1
	}
	return fold, d.CheckFolds(fold)
}

// Split returns the records outside and inside a fold. With Others, the former are those that share no group, of
// either kind, with one of the latter. Without a data set it splits as without Others.
func (d *Dataset) Split(fold []int, f int) (train, test []int) {
	tested := map[string]bool{}
	for i, g := range fold {
		if g == f {
			test = append(test, i)
			if d != nil && d.Others != nil {
				tested[d.Groups[i]], tested[d.Others[i]] = true, true
			}
		}
	}
	for i, g := range fold {
		if g != f && (len(tested) == 0 || !tested[d.Groups[i]] && !tested[d.Others[i]]) {
			train = append(train, i)
		}
	}
	return train, test
}
