/**
 * The metrics of the service. Operations, jobs and deliveries update them in a few places. Labels name code and tables, never a record
 * or a person.
 * Source: D-194.
 */
import { Clock, Effect, Metric } from "effect"
import type { CommitOutcome } from "../store/ChangeSet.ts"
import type { StateTransition } from "../store/StateTransitions.ts"
import type { ClaimedJob } from "../store/Store.ts"

/** Seconds, from a millisecond to half an hour. */
const boundaries = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]

const counter = (name: string, description: string) =>
  Metric.counter(`countersign_${name}`, { description, incremental: true })
/** Returns a histogram of durations in seconds, whose exported name begins with `countersign_`. */
export const seconds = (name: string, description: string) =>
  Metric.histogram(`countersign_${name}`, { description, boundaries })

type Labels = Readonly<Record<string, string>>

/** Returns a metric by its labels and creates each combination once. */
export const labelled = <Input, State>(metric: Metric.Metric<Input, State>) => {
  const labelledMetrics = new Map<string, Metric.Metric<Input, State>>()
  return (labels: Labels): Metric.Metric<Input, State> => {
    const key = Object.values(labels).join("\u0000")
    const found = labelledMetrics.get(key) ?? Metric.withAttributes(metric, labels)
    labelledMetrics.set(key, found)
    return found
  }
}

const commits = labelled(counter("commits_total", "Change sets given to the store, by operation and outcome."))
const transitions = labelled(counter("transitions_total", "States that records left and reached, by kind and field."))
const jobs = labelled(counter("jobs_total", "Attempts at jobs, by kind and what became of them."))
const jobLag = labelled(seconds("job_lag_seconds", "From a job's due time to the start of its first attempt."))
const wrongSecrets = labelled(counter("wrong_secrets_total", "Wrong secrets, by the limit that counts them."))
const webhookLag = seconds("webhook_lag_seconds", "From an event's commit to its acknowledged delivery.")

/** Counts a commit by its outcome, and its state transitions if it was applied. */
export const committed = (
  operation: string,
  outcome: CommitOutcome["_tag"],
  stateTransitions: ReadonlyArray<StateTransition>,
): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(commits({ operation, outcome }), 1),
    outcome === "Committed" && stateTransitions.length > 0
      ? Effect.forEach(stateTransitions, (transition) => Metric.update(transitions({ ...transition }), 1), {
          discard: true,
        })
      : Effect.void,
  )

/** Records the start of an attempt. */
export const started = ({ attempt, dueAt, kind }: ClaimedJob): Effect.Effect<void> =>
  attempt > 1
    ? Effect.void
    : Effect.flatMap(Clock.currentTimeMillis, (now) => Metric.update(jobLag({ kind }), (now - dueAt) / 1000))

/** Counts a finished attempt. */
export const attempted = (kind: string, outcome: "done" | "retry" | "parked" | "lost"): Effect.Effect<void> =>
  Metric.update(jobs({ kind, outcome }), 1)

/** Records that a platform has acknowledged an event of this time (ms). */
export const delivered = (createdAt: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Metric.update(webhookLag, (now - createdAt) / 1000))

/** Counts a wrong secret. */
export const secretWasWrong = (limit: string): Effect.Effect<void> => Metric.update(wrongSecrets({ limit }), 1)
