process SEQSVM_TRAIN {
    tag "${meta.id}"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(positive), path(negative)

    output:
    tuple val(meta), path("*.seqsvm"), emit: model
    tuple val(meta), path("*.summary.tsv"), emit: summary
    path "versions.yml", emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    seqsvm train ${args} --quiet --threads ${task.cpus} --max-memory ${task.memory.toMega()}M \\
        --pos ${positive} --neg ${negative} --output ${prefix}.seqsvm > ${prefix}.summary.tsv
    printf '"%s":\\n    seqsvm: %s\\n' "${task.process}" "\$(seqsvm --version | sed 's/.* //')" > versions.yml
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.seqsvm ${prefix}.summary.tsv
    printf '"%s":\\n    seqsvm: %s\\n' "${task.process}" "\$(seqsvm --version | sed 's/.* //')" > versions.yml
    """
}
