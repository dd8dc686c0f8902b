process SEQSVM_PREDICT {
    tag "${meta.id}"
    label 'process_low'

    conda "${moduleDir}/environment.yml"
    container "${workflow.containerEngine == 'singularity' && !task.ext.singularity_pull_docker_container
        ? 'https://depot.galaxyproject.org/singularity/seqsvm:0.1.0--h9ee0642_0'
        : 'biocontainers/seqsvm:0.1.0--h9ee0642_0'}"

    input:
    tuple val(meta), path(records)
    tuple val(meta2), path(model)

    output:
    tuple val(meta), path("*.tsv"), emit: decisions
    tuple val("${task.process}"), val('seqsvm'), eval("seqsvm --version | sed 's/.* //'"), emit: versions_seqsvm, topic: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    if ("${records}" == "${prefix}.tsv") error("Input and output have one name: set task.ext.prefix")
    """
    seqsvm predict ${args} --quiet --threads ${task.cpus} --model ${model} ${records} --output ${prefix}.tsv
    """

    stub:
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.tsv
    """
}
