/** How sets are sent to the commit functions, and what becomes of each answer and error. Source: `Commits.ts`; ports/Store.ts; D-318. */
import { describe, expect, it } from "vitest"
import * as Commits from "../../../../packages/adapter-postgres/src/commit/Commits.ts"
import { raceRetriesMax } from "../../../../packages/adapter-postgres/src/commit/Commits.ts"
import type { Statement } from "../../../../packages/adapter-postgres/src/connection/Connection.ts"
import { adding, type Pending, pending } from "./Pending.ts"

const committed = { _tag: "Committed", sums: "1" }
const grouped = (counters: ReadonlyArray<number>, queues: ReadonlyArray<string> = []) => ({
  balances: [],
  sequences: [],
  counters,
  owners: [],
  queues,
})
const failing = (code: string, detail?: string) => Object.assign(new Error(code), { code, severity: "ERROR", detail })

/** The answers to the statements of a kind, one after another; the last one stays. */
interface Answers {
  readonly group?: ReadonlyArray<unknown>
  readonly serial?: ReadonlyArray<unknown>
  readonly locked?: ReadonlyArray<unknown>
}

type Kind = keyof Answers

const kindOf = ({ name = "" }: Statement): Kind =>
  name === "countersign_commit_group" ? "group" : name === "countersign_commit_serial" ? "serial" : "locked"

const world = (answers: Answers, isTransaction = false) => {
  const asked: Array<Kind> = []
  const values: Array<Statement["values"]> = []
  const released: Array<unknown> = []
  const elapse: Array<() => void> = []
  const counts = { group: 0, serial: 0, locked: 0 }
  const connection = {
    query: async (statement: Statement) => {
      const kind = kindOf(statement)
      asked.push(kind)
      values.push(statement.values)
      const all = answers[kind] ?? []
      const answer = all[Math.min(counts[kind]++, all.length - 1)]
      if (answer instanceof Error) throw answer
      return [answer === undefined ? null : JSON.stringify(answer)]
    },
    session: () => Promise.reject(new Error("no session is needed")),
    concurrentBatches: 1,
    isTransaction,
  }
  const commits = Commits.make(connection, {
    intervalsMax: 10,
    release: (sets) => void released.push(...sets),
    startInterval: (onElapsed) => void elapse.push(onElapsed),
  })
  return { asked, commits, elapse, released, values }
}

const two = () => [adding("a"), adding("b")] as const
const alone = (key = "x"): Pending => pending({ counters: [{ key, delta: 1, expected: 0 }] })
const tagsOf = (...sets: ReadonlyArray<Pending>) =>
  sets.map(({ results }) => results.map((result) => (result._tag === "Outcome" ? result.outcome._tag : result._tag)))

describe("sets that the set-based commit takes", () => {
  it("are committed in one statement, each with its own sums", async () => {
    const { asked, commits } = world({ group: [grouped([7, 3], ["work"])] })
    const [a, b] = two()
    await commits.send([a, b])
    expect([asked, tagsOf(a, b)]).toEqual([["group"], [["Committed"], ["Committed"]]])
    expect(a.results[0]).toMatchObject({ queues: ["work"], outcome: { facts: { counters: { a: 7 } } } })
    expect(b.results[0]).toMatchObject({ outcome: { facts: { counters: { b: 3 } } } })
  })

  it("are sent without those that prevent it, which are committed one by one", async () => {
    const { asked, commits } = world({
      group: [{ failedSets: [1] }, grouped([1])],
      serial: [[{ _tag: "Conflict", on: "counter a" }]],
    })
    const [a, b] = two()
    await commits.send([a, b])
    expect([asked, tagsOf(a, b)]).toEqual([
      ["group", "group", "serial"],
      [["Conflict"], ["Committed"]],
    ])
  })

  it("are diagnosed after a conflict that names none, and then sent one after another", async () => {
    const { asked, commits, values } = world({
      group: [failing("CS002"), { failedSets: [] }],
      serial: [[committed, committed]],
    })
    const [a, b] = two()
    await commits.send([a, b])
    expect(asked).toEqual(["group", "group", "serial"])
    expect(values.slice(0, 2).map(([isDiagnosed]) => isDiagnosed)).toEqual(["false", "true"])
    expect(tagsOf(a, b)).toEqual([["Committed"], ["Committed"]])
  })

  it("are diagnosed at once after a conflict, sixteen times", async () => {
    const { commits, values } = world({
      group: [{ failedSets: [1] }, grouped([1, 1])],
      serial: [[committed]],
    })
    await commits.send(two())
    const before = values.length
    for (let n = 0; n < 16; n++) await commits.send(two())
    const diagnosed = values.slice(before).map(([isDiagnosed]) => isDiagnosed)
    expect(diagnosed).toEqual([...Array.from({ length: 15 }, () => "true"), "false"])
  })

  it("that have expired are sent one by one, because they may have been committed before", async () => {
    const { asked, commits } = world({
      group: [grouped([1])],
      serial: [[{ _tag: "Conflict", on: "validUntil" }]],
    })
    const late = { ...adding("a"), isLate: () => true }
    const inTime = adding("b")
    await commits.send([late, inTime])
    expect([asked, tagsOf(late, inTime)]).toEqual([
      ["group", "serial"],
      [["Conflict"], ["Committed"]],
    ])
  })

  it("are committed one after another inside a transaction of the embedder", async () => {
    const { asked, commits } = world({ serial: [[committed, committed]] }, true)
    const [a, b] = two()
    await commits.send([a, b])
    expect([asked, tagsOf(a, b)]).toEqual([["serial"], [["Committed"], ["Committed"]]])
  })

  it("are sent one by one after an error that no set explains", async () => {
    const { asked, commits } = world({
      group: [failing("XX000")],
      serial: [failing("XX000"), [committed], failing("XX000")],
    })
    const [a, b] = two()
    await commits.send([a, b])
    expect([asked, tagsOf(a, b)]).toEqual([
      ["group", "serial", "serial", "serial"],
      [["Committed"], ["Defect"]],
    ])
  })

  it.each([
    ["08006", true],
    ["57P01", true],
    ["53300", false],
    ["57P03", false],
  ])("are all answered that the store is unavailable after the error %s, and unknown: %s", async (code, unknown) => {
    const { asked, commits } = world({ group: [failing(code)] })
    const [a, b] = two()
    await commits.send([a, b])
    expect([asked, tagsOf(a, b)]).toEqual([["group"], [["Unavailable"], ["Unavailable"]]])
    for (const { results } of [a, b]) expect(results[0]).toMatchObject({ error: { unknown } })
  })
})

describe("a set that is committed alone", () => {
  it("is sent again after a lost race, but not for ever", async () => {
    const races = Array.from({ length: 3 }, () => failing("40P01"))
    const lucky = world({ serial: [...races, [committed]] })
    const [set, unlucky] = [alone(), alone()]
    await lucky.commits.send([set])
    expect([lucky.asked.length, tagsOf(set)]).toEqual([4, [["Committed"]]])
    const { asked, commits } = world({ serial: [failing("40P01")] })
    await commits.send([unlucky])
    expect([asked.length, tagsOf(unlucky)]).toEqual([raceRetriesMax + 1, [["Unavailable"]]])
    expect(unlucky.results[0]).toMatchObject({ error: { unknown: false } })
  })

  it("is not sent again inside a transaction of the embedder, which the race has ended", async () => {
    const { asked, commits } = world({ serial: [failing("40P01")] }, true)
    const set = alone()
    await commits.send([set])
    expect([asked.length, tagsOf(set)]).toEqual([1, [["Unavailable"]]])
  })

  it("is a defect if the function answers nothing", async () => {
    const { commits } = world({ serial: [[]] })
    const [one, other] = [alone("x"), alone("y")]
    await commits.send([one])
    await commits.send([alone(), other])
    expect(tagsOf(one, other)).toEqual([["Defect"], ["Defect"]])
    expect(one.results[0]).toMatchObject({ cause: new Error("the commit function returned too few outcomes") })
  })

  it("waits where a lock of another session is found that it needs", async () => {
    const { asked, commits, elapse, released } = world({
      serial: [failing("55P03"), [committed]],
      locked: [[[1, "holder"]], []],
    })
    const [set, behind] = [alone(), alone()]
    await commits.send([set])
    expect([asked, tagsOf(set)]).toEqual([["serial", "locked"], [[]]])
    expect([commits.waits.hold(behind), commits.waits.hold(alone("other"))]).toEqual([true, false])
    elapse.pop()?.()
    await new Promise((resolve) => setImmediate(resolve))
    expect(released).toEqual([set, behind])
  })

  it("is sent again at once if no taken lock is found, and takes a number that no lock has for none", async () => {
    const { commits, released } = world({ serial: [failing("55P03")], locked: [[[99, "holder"]]] })
    const set = alone()
    await commits.send([set])
    expect([released, tagsOf(set)]).toEqual([[set], [[]]])
  })
})
