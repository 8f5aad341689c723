/**
 * What remains of a simulated run after a month: events and the errors of imports are deleted, and nothing else is.
 * Source: D-056, D-104; wire contract area 1.5.
 */
import type { Answers, Body } from "./Answers.ts"
import { all, allEvents, jobsOf } from "./Audit.ts"
import type { Pay } from "./World.ts"

/** A month of business time, and a day more. */
const later = "31 days"

/** A commit in memory deletes at most this many events. */
const deletedPerCommit = 8

/** A server sweeps one cell after the other, each behind some hundred commits of a process. */
const commitsPerRound = 250
const roundsMax = 6
const atOnce = 25

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
  return (await allEvents(pay)).filter(({ id, subject }) => old.has(id) && !kept.has(`event:${subject}`))
}

const commit = (pay: Pay) => pay.send("POST", "/webhooks/endpoint/enable")

/** Commits until a server has swept all of its cells, or far more often than that takes. */
const commitOnServer = async (pay: Pay, old: ReadonlySet<string>): Promise<void> => {
  for (let round = 0; round < roundsMax && (await oldEvents(pay, old)).length > 0; round++) {
    for (let left = commitsPerRound; left > 0; left -= atOnce)
      await Promise.all(Array.from({ length: atOnce }, () => commit(pay)))
  }
}

/** `isServer`: the store is a server's, and not in memory. */
export const retentionProblems = async (
  pay: Pay,
  answers: Answers,
  isServer: boolean,
): Promise<ReadonlyArray<string>> => {
  const before = await recordsOf(pay)
  const events = await allEvents(pay)
  const old = new Set(events.map(({ id }) => id))
  await pay.clock.advance(later)
  if (isServer) await commitOnServer(pay, old)
  else for (let left = Math.ceil(events.length / deletedPerCommit) + 1; left > 0; left--) await commit(pay)
  const after = await recordsOf(pay)
  const left = await oldEvents(pay, old)
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
