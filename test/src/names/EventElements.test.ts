/** The verifier's table of the service's name in events, derived again from the schemas of events. */
import { EventResources, EventTypes, inwards, outwards, ServiceElements, spellingsOf } from "@countersign/core/models"
import { SchemaAST } from "effect"
import { describe, expect, it } from "vitest"
import { EventElements } from "../../../packages/client/src/webhook/EventElements.ts"
import { neutralEvents } from "../../../packages/client/src/webhook/NeutralEvent.ts"

const isElement = (name: unknown) => ServiceElements.keys.some((element) => element === name)

/** The elements of a schema, each with its path; items of arrays and records have paths that the table cannot have. */
const elementsOf = (
  ast: SchemaAST.AST,
  path: ReadonlyArray<string> = [],
  outer: ReadonlyArray<SchemaAST.AST> = [],
): ReadonlyArray<string> => {
  if (outer.includes(ast)) return []
  const within = (type: SchemaAST.AST, ...names: ReadonlyArray<string>) =>
    elementsOf(type, [...path, ...names], [...outer, ast])
  switch (ast._tag) {
    case "Literal":
      return isElement(ast.literal) ? [`${path.join(".")} = ${String(ast.literal)}`] : []
    case "Union":
      return ast.types.flatMap((type) => within(type))
    case "Suspend":
      return within(ast.thunk())
    case "Arrays":
      return [...ast.elements, ...ast.rest].flatMap((type) => within(type, "[]"))
    case "Objects":
      return [
        ...ast.propertySignatures.flatMap(({ name, type }) => [
          ...(isElement(name) ? [`${path.join(".")} { ${String(name)} }`] : []),
          ...within(type, String(name)),
        ]),
        ...ast.indexSignatures.flatMap(({ type }) => within(type, "*")),
      ]
    default:
      return []
  }
}

describe("the elements of events", () => {
  it.each(EventTypes.entries)("of the type %s are all in the table", (type, resource) => {
    const [, elements = []] = Object.entries(EventElements).find(([subject]) => subject === type.split(".")[0]) ?? []
    const listed = elements.flatMap(({ at, members = [], values = [] }) => [
      ...members.map((name) => `${at.join(".")} { ${name} }`),
      ...values.map((value) => `${at.join(".")} = ${value}`),
    ])
    const ast = SchemaAST.toEncoded(EventResources.get(resource).ast)
    expect(listed.toSorted()).toEqual([...new Set(elementsOf(ast))].toSorted())
  })

  it("exist in agent actions, outgoing payments and cards", () => {
    expect(Object.keys(EventElements)).toEqual(["AGENT_ACTION", "OUTGOING_PAYMENT", "CARD"])
  })
})

const spellings = spellingsOf("Acme")
const fee = { serviceApiFixedFee: 7, other: 1 }
const events = [
  ["OUTGOING_PAYMENT.COMPLETED", "OutgoingTransaction", { id: "a", rateDetails: fee }],
  ["AGENT_ACTION.PENDING_APPROVAL", "AgentAction", { quote: { rateDetails: fee }, transaction: null }],
  ["CARD.STATE_CHANGE", "Card", { state: "CLOSED", stateReason: "CLOSED_BY_SERVICE" }],
  ["CARD.STATE_CHANGE", "Card", { state: "CLOSED", stateReason: "CLOSED_BY_PLATFORM" }],
  ["OUTGOING_PAYMENT.COMPLETED", "OutgoingTransaction", { rateDetails: "a text", metadata: fee }],
] as const

describe("a received event", () => {
  it.each(events)("of type %s is neutral again, as by the schema of %s", (type, resource, data) => {
    const named = outwards(EventResources.get(resource), spellings)?.(data)
    const neutral = neutralEvents("Acme")({ type, data: named })
    expect(neutral).toEqual({ type, data })
    expect(neutral["data"]).toEqual(inwards(EventResources.get(resource), spellings)?.(named))
  })

  it.each([
    { serviceApiFixedFee: 1, acmeApiFixedFee: 2 },
    { acmeApiFixedFee: 2, serviceApiFixedFee: 1 },
  ])("has the deployment's value where it has both names: %o", (rateDetails) => {
    const type = "OUTGOING_PAYMENT.COMPLETED"
    expect(neutralEvents("Acme")({ type, data: { rateDetails } })).toEqual({
      type,
      data: { rateDetails: { serviceApiFixedFee: 2 } },
    })
  })

  it("gets no member that it did not have", () => {
    const event = { type: "OUTGOING_PAYMENT.COMPLETED", data: { id: "a" } }
    expect(neutralEvents("Acme")(event)).toStrictEqual(event)
  })

  it.each(["A.LATER_TYPE", "CUSTOMER.KYC_APPROVED", "CARD_TRANSACTION.SETTLED", "__proto__"])(
    "of type %s stays as it is",
    (type) => {
      const event = { type, data: { rateDetails: { acmeApiFixedFee: 2 }, stateReason: "CLOSED_BY_ACME" } }
      expect(neutralEvents("Acme")(event)).toBe(event)
    },
  )

  it("of a later type about cards is neutral, too", () => {
    const event = { type: "CARD.LATER_TYPE", data: { stateReason: "CLOSED_BY_ACME" } }
    expect(neutralEvents("Acme")(event)["data"]).toEqual({ stateReason: "CLOSED_BY_SERVICE" })
  })
})
