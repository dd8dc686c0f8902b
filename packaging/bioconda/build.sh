#!/usr/bin/env bash
set -euxo pipefail
export CGO_ENABLED=0
go build -trimpath -tags urfave_cli_no_docs -ldflags='-s -w' -o "$PREFIX/bin/seqsvm" ./cmd/seqsvm
go-licenses save ./cmd/seqsvm --save_path library_licenses
"$PREFIX/bin/seqsvm" about man --folder "$PREFIX/share/man/man1"
for shell in bash:bash-completion/completions/seqsvm zsh:zsh/site-functions/_seqsvm \
  fish:fish/vendor_completions.d/seqsvm.fish; do
  file=$PREFIX/share/${shell#*:}
  mkdir -p "${file%/*}"
  "$PREFIX/bin/seqsvm" about completion "${shell%%:*}" >"$file"
done
