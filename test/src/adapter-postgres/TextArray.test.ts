/** Lists as parameters: the server reads what was written, in the binary form and as text. */
import { PoolConnection } from "@countersign/adapter-postgres"
import { assert, describe, it } from "@effect/vitest"
import { afterAll } from "vitest"
import * as TestDatabase from "./TestDatabase.ts"

const database = TestDatabase.create(1)
afterAll(async () => (await database).close())

const lists: ReadonlyArray<readonly [name: string, list: ReadonlyArray<string | null>]> = [
  ["nothing", []],
  ["nulls and empty texts", [null, "", null, "NULL"]],
  ["what is special in a list", ['{"a": "b\\"c"}', "a,b", "{}", "back\\slash", " "]],
  ["letters of one to four bytes", ["é", "€", "😀", "日本語"]],
  ["many", Array.from({ length: 5000 }, (_, index) => `Transaction:${index}`)],
]

describe("a list of texts as a parameter", () => {
  it.each(lists)("of %s reads back as it was written", async (_, list) => {
    const { connection } = await database
    const [answer] = await connection.query({ text: "select to_json($1::text[])::text", values: [list] })
    assert.deepStrictEqual(JSON.parse(answer ?? ""), list)
  })

  it("is passed as a list to a client of the C library, which takes texts only", async () => {
    const configs: Array<unknown> = []
    const query = async (config: unknown) => {
      configs.push(config)
      return { rows: [] }
    }
    await PoolConnection.queryOn({ query, native: {} }, false)({ text: "select $1", values: [["a", null]] })
    assert.deepStrictEqual(configs, [{ text: "select $1", values: [["a", null]], rowMode: "array" }])
  })
})
