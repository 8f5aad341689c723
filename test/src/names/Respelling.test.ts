/** Renaming by the positions of a schema. Source: wire contract areas 2.5 (by position, not by text). */
import { inwards, outwards, respellPath, respellText, spellingsOf } from "@countersign/core/models"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const acme = spellingsOf("Acme")

const Details = Schema.Struct({
  serviceApiFixedFee: Schema.Int,
  note: Schema.optionalKey(Schema.String),
})
const Source = Schema.Union([
  Schema.Struct({ type: Schema.Literal("SERVICE_INTERNAL_ACCOUNT"), accountId: Schema.String }),
  Schema.Struct({ type: Schema.Literal("WIRE"), accountId: Schema.optionalKey(Schema.Literal("CLOSED_BY_SERVICE")) }),
])
interface Tree {
  readonly stateReason: "CLOSED_BY_SERVICE" | "OTHER"
  readonly children: ReadonlyArray<Tree>
}
const Tree: Schema.Codec<Tree> = Schema.Struct({
  stateReason: Schema.Literals(["CLOSED_BY_SERVICE", "OTHER"]),
  children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree)),
})
const Everything = Schema.Struct({
  rateDetails: Schema.optionalKey(Details),
  reason: Schema.optionalKey(Schema.NullOr(Schema.Literals(["CLOSED_BY_SERVICE", "CLOSED_BY_PLATFORM"]))),
  description: Schema.optionalKey(Schema.String),
  metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  byName: Schema.optionalKey(Schema.Record(Schema.String, Details)),
  pages: Schema.optionalKey(Schema.Array(Details)),
  source: Schema.optionalKey(Source),
  tree: Schema.optionalKey(Tree),
})

const pairs: ReadonlyArray<readonly [what: string, neutral: unknown, spelled: unknown]> = [
  ["a member", { rateDetails: { serviceApiFixedFee: 1 } }, { rateDetails: { acmeApiFixedFee: 1 } }],
  ["a value", { reason: "CLOSED_BY_SERVICE" }, { reason: "CLOSED_BY_ACME" }],
  ["members of the items of a list", { pages: [{ serviceApiFixedFee: 1 }] }, { pages: [{ acmeApiFixedFee: 1 }] }],
  [
    "members of a record's values, and not its keys",
    { byName: { serviceApiFixedFee: { serviceApiFixedFee: 1 } } },
    { byName: { serviceApiFixedFee: { acmeApiFixedFee: 1 } } },
  ],
  [
    "the literal that chooses the member of a union, and not a text of that member",
    { source: { type: "SERVICE_INTERNAL_ACCOUNT", accountId: "CLOSED_BY_SERVICE" } },
    { source: { type: "ACME_INTERNAL_ACCOUNT", accountId: "CLOSED_BY_SERVICE" } },
  ],
  [
    "a literal of another member of the union",
    { source: { type: "WIRE", accountId: "CLOSED_BY_SERVICE" } },
    { source: { type: "WIRE", accountId: "CLOSED_BY_ACME" } },
  ],
  [
    "a schema that contains itself",
    { tree: { stateReason: "OTHER", children: [{ stateReason: "CLOSED_BY_SERVICE", children: [] }] } },
    { tree: { stateReason: "OTHER", children: [{ stateReason: "CLOSED_BY_ACME", children: [] }] } },
  ],
]

const kept: ReadonlyArray<readonly [what: string, value: unknown]> = [
  ["texts", { description: "serviceApiFixedFee CLOSED_BY_SERVICE" }],
  ["a text that is nothing but a value", { description: "CLOSED_BY_SERVICE" }],
  ["free objects", { metadata: { serviceApiFixedFee: "CLOSED_BY_SERVICE", deep: { serviceApiFixedFee: 1 } } }],
  ["members that the schema does not have there", { serviceApiFixedFee: 1 }],
  ["another value", { reason: "CLOSED_BY_PLATFORM" }],
  ["a value of another type", { rateDetails: [1], reason: null, pages: { serviceApiFixedFee: 1 }, tree: 7 }],
]

describe("a value that leaves", () => {
  const respell = outwards(Everything, acme)

  it.each(pairs)("has the deployment's spelling of %s", (_, neutral, spelled) => {
    expect(respell?.(neutral)).toEqual(spelled)
  })

  it.each(kept)("keeps %s, and is the same object", (_, value) => {
    expect(respell?.(value)).toBe(value)
  })

  it("keeps the order of its members", () => {
    const value = { description: "a", rateDetails: { note: "b", serviceApiFixedFee: 1 }, pages: [] }
    expect(JSON.stringify(respell?.(value))).toBe(
      '{"description":"a","rateDetails":{"note":"b","acmeApiFixedFee":1},"pages":[]}',
    )
  })

  it("needs no renaming under the default name, or with a schema that has no element", () => {
    expect(outwards(Everything, spellingsOf("Service"))).toBeUndefined()
    expect(outwards(Schema.Struct({ description: Schema.String, data: Schema.Json }), acme)).toBeUndefined()
  })
})

describe("a value that comes in", () => {
  const respell = inwards(Everything, acme)

  it.each(pairs)("is neutral after the deployment's spelling of %s", (_, neutral, spelled) => {
    expect(respell?.(spelled)).toEqual(neutral)
  })

  it.each(pairs)("is neutral after the neutral spelling of %s", (_, neutral) => {
    expect(respell?.(neutral)).toEqual(neutral)
  })

  it.each(kept)("keeps %s", (_, value) => {
    expect(respell?.(value)).toBe(value)
  })

  it.each([[{ serviceApiFixedFee: 1, acmeApiFixedFee: 2 }], [{ acmeApiFixedFee: 2, serviceApiFixedFee: 1 }]])(
    "has what the deployment's spelling said, of both in %j",
    (rateDetails) => {
      expect(respell?.({ rateDetails })).toEqual({ rateDetails: { serviceApiFixedFee: 2 } })
    },
  )

  it("keeps a member named __proto__ as a member", () => {
    const value: unknown = JSON.parse('{"rateDetails":{"acmeApiFixedFee":1,"__proto__":{"isAdmin":true}}}')
    expect(JSON.stringify(respell?.(value))).toBe(
      '{"rateDetails":{"serviceApiFixedFee":1,"__proto__":{"isAdmin":true}}}',
    )
  })
})

describe("the path of a field", () => {
  it.each([
    ["rateDetails.serviceApiFixedFee", "rateDetails.acmeApiFixedFee"],
    ["pages.3.serviceApiFixedFee", "pages.3.acmeApiFixedFee"],
    ["byName.serviceApiFixedFee.serviceApiFixedFee", "byName.serviceApiFixedFee.acmeApiFixedFee"],
    ["metadata.serviceApiFixedFee", "metadata.serviceApiFixedFee"],
    ["serviceApiFixedFee", "serviceApiFixedFee"],
    ["source.type", "source.type"],
  ])("%s is spelled %s", (path, spelled) => {
    expect(respellPath(path.split("."), [Everything], acme).join(".")).toBe(spelled)
  })
})

describe("a text of the service's own", () => {
  it.each([
    ["must be WIRE or SERVICE_INTERNAL_ACCOUNT", "must be WIRE or ACME_INTERNAL_ACCOUNT"],
    ["the header `Service-Wallet-Signature`.", "the header `Acme-Wallet-Signature`."],
    ["X-Service-Signature, X-Service-Key-Signatures", "X-Acme-Signature, X-Acme-Key-Signatures"],
    ["SERVICE_INTERNAL_ACCOUNTS", "SERVICE_INTERNAL_ACCOUNTS"],
    ["My-Service-Wallet-Signature", "My-Service-Wallet-Signature"],
    ["SERVICE_UNAVAILABLE of the Service", "SERVICE_UNAVAILABLE of the Service"],
  ])("%s reads %s", (text, spelled) => {
    expect(respellText(text, acme)).toBe(spelled)
    expect(respellText(text, spellingsOf("Service"))).toBe(text)
  })
})

it("refuses a name that is not valid", () => {
  expect(() => spellingsOf("a b")).toThrow("must be a letter, then at most 31 letters and digits, and not Platform")
})
