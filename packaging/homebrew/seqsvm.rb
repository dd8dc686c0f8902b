# Formula for Homebrew: builds the tool from the source of a release.
class Seqsvm < Formula
  desc "Support vector machines on sequences, with string kernels in linear time"
  homepage "https://github.com/seqsvm/seqsvm"
  url "https://github.com/seqsvm/seqsvm/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000" # of the archive, once it is there
  license "BSD-3-Clause"
  head "https://github.com/seqsvm/seqsvm.git", branch: "main"

  depends_on "go" => :build

  def install
    ENV["CGO_ENABLED"] = "0"
    system "go", "build", *std_go_args(ldflags: "-s -w"), "./cmd/seqsvm"
    generate_completions_from_executable(bin/"seqsvm", "about", "completion")
    system bin/"seqsvm", "about", "man", "--folder", man1
  end

  test do
    (testpath/"t.fa").write(">a label=x\nACGTTGCA\n>b label=y\nTTTTTTTT\n")
    system bin/"seqsvm", "train", "--kernel", "spectrum:k=3", "t.fa", "-o", "t.seqsvm"
    assert_match "a", shell_output("#{bin}/seqsvm predict -m t.seqsvm t.fa")
  end
end
