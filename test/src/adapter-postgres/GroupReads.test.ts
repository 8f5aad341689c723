/** Reads that wait together go together, each gets its own answer, and only the one at fault fails. */
import { GroupReads, type Statement } from "@countersign/adapter-postgres"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as TestDatabase from "./TestDatabase.ts"

let database: TestDatabase.TestDatabase
beforeAll(async () => {
  database = await TestDatabase.create(4)
}, 60_000)
afterAll(() => database.close())

const half = (value: string | null): GroupReads.PointStatement => ({
  name: "half",
  text: "select (select (100 / $1::int)::text || coalesce($2, '-'))",
  values: [value, value === "20" ? "!" : null],
})
const other = (value: number): GroupReads.PointStatement => ({
  name: "other",
  text: "select $1::text",
  values: [value],
})

const counting = () => {
  const asked: Array<Statement> = []
  const query = (statement: Statement) => {
    asked.push(statement)
    return database.connection.query(statement)
  }
  return { asked, read: GroupReads.make({ query, lanes: 1, batchMax: 8 }) }
}

describe("reads of one process", () => {
  it("go in one trip for each kind of statement, and each gets its own answer", async () => {
    const { asked, read } = counting()
    const answers = await Promise.all([
      read(half("10")),
      read(other(7)),
      read(half("20")),
      read(half(null)),
      read(half("5")),
    ])
    assert.deepStrictEqual(answers, [["10-"], ["7"], ["5!"], [null], ["20-"]])
    assert.deepStrictEqual(
      asked.map(({ name }) => name),
      ["half_many", "other"],
    )
  })

  it("one alone is the plain statement", async () => {
    const { asked, read } = counting()
    assert.deepStrictEqual(await read(half("50")), ["2-"])
    assert.deepStrictEqual(asked, [half("50")])
  })

  it("more than one trip holds go in several, and no other kind waits for all of them", async () => {
    const { asked, read } = counting()
    const many = Array.from({ length: 20 }, (_, index) => read(half(String(index + 1))))
    const last = read(other(1))
    assert.deepStrictEqual(
      await Promise.all(many),
      Array.from({ length: 20 }, (_, index) => [`${Math.floor(100 / (index + 1))}${index === 19 ? "!" : "-"}`]),
    )
    await last
    assert.deepStrictEqual(
      asked.map(({ name }) => name),
      ["half_many", "other", "half_many", "half_many"],
    )
  })

  it("what makes one of them fail fails no other", async () => {
    const { read } = counting()
    const [first, second, third] = await Promise.allSettled([read(half("4")), read(half("0")), read(half("2"))])
    assert.deepStrictEqual(first, { status: "fulfilled", value: ["25-"] })
    assert.strictEqual(second.status, "rejected")
    assert.deepStrictEqual(third, { status: "fulfilled", value: ["50-"] })
  })
})
