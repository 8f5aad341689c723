/**
 * The state fields of the stored kinds, compared with their schemas and machines.
 * Source: D-081, D-194; architecture, "One table per concept; everything else is derived".
 */
import { Kinds } from "@countersign/core/store"
import { machines } from "@countersign/core/verify"
import { type Schema, SchemaAST } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { statesOf as presentStates, stateTransitions } from "../../../packages/core/src/store/StateTransitions.ts"
import { arbitraryOf } from "../../../packages/test/src/arbitraries/Entities.ts"

const declared = (kind: (typeof Kinds.keys)[number]) => Object.entries(Kinds.get(kind).states)

/** Returns the literals of a union of literals; empty for any other schema. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isLiteral(ast) ? [String(ast.literal)] : SchemaAST.isUnion(ast) ? ast.types.flatMap(literalsOf) : []

/** Returns path and literals of every field, at any depth, that is a union of literals. */
const literalFields = (ast: SchemaAST.AST, path = ""): ReadonlyArray<readonly [path: string, literals: string]> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => literalFields(type, path))
  if (!SchemaAST.isObjects(ast)) return []
  return ast.propertySignatures.flatMap(({ name, type }) => {
    const literals = literalsOf(type)
    const field = path === "" ? String(name) : `${path}.${String(name)}`
    return literals.length === 0 ? literalFields(type, field) : [[field, [...literals].toSorted().join(" ")] as const]
  })
}

const statesOf = ({ states }: { readonly states: ReadonlyArray<string> }) => [...states].toSorted().join(" ")

describe.each(Kinds.keys)("the state fields of %s", (kind) => {
  const schema: Schema.Top = Kinds.get(kind).schema
  const fields = literalFields(schema.ast)

  it("are in the schema with the states of their machines", () => {
    for (const [path, fieldMachines] of declared(kind)) {
      const found = fields.filter(([field]) => field === path).map(([, literals]) => literals)
      expect(found, path).not.toEqual([])
      if (fieldMachines.length > 0) expect(new Set(found), path).toEqual(new Set(fieldMachines.map(statesOf)))
    }
  })

  it("include every field of the schema that has the states of a machine", () => {
    const states = new Set(Object.values(machines).map(statesOf))
    const undeclared = fields.filter(([, literals]) => states.has(literals)).map(([path]) => path)
    expect(new Set(undeclared)).toEqual(
      new Set(declared(kind).flatMap(([path, fieldMachines]) => (fieldMachines.length > 0 ? [path] : []))),
    )
  })
})

it("some states have no machine, and are counted none the less", () => {
  const without = Kinds.keys.flatMap((kind) =>
    declared(kind).flatMap(([path, machines]) => (machines.length === 0 ? [`${kind}.${path}`] : [])),
  )
  expect(without).toEqual(["InternalAccount.status", "DeviceCode.status", "ConsoleSession.status"])
})

const tied = Kinds.keys.filter((kind) => Kinds.get(kind).customerTie.onCustomerDeleted !== undefined)

describe.each(tied)("a %s whose customer is deleted", (kind) => {
  const { customerTie } = Kinds.get(kind)
  const endRecord = customerTie.onCustomerDeleted as (data: unknown) => unknown

  it("changes state only along an arrow of its machine", () => {
    fc.assert(
      fc.property(arbitraryOf(kind), (data) => {
        const ended = endRecord(data)
        if (ended === undefined) return
        for (const { field, from, to } of stateTransitions(kind, data, ended)) {
          const fieldMachines = declared(kind).find(([path]) => path === field)?.[1] ?? []
          const arrows = fieldMachines.flatMap((machine) => machine.arrows)
          if (fieldMachines.length > 0) {
            expect(arrows.map((arrow) => [arrow.from, arrow.to])).toContainEqual([from, to])
          }
        }
      }),
    )
  })

  it("ends only once", () => {
    fc.assert(
      fc.property(arbitraryOf(kind), (data) => {
        const ended = endRecord(data)
        expect(ended === undefined ? undefined : endRecord(ended)).toBeUndefined()
      }),
    )
  })
})

describe("stateTransitions", () => {
  const transitions = (kind: (typeof Kinds.keys)[number], before: unknown, after: unknown) =>
    stateTransitions(kind, before, after).map(({ field, from, to }) => [field, from, to])

  it("counts the transitions of a customer's check", () => {
    expect(transitions("Customer", undefined, { checkStatus: "UNVERIFIED" })).toEqual([
      ["checkStatus", "", "UNVERIFIED"],
    ])
    expect(transitions("Customer", { checkStatus: "UNVERIFIED" }, { checkStatus: "APPROVED" })).toEqual([
      ["checkStatus", "UNVERIFIED", "APPROVED"],
    ])
    expect(transitions("Customer", { checkStatus: "APPROVED" }, { checkStatus: "APPROVED" })).toEqual([])
  })

  it("counts the status of a transaction and of its refund", () => {
    const before = { status: "PROCESSING" }
    const after = { status: "FAILED", refund: { status: "PENDING" } }
    expect(transitions("Transaction", before, after)).toEqual([
      ["status", "PROCESSING", "FAILED"],
      ["refund.status", "", "PENDING"],
    ])
  })

  it("counts no field that the kind does not declare", () => {
    expect(transitions("Customer", undefined, { kybStatus: "APPROVED", status: "ACTIVE" })).toEqual([])
  })
})

describe("the states of a record", () => {
  it("are in the order of the declared fields, without those that its data has not", () => {
    expect(presentStates("Transaction", { refund: { status: "PENDING" }, status: "FAILED" })).toEqual([
      { field: "status", state: "FAILED" },
      { field: "refund.status", state: "PENDING" },
    ])
    expect(presentStates("Transaction", { status: "FAILED", refund: null })).toEqual([
      { field: "status", state: "FAILED" },
    ])
    expect(presentStates("ScaProfile", { status: "FAILED" })).toEqual([])
  })
})
