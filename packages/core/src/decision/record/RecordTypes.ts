/**
 * The table of the types of records that an operator reads: the kind of each, what names it, and by what it is found and listed.
 * Source: D-467.
 */
import * as Table from "../../foundation/kit/Table.ts"
import type { CurrencyCode } from "../../foundation/money/Currencies.ts"
import type { RecordTypeName } from "../../model/record/RecordResource.ts"
import type { AnyStored } from "../../store/ChangeSet.ts"
import type { DataOf, Kind } from "../../store/Kinds.ts"

interface Shown {
  readonly name?: string | undefined
  readonly amount?: { readonly amount: number; readonly currency: CurrencyCode } | undefined
  readonly isDeleted?: boolean
  /** The machines of its state fields, where the kind declares several for one. */
  readonly machines?: ReadonlyArray<string>
  /** Where the record itself is read. */
  readonly path?: string
}

type Relations = { readonly [T in RecordTypeName]?: ReadonlyArray<string> }

interface Lists {
  /** The list field of the state; absent: it cannot be filtered. */
  readonly state?: string
  /** Indexed fields whose exact value finds a record. */
  readonly keys?: ReadonlyArray<string>
  /** By the type of another record, the indexed fields that may name it; the customer's column is indexed for every kind. */
  readonly relations?: Relations
}

export interface RecordTypeRow {
  readonly kind: Kind
  readonly shown: (record: AnyStored) => Shown
  readonly state: string | undefined
  readonly keys: ReadonlyArray<string>
  readonly relations: Relations
}

const ofCustomer: Relations = { Customer: ["customerId"] }

const row = <K extends Kind>(
  kind: K,
  shown: (data: DataOf<K>, id: string) => Shown,
  { keys = [], relations = ofCustomer, state }: Lists = {},
): RecordTypeRow => ({
  kind,
  shown: ({ data, id }) => shown(data as DataOf<K>, id),
  state,
  keys,
  relations,
})

const personName = ({ firstName, lastName }: { readonly firstName: string; readonly lastName: string }) =>
  `${firstName} ${lastName}`

export const RecordTypes = Table.make("RecordTypes", {
  Customer: row(
    "Customer",
    (c, id) => ({
      name: c.fullName ?? c.businessInfo?.legalName ?? c.platformCustomerId,
      isDeleted: c.isDeleted,
      machines: [c.customerType === "BUSINESS" ? "Kyb" : "Kyc"],
      path: `/customers/${id}`,
    }),
    { keys: ["platformCustomerId", "umaAddress"], relations: {} },
  ),
  InternalAccount: row(
    "InternalAccount",
    (a, id) => ({ name: `${a.currency} ${a.type}`, path: `/internal-accounts/${id}` }),
    { state: "status", relations: ofCustomer },
  ),
  ExternalAccount: row(
    "ExternalAccount",
    (a, id) => ({
      name: a.accountInfo.accountType,
      isDeleted: a.isDeleted,
      path: `/${a.isOfPlatform === true ? "platform" : "customers"}/external-accounts/${id}`,
    }),
    { state: "status" },
  ),
  Agent: row("Agent", (a, id) => ({ name: a.name, isDeleted: a.isDeleted, path: `/agents/${id}` })),
  AgentAction: row(
    "AgentAction",
    (a) => {
      const { amount, currency } = a.transferDetails ?? {}
      return { name: a.type, amount: amount === undefined || currency === undefined ? undefined : { amount, currency } }
    },
    { state: "status", relations: { ...ofCustomer, Agent: ["agentId"] } },
  ),
  Quote: row("Quote", (q, id) => ({
    amount: { amount: q.totalSendingAmount, currency: q.sendingCurrency },
    path: `/quotes/${id}`,
  })),
  Transaction: row(
    "Transaction",
    (t, id) => ({
      name: t.type,
      amount: { amount: t.amount, currency: t.currency },
      machines: t.type === "INCOMING" ? ["IncomingTransaction", "IncomingRefund"] : ["OutgoingTransaction", "Refund"],
      path: `/transactions/${id}`,
    }),
    {
      state: "status",
      keys: ["reference"],
      relations: {
        ...ofCustomer,
        InternalAccount: ["sourceAccountId", "destinationAccountId"],
        ExternalAccount: ["sourceAccountId", "destinationAccountId"],
        Agent: ["agentId"],
      },
    },
  ),
  Card: row(
    "Card",
    (c, id) => ({
      name: c.last4 === undefined ? c.platformCardId : `${c.brand ?? "Card"} ${c.last4}`,
      path: `/cards/${id}`,
    }),
    { state: "state", keys: ["platformCardId"] },
  ),
  CardTransaction: row(
    "CardTransaction",
    (t, id) => ({
      name: t.merchant.descriptor,
      amount: { amount: t.authorized, currency: t.currency },
      path: `/transactions/${id}`,
    }),
    {
      state: "status",
      keys: ["issuerTransactionToken"],
      relations: { ...ofCustomer, Card: ["cardId"], InternalAccount: ["accountId"] },
    },
  ),
  AuthMethod: row(
    "Credential",
    (c) => ({ name: c.nickname, isDeleted: c.isRevoked, path: `/auth/credentials?accountId=${c.accountId}` }),
    { relations: { ...ofCustomer, InternalAccount: ["accountId"] } },
  ),
  Session: row("Session", (s) => ({ name: s.nickname, path: `/auth/sessions?accountId=${s.accountId}` }), {
    state: "status",
    relations: { ...ofCustomer, InternalAccount: ["accountId"], AuthMethod: ["authMethodId"] },
  }),
  DelegatedKey: row("DelegatedKey", (k, id) => ({ name: k.nickname, path: `/auth/delegated-keys/${id}` }), {
    state: "status",
    relations: { ...ofCustomer, InternalAccount: ["accountId"] },
  }),
  Verification: row("Verification", (_v, id) => ({ path: `/verifications/${id}` }), { state: "verificationStatus" }),
  BeneficialOwner: row("BeneficialOwner", (o, id) => ({
    name: personName(o.personalInfo),
    path: `/beneficial-owners/${id}`,
  })),
  Document: row(
    "Document",
    (d, id) => ({ name: d.documentType, isDeleted: d.status === "DELETED", path: `/documents/${id}` }),
    { relations: { ...ofCustomer, BeneficialOwner: ["documentHolder"] } },
  ),
  Invitation: row("Invitation", (i) => ({ amount: i.amountToSend })),
  StablecoinProviderAccount: row(
    "StablecoinProviderAccount",
    (a, id) => ({ name: a.provider, path: `/stablecoin-provider-accounts/${id}` }),
    { state: "status", relations: {} },
  ),
  Stablecoin: row("Stablecoin", (s, id) => ({ name: s.symbol, path: `/stablecoins/${id}` }), {
    state: "issuanceStatus",
    relations: {},
  }),
  StablecoinOperation: row(
    "StablecoinOperation",
    (o, id) => ({ name: o.operationType, path: `/stablecoin-operations/${id}` }),
    { state: "status", relations: { Stablecoin: ["stablecoinId"] } },
  ),
} satisfies Record<RecordTypeName, RecordTypeRow>)
