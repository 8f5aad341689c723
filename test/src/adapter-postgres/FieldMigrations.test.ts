/** The statements by which a new field is added, filled, indexed and ended, in their order. Source: `NewField.ts`; D-060. */
import { describe, expect, it } from "vitest"
import type { Session, Statement } from "../../../packages/adapter-postgres/src/connection/Connection.ts"
import * as NewField from "../../../packages/adapter-postgres/src/migrations/NewField.ts"
import { type FieldColumn, kindTable } from "../../../packages/adapter-postgres/src/schema/KindTables.ts"

const field: FieldColumn = {
  field: "isNew",
  column: "is_new",
  read: (data) => Object(data).isNew,
  indexed: false,
  part: [],
  hasIndexedMembers: false,
  partialIndex: [],
}
const rare: FieldColumn = { ...field, partialIndex: ["A", true] }
const kind = kindTable("Customer")

type Answer = (statement: Statement) => ReadonlyArray<string | null>
/** A session that answers by the first part of a statement that it has, and the short names of what it ran. */
const sessionOf = (answers: Readonly<Record<string, Answer | ReadonlyArray<string>>> = {}) => {
  const log: Array<string> = []
  const statements: Array<Statement> = []
  const shorten = (text: string): string =>
    [
      ["pg_trigger t join", "read triggers"],
      ["is null and id > $1", "page"],
      ["skip locked", "update"],
      ["pg_sleep", "pause"],
      ["indisvalid", "is valid"],
      ["drop index concurrently", "drop index"],
      ["create index concurrently", "create index"],
      ["limit 1", "look"],
      ["drop trigger", "drop triggers"],
      ["drop function", "drop function"],
      ["begin;", "begin"],
    ].find(([part = ""]) => text.includes(part))?.[1] ?? text
  const session: Session = {
    query: async (statement) => {
      if (log.length > 500) throw new Error("it does not end")
      log.push(shorten(statement.text))
      statements.push(statement)
      const [, answer = []] = Object.entries(answers).find(([part]) => statement.text.includes(part)) ?? []
      return typeof answer === "function" ? answer(statement) : answer
    },
    script: async (text) => {
      log.push(shorten(text))
      statements.push({ text, values: [] })
    },
  }
  return { session, log, statements }
}
const isPage = "is null and id > $1"
const isUpdate = "skip locked"
const rowsFrom = (first: number, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify([`c${first + n}`, 3, { isNew: n % 2 === 0 ? true : undefined }]),
  )

describe("the index of a field", () => {
  it("exists for a field with values that few records have", () => {
    expect(NewField.isIndexed({ ...field, partialIndex: ["A"] })).toBe(true)
    expect([NewField.isIndexed(field), NewField.isIndexed(rare)]).toEqual([false, true])
    expect(NewField.indexName("customer", rare)).toBe("customer_by_is_new")
    expect(NewField.unfilledIndexName("customer", rare)).toBe("customer_without_is_new")
    expect(NewField.indexDefinition("customer", rare)).toBe(
      `"customer_by_is_new" on countersign."customer" (platform_id, created_at) where "is_new" in ('"A"', 'true')`,
    )
  })

  it.each([
    [["true"], ["is valid"]],
    [["false"], ["is valid", "drop index", "create index"]],
    [[], ["is valid", "create index"]],
  ])("that is %j is made by %j", async (valid, steps) => {
    const { log, session, statements } = sessionOf({ indisvalid: valid })
    await NewField.createIndex(session, "name", "definition")
    expect(log).toEqual(steps)
    expect(statements[0]?.text).toContain(`to_regclass('countersign."name"')`)
    if (steps.length > 1) expect(statements.at(-1)?.text).toBe("create index concurrently definition")
    if (steps.length > 2) expect(statements[1]?.text).toBe('drop index concurrently countersign."name"')
  })
})

describe("a field that is added", () => {
  it("gets its column and both triggers in one short transaction", async () => {
    const { log, session, statements } = sessionOf()
    await NewField.add(session, kind, field)
    expect([log[0], log[2], log.length]).toEqual(["begin", "commit", 3])
    const text = statements[1]?.text ?? ""
    expect(text).toMatch(/^alter table countersign\."customer" add column "is_new" jsonb;/u)
    expect(text).toContain(`"mark_1_is_new" before update of "is_new" on countersign."customer"`)
    expect(text).toContain(`countersign."mark_customer_is_new"('named')`)
    expect(text).toContain(`"mark_2_is_new" before update on countersign."customer"`)
    expect(text).toContain(`countersign."mark_customer_is_new"('any')`)
  })

  it("is abandoned with its triggers, their function and the index of what is unfilled", async () => {
    const { log, session, statements } = sessionOf()
    await NewField.abandon(session, "customer", "old")
    expect(log).toEqual(["begin", "drop triggers", "commit"])
    for (const part of [
      `drop trigger "mark_1_old" on countersign."customer"`,
      `drop trigger "mark_2_old" on countersign."customer"`,
      `drop function countersign."mark_customer_old"()`,
      `drop index if exists countersign."customer_without_old"`,
    ])
      expect(statements[1]?.text).toContain(part)
  })
})

describe("a field that is filled", () => {
  it("has its values read from the data of each page, by the version of the record", async () => {
    let pages = 0
    const { session, statements } = sessionOf({
      [isPage]: () => (pages++ === 0 ? rowsFrom(1, 2) : []),
      [isUpdate]: () => ["c1", "c2"],
    })
    await NewField.fill(session, kind, field)
    const update = statements.find(({ text }) => text.includes(isUpdate))
    expect(update?.values).toEqual([
      JSON.stringify([
        ["c1", 3, true],
        ["c2", 3, null],
      ]),
    ])
    expect(statements[0]?.text).toContain('where "is_new" is null and id > $1 order by id limit 500')
    expect(update?.text).toContain('t.version = v.version and t."is_new" is null')
  })

  it.each([
    [499, [""]],
    [500, ["", "c500"]],
    [501, ["", "c500"]],
    [1000, ["", "c500", "c1000"]],
  ])("of %i records is read in pages after %j, and looked for once more", async (count, cursors) => {
    let isFirstScan = true
    const asked: Array<unknown> = []
    const { log, session } = sessionOf({
      [isPage]: ({ values }) => {
        if (!isFirstScan) return []
        asked.push(values[0])
        const from = Number(String(values[0]).slice(1) || 0)
        const rows = rowsFrom(from + 1, Math.min(500, count - from))
        if (rows.length < 500) isFirstScan = false
        return rows
      },
      [isUpdate]: ({ values }) => (JSON.parse(String(values[0])) as ReadonlyArray<unknown>).map(String),
    })
    await NewField.fill(session, kind, field)
    expect(asked).toEqual(cursors)
    expect(log.filter((step) => step === "page")).toHaveLength(cursors.length + 1)
    expect(log).not.toContain("pause")
  })

  it("is scanned five times at most, with a pause after each scan that left records to others", async () => {
    let scans = 0
    const { log, session } = sessionOf({
      [isPage]: () => rowsFrom(1, 2),
      [isUpdate]: () => (scans++ === 0 ? ["c1", "c2"] : ["c1"]),
    })
    await NewField.fill(session, kind, field)
    expect(log).toEqual([...["page", "update"], ...Array.from({ length: 4 }, () => ["page", "update", "pause"]).flat()])
  })
})

describe("a field that is filled and indexed", () => {
  const steps = async (own: FieldColumn, triggers: ReadonlyArray<string>) => {
    const { log, session, statements } = sessionOf({ "pg_trigger t join": triggers })
    await NewField.fillAndIndex(session, kind, own)
    return [log, statements.map(({ text }) => text).filter((text) => text.startsWith("create index"))] as const
  }
  const fill = ["page", "update"]
  const index = ["is valid", "create index"]
  const own = ["customer.is_new"]

  it("is filled before and after the index of what is unfilled", async () => {
    const [log, indexes] = await steps(field, own)
    expect(log).toEqual(["read triggers", ...fill, ...index, ...fill])
    expect(indexes).toEqual([
      'create index concurrently "customer_without_is_new" on countersign."customer" (id) where "is_new" is null',
    ])
  })

  it("has its own index first", async () => {
    const [log, indexes] = await steps(rare, own)
    expect(log).toEqual(["read triggers", ...fill, ...index, ...index, ...fill])
    expect(indexes[0]).toContain('"customer_by_is_new"')
  })

  it("without triggers of its own keeps its values, and is only indexed", async () => {
    expect((await steps(field, ["customer.other"]))[0]).toEqual(["read triggers"])
    expect((await steps(rare, []))[0]).toEqual(["read triggers", ...index])
  })
})

describe("the roll-out of a field", () => {
  it("ends in the transaction that finds no unfilled record", async () => {
    let looks = 0
    const { log, session } = sessionOf({ "limit 1": () => (looks++ < 2 ? ["c1"] : []) })
    await NewField.endRollOut(session, kind, field)
    const failed = ["page", "update", "begin", "drop triggers", "look", "rollback"]
    expect(log).toEqual([
      ...failed,
      ...failed,
      ...["page", "update", "begin", "drop triggers", "look", "drop function", "commit"],
    ])
  })

  it("is tried twenty times while others keep records locked", async () => {
    const { log, session } = sessionOf({ "limit 1": ["c1"] })
    await expect(NewField.endRollOut(session, kind, field)).rejects.toThrow(
      "customer.is_new has unfilled records that other transactions keep locked",
    )
    expect(log.filter((step) => step === "rollback")).toHaveLength(20)
  })

  it("fails at once for any other error", async () => {
    const { log, session } = sessionOf({
      "limit 1": () => {
        throw new Error("gone")
      },
    })
    await expect(NewField.endRollOut(session, kind, field)).rejects.toThrow("gone")
    expect(log.filter((step) => step === "rollback")).toHaveLength(1)
  })
})
