# The terminal: only one run at a time in a folder, progress in a few lines, a summary at the end.
from rankbench.experiments.places import unwritable
from snakemake.logging import logger


def summarise():
    """Print what ran and what is missing, of a part only which data; return whether nothing broke."""
    from rankbench.report import summary  # imported here: planning needs no pandas

    asked = workflow.dag_settings
    if {*asked.targets} - {"all"} or asked.until or asked.omit_from or asked.batch:
        tables = {job.wildcards.dataset for job in workflow.dag.jobs if job.rule.name == "build_table"}
        return summary.tell_absent(sorted(tables), DATASETS)
    return summary.summarise(EXPERIMENTS, DATASETS)


def refuse(lines):
    """End Snakemake with these lines. It would add the place in this file to those of an error."""
    logger.error("\n".join(map(str, lines)))
    sys.exit(1)


# Each of these folders may be on a different disk.
FOLDERS = ["resources", "results", *(f"results/{name}" for name in EXPERIMENTS)]


onstart:
    global RUN_LOCK  # held until the process ends
    try:
        RUN_LOCK = RUN_LOCK or hold()
    except ValueError as error:
        refuse([error])
    if lines := [*unwritable(FOLDERS)]:
        refuse(lines)
    # With a limit of jobs per second, Snakemake 9 looks for free jobs again one second after each look, and the looks add
    # up: after 700 jobs there are 700 per second. Here the cores are the limit. No option takes the limit away: the default
    # of --max-jobs-per-timespan is 100/1s, an empty value in a profile is skipped, and with a longer time its timers keep
    # Snakemake from ending.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
    work = {block.rule: block.work for block in BLOCKS}
    runs = [job for job in workflow.dag.needrun_jobs() if job.rule.name in work]
    plan = {workflow.dag.jobid(job): work[job.rule.name](job.wildcards) for job in runs}
    logger.info("", extra={"event": "plan", "work": plan})


onsuccess:
    if not summarise():
        sys.exit(1)


onerror:
    if lines := list(unwritable(FOLDERS)):
        logger.error("\n".join(lines))
    else:
        summarise()
        logger.error("Not all jobs ended; the same command continues where this run stopped.")
