// From a genome and its annotation to windows, a model, a report on held-out chromosomes, and a scan in parts.
//
//   nextflow run main.nf --genome genome.fa --annotation genes.gff3 --test chr4
//
// Memory and time of each process are upper bounds of what was measured: see README.md.

nextflow.enable.dsl = 2

params.genome = 'genome.fa'
params.annotation = 'genes.gff3'
params.site = 'acceptor'
params.test = 'chr4'
params.kernel = 'wd:d=10,shift=1'
params.shards = 4
params.min_score = 0
params.outdir = 'results'

def megabytes(file) { (long) (file.size() / 1000000) }

process WINDOWS {
    memory { 200.MB + 4.MB * megabytes(genome) }
    time '30m'

    input:
    path genome
    path annotation

    output:
    path 'train.fa', emit: train
    path 'test.fa', emit: test

    script:
    """
    seqsvm genome windows --quiet --threads ${task.cpus} --genome ${genome} --annotation ${annotation} \\
        --site ${params.site} --split chrom=${params.test} --train train.fa --test test.fa
    """
}

process TRAIN {
    cpus 4
    memory { 300.MB + 30.MB * megabytes(train) }
    time '4h'

    input:
    path train

    output:
    path 'model.seqsvm'

    script:
    """
    seqsvm train --quiet --threads ${task.cpus} --kernel '${params.kernel}' ${train} --output model.seqsvm
    """
}

process REPORT {
    cpus 2
    memory { 200.MB + 40.MB * megabytes(test) }
    time '1h'
    publishDir params.outdir, mode: 'copy'

    input:
    path model
    path test

    output:
    path 'report.html'

    script:
    """
    seqsvm report --quiet --threads ${task.cpus} --model ${model} ${test} --output report.html
    """
}

process SCAN {
    cpus 2
    memory 500.MB
    time '4h'

    input:
    tuple val(number), path(model), path(genome)

    output:
    path "${number}.bed.zst", emit: hits
    path "${number}.bed.zst.shard", emit: notes

    script:
    """
    seqsvm scan --quiet --threads ${task.cpus} --model ${model} --min-score ${params.min_score} \\
        --shard ${number}/${params.shards} ${genome} --output ${number}.bed.zst
    """
}

process MERGE {
    memory 200.MB
    time '30m'
    publishDir params.outdir, mode: 'copy'

    input:
    path hits
    path notes

    output:
    path 'hits.bed.gz'
    path 'hits.bed.gz.tbi'

    script:
    """
    seqsvm model merge --quiet ${hits} --output hits.bed.gz
    """
}

workflow SEQSVM {
    take:
    genome
    annotation

    main:
    WINDOWS(genome, annotation)
    TRAIN(WINDOWS.out.train)
    REPORT(TRAIN.out, WINDOWS.out.test)
    SCAN(Channel.of(1..params.shards).combine(TRAIN.out).combine(genome))
    MERGE(SCAN.out.hits.collect(), SCAN.out.notes.collect())

    emit:
    hits = MERGE.out[0]
    report = REPORT.out
}

workflow {
    SEQSVM(Channel.fromPath(params.genome, checkIfExists: true),
        Channel.fromPath(params.annotation, checkIfExists: true))
}
