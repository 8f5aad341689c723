/** Every stored kind and every wire schema has an arbitrary whose values survive encoding and decoding. */

import { AccountTypes, PositiveAmount } from "@countersign/core/models"
import { type Kind, Kinds } from "@countersign/core/store"
import { StrictCheckRules } from "@countersign/core/verify"
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { arbitraryOf, modelNames, modelOf, modelSchema } from "../../../packages/test/src/arbitraries/Entities.ts"
import { fromSchema, type PlainSchema } from "../../../packages/test/src/arbitraries/FromSchema.ts"
import { accounts, knownIdsIn, overridesFor } from "../../../packages/test/src/arbitraries/Overrides.ts"

const numRuns = 25

/** Asserts that each value is unchanged after it is encoded, converted to JSON, and decoded. */
const assertRoundTrip = (schema: PlainSchema, values: fc.Arbitrary<unknown>) => {
  const encode = Schema.encodeUnknownSync(schema)
  const decode = Schema.decodeUnknownSync(schema, { onExcessProperty: "error" })
  fc.assert(
    fc.property(values, (value) => {
      expect(decode(JSON.parse(JSON.stringify(encode(value))))).toEqual(value)
    }),
    { numRuns },
  )
}

describe("a generated value", () => {
  it.each(Kinds.keys)("is accepted by the schema of the kind %s", (kind) => {
    assertRoundTrip(Kinds.get(kind).schema as PlainSchema, arbitraryOf<Kind>(kind))
  })

  it("is accepted by every wire schema", { timeout: 120_000 }, () => {
    expect(modelNames.length).toBeGreaterThan(240)
    for (const name of modelNames) assertRoundTrip(modelSchema(name), modelOf(name))
  })

  it("has all fields and unique keys that the table of kinds derives from it", () => {
    const owner = { platformId: "PlatformConfig:1", customerId: "Customer:1" }
    for (const kind of Kinds.keys) {
      const { claims, fields } = Kinds.get<Kind>(kind)
      fc.assert(
        fc.property(arbitraryOf(kind), (data) => {
          for (const of of Object.values(fields)) expect((of as (data: unknown) => unknown)(data)).not.toBe(undefined)
          const keys = (claims as (data: unknown, of: typeof owner) => ReadonlyArray<{ readonly key: string }>)(
            data,
            owner,
          )
          for (const { key } of keys) expect(key).not.toContain("undefined")
        }),
        { numRuns },
      )
    }
  })
})

describe("an overridden arbitrary", () => {
  it("generates mostly the known identifiers of a world", () => {
    const id = "Customer:01a1fdfa-4600-702b-b01d-f70c8bacbde3"
    const samples = fc.sample(modelOf("CardCreateRequest", knownIdsIn({ any: [`of ${id}.`] })), {
      numRuns: 200,
      seed: 1,
    })
    const share = samples.filter(({ cardholderId }) => cardholderId === id).length / samples.length
    expect(share).toBeGreaterThan(0.8)
    expect(share).toBeLessThan(1)
    expect(new Set(samples.flatMap(({ fundingSources }) => fundingSources)).size).toBeGreaterThan(200)
  })

  it("generates accounts of every type, some with valid check digits", () => {
    const samples = fc.sample(accounts, { numRuns: 3000, seed: 1 })
    expect(new Set(samples.map(({ accountInfo }) => accountInfo["accountType"]))).toEqual(new Set(AccountTypes.keys))
    const ibans = samples.flatMap(({ accountInfo }) =>
      typeof accountInfo["iban"] === "string" ? [accountInfo["iban"]] : [],
    )
    const right = ibans.filter((iban) => StrictCheckRules.get("IBAN").isValid(iban))
    expect(right.length).toBeGreaterThan(ibans.length / 10)
    expect(right.length).toBeLessThan(ibans.length)
  })

  it("generates mostly small amounts, and amounts up to the maximum", () => {
    const samples = fc.sample(fromSchema(PositiveAmount, overridesFor()), { numRuns: 1000, seed: 1 })
    expect(Math.min(...samples)).toBe(1)
    expect(samples.filter((amount) => amount <= 10_001).length).toBeGreaterThan(700)
    expect(Math.max(...samples)).toBeGreaterThan(2 ** 52)
  })
})

describe("an arbitrary that cannot be derived", () => {
  it("throws for a kind of schema node without a rule", () => {
    expect(() => fromSchema(Schema.Symbol as PlainSchema, overridesFor())).toThrow(
      "cannot derive an arbitrary from a Symbol node",
    )
  })

  it("throws for a check that almost no value passes", () => {
    const never = Schema.String.check(Schema.makeFilter(() => "no"))
    expect(() => fc.sample(fromSchema(never, overridesFor()), 1)).toThrow("almost no generated value passes")
  })
})
