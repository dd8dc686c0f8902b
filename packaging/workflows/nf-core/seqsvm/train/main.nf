process SEQSVM_TRAIN {
    tag "${meta.id}"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine == 'singularity' && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/seqsvm:0.1.0--h9ee0642_0'
        : 'biocontainers/seqsvm:0.1.0--h9ee0642_0'}"

    input:
    tuple val(meta), path(positive), path(negative)

    output:
    tuple val(meta), path("*.seqsvm"), emit: model
    tuple val(meta), path("*.summary.tsv"), emit: summary
    tuple val("${task.process}"), val('seqsvm'), eval("seqsvm --version | sed 's/.* //'"), emit: versions_seqsvm, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    seqsvm train ${args} --quiet --threads ${task.cpus} --max-memory ${task.memory.toMega()}M \\
        --pos ${positive} --neg ${negative} --output ${prefix}.seqsvm > ${prefix}.summary.tsv
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.seqsvm ${prefix}.summary.tsv
    """
}
