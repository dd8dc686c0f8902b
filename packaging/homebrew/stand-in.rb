# Stands in for Homebrew: runs what a formula does to install and to test, in a folder.
#
#   ruby packaging/homebrew/stand-in.rb FORMULA FOLDER
require "pathname"

class Formula
  attr_reader :bin, :man1, :testpath

  def self.test(&block) = define_method(:run_test, &block)
  def self.method_missing(*) = nil # url, license, depends_on …

  def initialize(folder)
    @folder = Pathname(folder).expand_path
    @bin, @man1, @testpath = %w[bin man1 test].map { |name| (@folder / name).tap(&:mkpath) }
  end

  def system(*command) = Kernel.system(*command.map(&:to_s), exception: true)
  def std_go_args(ldflags:) = ["-trimpath", "-o=#{bin}/seqsvm", "-ldflags=#{ldflags}"]
  def shell_output(command) = `#{command}`.tap { raise command unless $?.success? }
  def assert_match(part, text) = text.include?(part) || raise("no #{part} in #{text}")

  def generate_completions_from_executable(*command)
    %w[bash zsh fish].each { |shell| (@folder / shell).write(shell_output([*command, shell].join(" "))) }
  end
end

load ARGV[0]
formula = Seqsvm.new(ARGV[1])
formula.install
Dir.chdir(formula.testpath) { formula.run_test }
