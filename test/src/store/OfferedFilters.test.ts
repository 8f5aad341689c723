/**
 * Every filter of a paged operation is known here, with the stored field that it selects by, and an index serves the field.
 * Source: D-500; test/src/adapter-postgres/ListPlans.test.ts.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { type Kind, Kinds } from "@countersign/core/store"
import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { arbitraryOf } from "../../../packages/test/src/arbitraries/Entities.ts"

const numRuns = 25

const created = { createdAfter: "createdAt", createdBefore: "createdAt" }
const updated = { updatedAfter: "updatedAt", updatedBefore: "updatedAt" }
const dates = { startDate: "createdAt", endDate: "createdAt" }
const account = { currency: "currency", type: "type" }
const ofCustomer = { customerId: "customerId" }
const transfers = {
  accountIdentifier: "sourceAccountId",
  senderAccountIdentifier: "sourceAccountId",
  receiverAccountIdentifier: "destinationAccountId",
  status: "status",
  type: "type",
  reference: "reference",
  ...dates,
}

/** By path: the kind, the field of each filter, and the fields that the operation itself selects by. */
const lists: {
  readonly [path: string]: readonly [
    kind: Kind,
    filters: { readonly [name: string]: string },
    own?: ReadonlyArray<string>,
  ]
} = {
  "/agents/me/actions": ["AgentAction", { status: "status" }, ["agentId"]],
  "/agents/me/internal-accounts": ["InternalAccount", account, ["isPlatform"]],
  "/agents/me/external-accounts": ["ExternalAccount", { currency: "currency" }, ["isOfPlatform", "isDeleted"]],
  "/agents/me/transactions": ["Transaction", transfers],
  "/agents": [
    "Agent",
    { ...ofCustomer, isPaused: "isPaused", isConnected: "isConnected", ...created, ...updated },
    ["isDeleted"],
  ],
  "/agents/approvals": ["AgentAction", { agentId: "agentId", ...ofCustomer, status: "status", ...dates }],
  "/customers": [
    "Customer",
    {
      platformCustomerId: "platformCustomerId",
      customerType: "customerType",
      region: "region",
      currency: "currencies",
      umaAddress: "umaAddress",
      ...created,
      ...updated,
      isIncludingDeleted: "isDeleted",
    },
  ],
  "/customers/internal-accounts": ["InternalAccount", { ...account, ...ofCustomer }, ["isPlatform"]],
  "/internal-accounts": ["InternalAccount", { ...account, ...ofCustomer }, ["isPlatform"]],
  "/verifications": ["Verification", { ...ofCustomer, verificationStatus: "verificationStatus" }],
  "/beneficial-owners": ["BeneficialOwner", ofCustomer],
  "/documents": ["Document", { documentHolder: "documentHolder" }, ["isDeleted"]],
  "/customers/external-accounts": [
    "ExternalAccount",
    { currency: "currency", ...ofCustomer },
    ["isOfPlatform", "isDeleted"],
  ],
  "/platform/external-accounts": ["ExternalAccount", { currency: "currency" }, ["isOfPlatform", "isDeleted"]],
  // The customer whom the platform's own id names is read first (D-502).
  "/transactions": ["Transaction", { ...ofCustomer, platformCustomerId: "customerId", ...transfers }],
  "/tokens": ["ApiToken", { name: "name", ...created, ...updated }, ["isDeleted"]],
  "/audit-records": [
    "AuditRecord",
    { actor: "actorId", operation: "operation", target: "target", ...ofCustomer, outcome: "outcome", ...dates },
  ],
  "/unapplied-money": ["Transaction", {}, ["isUnapplied"]],
  "/cards": [
    "Card",
    { cardholderId: "customerId", accountId: "fundingSources", platformCardId: "platformCardId", state: "state" },
  ],
  "/stablecoin-provider-accounts": ["StablecoinProviderAccount", { provider: "provider", status: "status" }],
  "/stablecoins": [
    "Stablecoin",
    {
      issuanceStatus: "issuanceStatus",
      serviceOperationsStatus: "serviceOperationsStatus",
      provider: "provider",
    },
  ],
  "/stablecoins/{stablecoinId}/operations": [
    "StablecoinOperation",
    { operationType: "operationType" },
    ["stablecoinId", "status"],
  ],
}

/** Paged, and not lists of a kind: directories of the deployment, jobs, books, events, and what a sandbox keeps in memory. */
const others: ReadonlyArray<string> = [
  "/vasps",
  "/uma-providers",
  "/operator/events",
  "/operator/records",
  "/operator/jobs",
  "/operator/books/accounts",
  "/operator/books/accounts/{ledgerAccount}/entries",
  "/jobs/parked",
  "/sandbox/inbox/messages",
  "/sandbox/requests",
]

const Document = Schema.decodeUnknownSync(
  Schema.Struct({
    paths: Schema.Record(
      Schema.String,
      Schema.Struct({
        get: Schema.optionalKey(
          Schema.Struct({
            parameters: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, in: Schema.String }))),
          }),
        ),
      }),
    ),
  }),
)

const paging = ["cursor", "limit", "sortOrder"]

/** The paged operations and their filters. */
const offered = (): ReadonlyArray<readonly [path: string, filters: ReadonlyArray<string>]> =>
  Object.entries(Document(OpenApiDocument.make(Api, "")).paths).flatMap(([path, { get }]) => {
    const names = (get?.parameters ?? []).filter((parameter) => parameter.in === "query").map(({ name }) => name)
    return names.includes("cursor") ? [[path, names.filter((name) => !paging.includes(name))] as const] : []
  })

describe("the filters of paged operations", () => {
  it("are all known", () => {
    const found = offered().filter(([path]) => !others.includes(path))
    expect(found.map(([path]) => path).toSorted()).toEqual(Object.keys(lists).toSorted())
    for (const [path, filters] of found) {
      expect([path, Object.keys(lists[path]?.[1] ?? {}).toSorted()]).toEqual([path, filters.toSorted()])
    }
  })

  it.each(Object.entries(lists))("of %s select by fields that an index serves", (_path, [kind, filters, own = []]) => {
    const { indexed, indexedMembers, isListedByUpdate, isPaged, partialIndex, parts } = Kinds.get(kind)
    const served = [
      "customerId",
      "createdAt",
      ...(isListedByUpdate ? ["updatedAt"] : []),
      ...indexed,
      ...indexedMembers,
      ...Object.keys(parts),
      ...Object.keys(partialIndex),
    ]
    expect([...Object.values(filters), ...own].filter((field) => !served.includes(field))).toEqual([])
    expect(isPaged).toBe(true)
  })
})

describe("the fields that indexes serve", () => {
  it.each(Kinds.keys)("of %s have the values that their indexes expect", (kind) => {
    const { fields, indexed, indexedMembers, parts } = Kinds.get(kind)
    const read = fields as { readonly [name: string]: (data: never) => unknown }
    const valueIn = (name: string, data: unknown) => read[name]?.(data as never)
    fc.assert(
      fc.property(arbitraryOf<Kind>(kind), (data) => {
        for (const [name, values] of Object.entries(parts)) expect(values).toContain(valueIn(name, data))
        for (const name of indexed)
          expect(["string", null]).toContain(valueIn(name, data) === null ? null : typeof valueIn(name, data))
        for (const name of indexedMembers) expect(Array.isArray(valueIn(name, data))).toBe(true)
      }),
      { numRuns },
    )
  })
})
