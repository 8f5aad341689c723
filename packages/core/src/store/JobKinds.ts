/**
 * The table of job kinds: the queue of each, its retries, and its back-off.
 * Source: architecture, "Jobs, external calls and time"; wire contract 6.2 and 11 (38) for webhooks.
 */

import type { IdSource } from "../foundation/ids/IdPool.ts"
import type { Json } from "../foundation/kit/CanonicalJson.ts"
import * as Table from "../foundation/kit/Table.ts"
import type { NewJob, Queue } from "./ChangeSet.ts"
import type { LaneRuns } from "./Store.ts"

interface JobKindRow {
  readonly queue: Queue
  /** A job is parked after this many failed attempts, or this long after the first one. */
  readonly attemptsMax: number
  readonly retryForMillis: number
  /** The wait after the first failure. It doubles up to the maximum, plus or minus the jitter. */
  readonly firstWaitMillis: number
  readonly waitMillisMax: number
  /** The largest random change of a wait, as a fraction of it. */
  readonly jitter: number
  /** How long a failing head of a lane blocks the jobs behind it; absent: until it ends. */
  readonly laneHoldMillis?: number
  /** How many due jobs of a lane one worker claims at once, to run them one after another and end them in one commit; absent: one. */
  readonly laneRunMax?: number
  /** Whether an operator may drop it: no record waits for its end. */
  readonly isDroppable?: true
}

const minute = 60_000
const day = 24 * 60 * minute

const row = (definition: JobKindRow): JobKindRow => definition

/** Work on money or accounts: retried for seven days (D-020). */
const sevenDays = row({
  queue: "work",
  attemptsMax: 5000,
  retryForMillis: 7 * day,
  firstWaitMillis: 1000,
  waitMillisMax: 10 * minute,
  jitter: 0.1,
})

export const JobKinds = Table.make("JobKinds", {
  "transfer.pull": sevenDays,
  "transfer.push": sevenDays,
  "transfer.refund": sevenDays,
  "transfer.confirm": sevenDays,
  /** Pulls the money of a quote. */
  "quote.pull": sevenDays,
  /** Credits the money of a quote to an internal account. */
  "quote.deliver": sevenDays,
  /** Ends a quote that has expired. */
  "quote.end": sevenDays,
  /** Rejects a held action that was not approved in time. */
  "approval.expire": sevenDays,
  /** Records that a further group may approve a held action. */
  "approval.escalate": row({ ...sevenDays, isDroppable: true }),
  /** Moves the platform's earned fees to its account. */
  "fees.sweep": sevenDays,
  "transfer.cancel": sevenDays,
  /** Any response of the endpoint is the decision. Only a failure of the service, between response and commit, is retried. */
  "payment.question": row({ ...sevenDays, queue: "webhook" }),
  /** Ends the platform's time to decide. */
  "payment.time-out": sevenDays,
  /** Asks the rail about a held deposit. */
  "deposit.ask": sevenDays,
  /** Screens a held deposit again, because its sender's wallet is declared or proven. */
  "deposit.screen": sevenDays,
  /** Finds the held deposits from a wallet that is declared or proven. */
  "deposit.declared": sevenDays,
  /** Refuses a deposit that nobody has released. */
  "deposit.expire": sevenDays,
  /** Gives a deposit back to its sender. */
  "deposit.refund": sevenDays,
  "account.verify": sevenDays,
  /** Asks whether an account has an international collection account. */
  "account.collection": sevenDays,
  "card.provision": sevenDays,
  /** Sends a card's state to the issuer. */
  "card.state": row({ ...sevenDays, isDroppable: true }),
  "card.collect": sevenDays,
  "card.expire": sevenDays,
  /** Stores the expiry of an invitation, which reads show without it. */
  "invitation.end": row({ ...sevenDays, isDroppable: true }),
  /** Claims an invitation for an invitee who responds without a request of a platform. */
  "invitation.claim": row({ ...sevenDays, isDroppable: true }),
  /** Opens customers' accounts in a currency that their platform has added. */
  "accounts.open": row({ ...sevenDays, attemptsMax: 1000, isDroppable: true }),
  /** Checks the credentials of a provider account again. */
  "stablecoin.check": row({ ...sevenDays, isDroppable: true }),
  /** Asks the provider about the issuance of a stablecoin. */
  "stablecoin.describe": sevenDays,
  /** Ends a mint or burn whose request did not end it. */
  "stablecoin.attempt": sevenDays,
  /** Asks the provider about a mint or burn. */
  "stablecoin.follow": sevenDays,
  /** Ends a mint or burn whose funding has not arrived in time. */
  "stablecoin.expire": sevenDays,
  /** Creates the customers of an imported file, some rows at a time. */
  "import.run": sevenDays,
  /** Erases the errors of an import that can no longer be read. */
  "import.expire": sevenDays,
  /** Erases a file that no record kept. */
  "file.sweep": sevenDays,
  /** Erases the bytes of files whose records have ended. */
  "file.erase": sevenDays,
  "webhook.deliver": row({
    queue: "webhook",
    // Time ends the retries. While the endpoint's circuit is open, a job is claimed more often than its event is sent.
    attemptsMax: 20_000,
    retryForMillis: 7 * day,
    firstWaitMillis: 5000,
    waitMillisMax: 30 * minute,
    jitter: 0.1,
    laneHoldMillis: 30_000,
    laneRunMax: 16,
    isDroppable: true,
  }),
  /** A test event is delivered without retries. */
  "webhook.test": row({
    queue: "webhook",
    attemptsMax: 1,
    retryForMillis: 0,
    firstWaitMillis: 0,
    waitMillisMax: 0,
    jitter: 0,
    laneHoldMillis: 0,
    isDroppable: true,
  }),
  /** An event that an operator sends again is sent once; the attempt shows what happened. */
  "webhook.resend": row({
    queue: "webhook",
    attemptsMax: 1,
    retryForMillis: 0,
    firstWaitMillis: 0,
    waitMillisMax: 0,
    jitter: 0,
    laneHoldMillis: 0,
    isDroppable: true,
  }),
  /** Asks a new endpoint to prove that it is the platform's. */
  "webhook.prove": row({
    queue: "webhook",
    attemptsMax: 100,
    retryForMillis: day,
    firstWaitMillis: 5000,
    waitMillisMax: 60 * minute,
    jitter: 0.1,
  }),
})

/** A key of the table, which names the handler of a job. */
export type JobKind = (typeof JobKinds.keys)[number]

const runKinds = JobKinds.keys.filter((kind) => JobKinds.get(kind).laneRunMax !== undefined)

/** The jobs that workers claim with the head of their lane. */
export const laneRuns: LaneRuns = {
  kinds: runKinds,
  jobsMax: Math.max(1, ...runKinds.map((kind) => JobKinds.get(kind).laneRunMax ?? 1)),
}

/** Builds a job of a kind for a change set. */
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
    id: ids("Job", options.customerId),
    queue,
    kind,
    ...options,
    ...(laneHoldMillis === undefined ? {} : { laneHoldMillis }),
  }
}

/** Returns the wait (wall ms) after a failed attempt; `random` is uniform in [0, 1). */
export const retryDelayMillis = (kind: JobKind, attempt: number, random: number): number => {
  const { firstWaitMillis, jitter, waitMillisMax } = JobKinds.get(kind)
  const wait = Math.min(firstWaitMillis * 2 ** Math.min(attempt - 1, 40), waitMillisMax)
  return Math.round(wait * (1 + jitter * (2 * random - 1)))
}

/** Whether a failed job has no retries left. */
export const isExhausted = (kind: JobKind, attempt: number, firstClaimedAt: number, wallNow: number): boolean => {
  const { attemptsMax, retryForMillis } = JobKinds.get(kind)
  return attempt >= attemptsMax || wallNow - firstClaimedAt >= retryForMillis
}

/** How long a job may be deferred after its first claim before it is parked. */
const deferralMillisMax = 7 * day

/** Whether a deferred job has waited too long. */
export const isDeferralExhausted = (firstClaimedAt: number, wallNow: number): boolean =>
  wallNow - firstClaimedAt >= deferralMillisMax
