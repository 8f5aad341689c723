/**
 * The table of jobs: which queue works them, how often they are tried, and how long they wait in between.
 * Source: architecture, "Jobs, outside calls and time"; wire contract 6.2 and 11 (38) for webhooks.
 */

import type { IdSource } from "../foundation/ids/IdPool.ts"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import * as Table from "../foundation/kit/Table.ts"
import type { NewJob, Queue } from "./ChangeSet.ts"

interface JobKindRow {
  readonly queue: Queue
  /** After so many failed attempts, or so long after the first one, it is parked. */
  readonly attemptsMax: number
  readonly retryForMillis: number
  /** The first wait after a failure; it doubles up to the cap, give or take the jitter. */
  readonly firstWaitMillis: number
  readonly waitMillisMax: number
  /** Fraction of the wait by which chance moves it. */
  readonly jitter: number
  /** How long a failing head of a lane holds those behind it; absent: until it ends. */
  readonly laneHoldMillis?: number
}

const minute = 60_000
const day = 24 * 60 * minute

const row = (definition: JobKindRow): JobKindRow => definition

/** Work that others wait for, with money or with an account: tried for seven days (D-020). */
const patient = row({
  queue: "work",
  attemptsMax: 5000,
  retryForMillis: 7 * day,
  firstWaitMillis: 1000,
  waitMillisMax: 10 * minute,
  jitter: 0.1,
})

export const JobKinds = Table.make("JobKinds", {
  "transfer.pull": patient,
  "transfer.push": patient,
  "transfer.refund": patient,
  "transfer.confirm": patient,
  /** Pulls the money of a quote. */
  "quote.pull": patient,
  /** Brings the money of a quote to an internal account. */
  "quote.deliver": patient,
  /** Looks what time has done to a quote. */
  "quote.end": patient,
  /** Brings what the platform earned to its account. */
  "fees.sweep": patient,
  "transfer.cancel": patient,
  /** Whatever the endpoint does is the decision: only what fails in the house, between answer and commit, is tried again. */
  "payment.question": row({ ...patient, queue: "webhook" }),
  /** The platform's time to decide is over. */
  "payment.time-out": patient,
  "account.verify": patient,
  "card.provision": patient,
  /** The issuer is told of a card's state. */
  "card.state": patient,
  "card.collect": patient,
  "card.expire": patient,
  /** Opens the accounts of customers in a currency that their platform has added. */
  "accounts.open": row({ ...patient, attemptsMax: 1000 }),
  "webhook.deliver": row({
    queue: "webhook",
    attemptsMax: 1000,
    retryForMillis: 7 * day,
    firstWaitMillis: 5000,
    waitMillisMax: 30 * minute,
    jitter: 0.1,
    laneHoldMillis: 30_000,
  }),
  /** A test event is tried once. */
  "webhook.test": row({
    queue: "webhook",
    attemptsMax: 1,
    retryForMillis: 0,
    firstWaitMillis: 0,
    waitMillisMax: 0,
    jitter: 0,
    laneHoldMillis: 0,
  }),
})

export type JobKind = (typeof JobKinds.keys)[number]

/** A job of a kind, as the change set carries it. */
export const job = (
  ids: IdSource,
  kind: JobKind,
  options: {
    readonly customerId: string | null
    readonly dueAt: number
    readonly payload: Json
    readonly lane?: string
  },
): NewJob => {
  const { laneHoldMillis, queue } = JobKinds.get(kind)
  return {
    id: ids("Job"),
    queue,
    kind,
    ...options,
    ...(laneHoldMillis === undefined ? {} : { laneHoldMillis }),
  }
}

/** How long to wait (wall ms) after a failed attempt; `chance` is uniform in [0, 1). */
export const retryDelayMillis = (kind: JobKind, attempt: number, chance: number): number => {
  const { firstWaitMillis, jitter, waitMillisMax } = JobKinds.get(kind)
  const wait = Math.min(firstWaitMillis * 2 ** Math.min(attempt - 1, 40), waitMillisMax)
  return Math.round(wait * (1 + jitter * (2 * chance - 1)))
}

/** Whether a job that failed again has had its chances. */
export const isExhausted = (kind: JobKind, attempt: number, firstClaimedAt: number, wallNow: number): boolean => {
  const { attemptsMax, retryForMillis } = JobKinds.get(kind)
  return attempt >= attemptsMax || wallNow - firstClaimedAt >= retryForMillis
}
