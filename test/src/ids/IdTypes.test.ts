/** Identifier types and the identifiers of each type. */
import { Id, type IdType, IdTypes, isId } from "@countersign/core/models"
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

/** Spec: General conventions (4). */
const specified = [
  "AgentAction",
  "Agent",
  "Customer",
  "Quote",
  "Transaction",
  "InternalAccount",
  "ExternalAccount",
  "Card",
  "Session",
  "AuthMethod",
  "Request",
]
const types = fc.constantFrom<IdType>(...IdTypes.keys)
const uuids = fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7, 8] })

describe("the table of identifier types", () => {
  // Proves: CONV-06, RES-TX-01, RES-CRED-02
  it.each(specified)("has %s", (type) => {
    expect(IdTypes.has(type)).toBe(true)
  })

  it.each(IdTypes.entries)("describes %s and uses its name on the wire", (type, description) => {
    expect(type).toMatch(/^[A-Z][A-Za-z]+$/u)
    expect(description).not.toBe("")
  })
})

describe("an identifier", () => {
  // Proves: CONV-05
  it("is its type, a colon and a UUID", () => {
    fc.assert(
      fc.property(types, uuids, (type, uuid) => {
        expect(isId(type, `${type}:${uuid}`)).toBe(true)
      }),
    )
  })

  it("belongs to one type only", () => {
    fc.assert(
      fc.property(types, types, uuids, (type, other, uuid) => {
        expect(isId(type, `${other}:${uuid}`)).toBe(type === other)
      }),
    )
  })

  // Proves: CONV-05
  it("rejects every other text", () => {
    const uuid = "0190c8a0-1234-7abc-8def-0123456789ab"
    expect(isId("Card", `Card:${uuid}`)).toBe(true)
    for (const text of [
      uuid,
      `:${uuid}`,
      "Card:",
      "Card:1",
      `card:${uuid}`,
      `Card:${uuid.toUpperCase()}`,
      `Card:${uuid} `,
      ` Card:${uuid}`,
      `Card:${uuid}\n`,
      `Card:${uuid}0`,
      `XCard:${uuid}`,
      `Card%3A${uuid}`,
      `Card:${uuid.replaceAll("-", "")}`,
      "Card:00000000-0000-0000-0000-000000000000",
      `Card:${uuid.replace("-8", "-c")}`,
    ]) {
      expect(isId("Card", text)).toBe(false)
    }
  })

  it("is accepted by the schema of its type", () => {
    const texts = fc.oneof(
      fc.string(),
      fc.tuple(types, fc.oneof(uuids, fc.string())).map(([type, rest]) => `${type}:${rest}`),
    )
    fc.assert(
      fc.property(types, texts, (type, text) => {
        expect(Schema.is(Id(type))(text)).toBe(isId(type, text))
      }),
    )
  })
})
