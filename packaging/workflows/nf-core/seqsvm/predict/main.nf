process SEQSVM_PREDICT {
    tag "${meta.id}"
    label 'process_low'

    conda "${moduleDir}/environment.yml"

    input:
    tuple val(meta), path(records)
    path model

    output:
    tuple val(meta), path("*.tsv"), emit: decisions
    path "versions.yml", emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    seqsvm predict ${args} --quiet --threads ${task.cpus} --model ${model} ${records} --output ${prefix}.tsv
    printf '"%s":\\n    seqsvm: %s\\n' "${task.process}" "\$(seqsvm --version | sed 's/.* //')" > versions.yml
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.tsv
    printf '"%s":\\n    seqsvm: %s\\n' "${task.process}" "\$(seqsvm --version | sed 's/.* //')" > versions.yml
    """
}
