/**
 * What remains of a simulated run after a month: events and the errors of imports are deleted, and nothing else is. The events of one record are
 * kept, because a delivery of it is unfinished.
 * Source: D-056, D-104; wire contract area 1.5.
 */
import { eventLane } from "@countersign/core/store"
import type { Answers, Body } from "./Answers.ts"
import { all, allEvents, jobsOf } from "./Audit.ts"
import { addLateDelivery } from "./LateDelivery.ts"
import type { SweepingCommits } from "./SweepingCommits.ts"
import type { Pay } from "./World.ts"

/** A month of business time, and a day more. */
const later = "31 days"

/** What is never deleted by time, each with the path of its list. */
const lists = (pay: Pay): ReadonlyArray<string> => [
  "/transactions?",
  "/cards?",
  `/customers/external-accounts?customerId=${pay.customerId}&`,
  `/documents?documentHolder=${pay.customerId}&`,
  "/customers?",
  "/audit-records?",
]

const recordsOf = async (pay: Pay): Promise<ReadonlyMap<string, string>> => {
  const records = new Map<string, string>()
  for (const path of lists(pay)) {
    for (const record of await all<Body>(pay, path)) records.set(String(record["id"]), JSON.stringify(record))
  }
  for (const book of await pay.books()) records.set(`the book ${book.id}`, JSON.stringify(book))
  return records
}

/** The lanes of unfinished jobs: they keep their events. */
const keptLanes = async (pay: Pay): Promise<ReadonlySet<string | undefined>> =>
  new Set((await jobsOf(pay)).map(({ lane }) => lane))

/** The old events that are listed, and whose deliveries are finished. */
const oldEvents = async (pay: Pay, old: ReadonlySet<string>) => {
  const kept = await keptLanes(pay)
  return (await allEvents(pay)).filter(({ id, subject }) => old.has(id) && !kept.has(eventLane(subject)))
}

export const retentionProblems = async (
  pay: Pay,
  answers: Answers,
  commit: SweepingCommits,
): Promise<ReadonlyArray<string>> => {
  const before = await recordsOf(pay)
  const events = await allEvents(pay)
  const old = new Set(events.map(({ id }) => id))
  const [undelivered] = events
  if (undelivered !== undefined) await addLateDelivery(pay, undelivered)
  await pay.clock.advance(later)
  await commit(pay, { count: events.length, left: async () => (await oldEvents(pay, old)).length })
  const after = await recordsOf(pay)
  const left = await oldEvents(pay, old)
  const listed = new Set((await allEvents(pay)).map(({ id }) => id))
  const needed = events.filter(({ subject }) => subject === undelivered?.subject)
  const problems = [
    ...left.map(({ id }) => `${id} is older than its retention and is listed`),
    ...needed.flatMap(({ id }) => (listed.has(id) ? [] : [`${id} was deleted before its delivery was finished`])),
    ...[...before].flatMap(([id, record]) => {
      const now = after.get(id)
      if (now === undefined) return [`${id} was deleted by time`]
      return now === record ? [] : [`${id} was changed by time: ${record}, then ${now}`]
    }),
  ]
  for (const id of answers.imports.keys()) {
    const { status } = await pay.send("GET", `/customers/bulk/jobs/${id}`)
    if (status !== 404) problems.push(`${id} is older than its retention and is ${status}`)
  }
  return problems
}
