/** By what values records are listed: those of their data, or what follows from it. Source: D-500; store/KindRow.ts (fields). */
import { type Kind, Kinds } from "@countersign/core/store"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { listFieldsOf } from "../../../packages/core/src/store/ListFields.ts"
import { arbitraryOf } from "../../../packages/test/src/arbitraries/Entities.ts"

/** Members of data that is only known to be an object. */
type Data = { readonly [name: string]: unknown }

/** The fields that are not a member of the data, or not as it is there; null: the record has none. */
const derived: { readonly [field: string]: (data: never) => unknown } = {
  "Customer.umaAddress": ({ umaAddress }: { readonly umaAddress: string }) => umaAddress.toLowerCase(),
  "Document.isDeleted": ({ status }: Data) => status === "DELETED",
  "InternalAccount.isPlatform": ({ isPlatform }: Data) => isPlatform === true,
  "ExternalAccount.isDefaultUmaDeposit": ({ defaultUmaDepositAccount }: Data) => defaultUmaDepositAccount,
  "ExternalAccount.isOfPlatform": ({ isOfPlatform }: Data) => isOfPlatform === true,
  "Approver.key": ({ name }: { readonly name: string }) => `approver:${name.toLowerCase()}`,
  "AuditRecord.actorId": ({ actor }: { readonly actor: Data }) => actor["id"],
  "Card.fundingSources": ({ fundingSources }: { readonly fundingSources: ReadonlyArray<Data> }) =>
    fundingSources.map(({ accountId }) => accountId),
  "StablecoinOperation.requestKey": ({ request }: { readonly request?: Data }) => request?.["key"],
}

const listed = Kinds.keys.filter((kind) => Object.keys(Kinds.get(kind).fields).length > 0)

/** The value that a record is listed by, without the functions of the table. */
const expectedOf = (kind: Kind, field: string, data: Data): unknown => {
  const derive: ((data: never) => unknown) | undefined = derived[`${kind}.${field}`]
  return (derive === undefined ? data[field] : derive(data as never)) ?? null
}

describe.each(listed)("a %s", (kind) => {
  it("is listed by the values of its data", () => {
    fc.assert(
      fc.property(arbitraryOf(kind), (data) => {
        for (const [field, read] of Object.entries(listFieldsOf(kind)))
          expect(read(data), field).toEqual(expectedOf(kind, field, data))
      }),
      { numRuns: 20 },
    )
  })
})

it("the table of derived fields names fields that exist", () => {
  const all = listed.flatMap((kind) => Object.keys(listFieldsOf(kind)).map((field) => `${kind}.${field}`))
  expect(Object.keys(derived).filter((name) => !all.includes(name))).toEqual([])
})
