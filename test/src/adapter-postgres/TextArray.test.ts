/** Lists as parameters: what the server reads is what was written, in the binary form and as text. */
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

describe("a list of texts", () => {
  it.each(lists)("of %s is read as it was written", async (_, list) => {
    const { connection } = await database
    const [answer] = await connection.query({ text: "select to_json($1::text[])::text", values: [list] })
    assert.deepStrictEqual(JSON.parse(answer ?? ""), list)
  })

  it("goes as a list to a client on the C library, which takes texts alone", async () => {
    const seen: Array<unknown> = []
    const query = async (config: unknown) => {
      seen.push(config)
      return { rows: [] }
    }
    await PoolConnection.queryOn({ query, native: {} }, false)({ text: "select $1", values: [["a", null]] })
    assert.deepStrictEqual(seen, [{ text: "select $1", values: [["a", null]], rowMode: "array" }])
  })
})
