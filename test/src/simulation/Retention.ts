/**
 * What remains of a simulated run after a month: events and the errors of imports are deleted, and nothing else is.
 * Source: D-056, D-104; wire contract area 1.5.
 */
import type { Answers, Body } from "./Answers.ts"
import { all, allEvents, jobsOf } from "./Audit.ts"
import type { Pay } from "./World.ts"

/** A month of business time, and a day more. */
const later = "31 days"

/** A commit deletes at most this many events. */
const deletedPerCommit = 8

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

export const retentionProblems = async (pay: Pay, answers: Answers): Promise<ReadonlyArray<string>> => {
  const before = await recordsOf(pay)
  const events = await allEvents(pay)
  await pay.clock.advance(later)
  for (let left = Math.ceil(events.length / deletedPerCommit) + 1; left > 0; left--)
    await pay.send("POST", "/webhooks/endpoint/enable")
  const after = await recordsOf(pay)
  const kept = await keptLanes(pay)
  const old = new Set(events.map(({ id }) => id))
  const left = (await allEvents(pay)).filter(({ id, subject }) => old.has(id) && !kept.has(`event:${subject}`))
  const problems = [
    ...left.map(({ id }) => `${id} is older than its retention and is listed`),
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
