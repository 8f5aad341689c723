/** Which images are accepted, and what of their records a shared file has. Source: `ImageRows.ts`; D-471. */

import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { imageWithoutCredentials, rowsOf } from "../../../packages/adapter-postgres/src/image/ImageRows.ts"
import { aheadMillisMax } from "../../../packages/core/src/model/time/ClockResource.ts"
import { agentData, alphaId, ann, betaId, customerData } from "../../../packages/test/src/conformance/Examples.ts"

type Rows = Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>
const imageOf = (tables: Rows) => JSON.stringify({ tables })
const known = ["customer", "agent", "business_time", "operation", "replay", "unique_key", "record_history"]
const checked = (image: string) => Effect.runPromise(rowsOf(image, known, alphaId))
const problem = (image: string) =>
  Effect.runPromise(
    Effect.map(Effect.flip(rowsOf(image, known, alphaId)), ({ _tag, message }) => `${_tag}: ${message}`),
  )

const customer = { platform_id: alphaId, id: ann, data: customerData(1) }

describe("an image", () => {
  it("has the rows of its tables", async () => {
    const tables = {
      customer: [customer],
      business_time: [{ ahead_millis: 5 }],
      operation: [{ platform_id: betaId }],
      unique_key: [{ platform_id: alphaId, kind: "Customer" }],
    }
    expect(await checked(imageOf(tables))).toEqual(tables)
    expect(await checked(imageOf({}))).toEqual({})
  })

  it.each(["", "{", "null", "[]", "{}", '{"tables":[]}', '{"tables":{"customer":{}}}', '{"tables":{"customer":[1]}}'])(
    "that is %j is no state of a store",
    async (image) => {
      const expected = "ImageInvalid: it is not the state of a store"
      expect(await problem(image)).toBe(expected)
      const shared = Effect.flip(imageWithoutCredentials(image))
      expect(await Effect.runPromise(Effect.map(shared, ({ _tag, message }) => `${_tag}: ${message}`))).toBe(expected)
    },
  )

  it.each<readonly [string, Rows, string]>([
    ["with an unknown table", { customer: [], other: [] }, "it has a table that this server does not know"],
    [
      "with a record of another platform",
      { customer: [customer, { ...customer, platform_id: betaId }] },
      "it has records of several platforms",
    ],
    ["with a row of no platform", { unique_key: [{ kind: "Customer" }] }, "it has records of several platforms"],
  ])("%s is refused", async (_, tables, message) => {
    expect(await problem(imageOf(tables))).toBe(`ImageInvalid: ${message}`)
  })

  it("with a record that its kind does not allow is refused with the kind", async () => {
    const wrong = { ...customer, data: { ...customerData(1), customerType: "ROBOT" } }
    expect(await problem(imageOf({ customer: [customer, wrong] }))).toMatch(/^ImageInvalid: Customer: /u)
    expect(await problem(imageOf({ customer: [{ platform_id: alphaId }] }))).toMatch(/^ImageInvalid: Customer: /u)
  })

  it.each([
    [0, true],
    [aheadMillisMax, true],
    [String(aheadMillisMax), true],
    [-1, false],
    [aheadMillisMax + 1, false],
    ["soon", false],
  ])("whose clock is %j ms ahead is accepted: %s", async (ahead, isAccepted) => {
    const image = imageOf({ business_time: [{ ahead_millis: 0 }, { ahead_millis: ahead }] })
    if (isAccepted) expect(await checked(image)).toHaveProperty("business_time")
    else expect(await problem(image)).toBe("ImageInvalid: its clock cannot be that far ahead")
  })
})

describe("a shared image", () => {
  const shared = async (tables: Rows): Promise<unknown> => {
    const { tables: found } = JSON.parse(await Effect.runPromise(imageWithoutCredentials(imageOf(tables))))
    return found
  }
  const tokens = [{ id: "AgentToken:1", hash: "secret" }]
  const agent = { ...agentData(), tokens, isConnected: true }
  const safe = { ...agent, tokens: [], isConnected: false }

  it("has records without credentials as they are", async () => {
    const tables = { customer: [customer, { ...customer, data: undefined }], business_time: [{ ahead_millis: 1 }] }
    expect(await shared(tables)).toEqual(JSON.parse(JSON.stringify(tables)))
  })

  it("has agents without their tokens, and the columns of what is left", async () => {
    const row = { id: "Agent:1", version: 2, is_paused: false, is_connected: true, data: agent }
    const [found] = Object(await shared({ agent: [row] })).agent
    expect(found).toMatchObject({ id: "Agent:1", version: 2, is_paused: false, is_connected: false, data: safe })
    expect(JSON.stringify(found)).not.toContain("secret")
  })

  it("has the versions of a record by its kind", async () => {
    const version = { kind: "Agent", version: 1, data: agent }
    const other = { kind: "Customer", version: 1, data: customerData(1) }
    const unknown = { kind: "Robot", version: 1, data: { tokens } }
    expect(await shared({ record_history: [version, other, unknown] })).toEqual({
      record_history: [{ ...version, data: safe }, other, unknown],
    })
    expect(await shared({ operation: [version] })).toEqual({ operation: [version] })
  })

  it("has no device codes, responses, or unique keys that are hashes of credentials", async () => {
    const keys = ["Agent", "Customer", "Invitation", "DeviceCode", "Platform"].map((kind) => ({ kind, key: "hash" }))
    expect(
      await shared({ device_code: [{ id: "1", data: { code: "x" } }], replay: [{ key: "k" }], unique_key: keys }),
    ).toEqual({
      device_code: [],
      replay: [],
      unique_key: keys.filter(({ kind }) => ["Customer", "Platform"].includes(kind)),
    })
  })
})
