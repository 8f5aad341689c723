/** Tenants, records, ledger accounts and jobs for the store's conformance suite, with well-formed identifiers. */
import { type Caller, tenant } from "@countersign/core"
import type { CurrencyCode, IdType } from "@countersign/core/models"
import type {
  DataOf,
  LedgerAccount,
  NewEvent,
  NewJob,
  Owner,
  RecordInsert,
  RecordUpdate,
} from "@countersign/core/store"
import { slotCount, slotOf } from "@countersign/core/store"

const uuid = (n: number, slot = 0) =>
  `00000000-0000-7000-${(0x8000 | slot).toString(16)}-${n.toString(16).padStart(12, "0")}`

/** Each customer has a slot of its own: the first has that of the platforms. */
const customerId = (n: number): string => `Customer:${uuid(n, n % slotCount)}`

/** The first and second customer of `alpha`. */
export const ann = customerId(1)
export const bob = customerId(2)

/** The identifier of a customer or platform, or of a record of `owner`: by default of the first customer, or of a platform. */
export const id = (type: IdType, n: number, owner: string | null = ann): string =>
  type === "Customer" ? customerId(n) : `${type}:${uuid(n, slotOf(owner ?? ann))}`

export const alphaId = id("PlatformConfig", 1)
export const betaId = id("PlatformConfig", 2)
export const alpha = tenant(alphaId)
export const beta = tenant(betaId)
export const operationId = (n: number): string => uuid(n)

/** An agent of one customer of `alpha`. */
export const agentOf = (customerId: string): Caller => ({
  _tag: "Agent",
  platformId: alphaId,
  customerId,
  agentId: id("Agent", 1),
  budget: "USD.0",
})

export const ownerOf = (customerId: string | null = ann, platformId = alphaId): Owner => ({ platformId, customerId })

/** Returns the insert of a platform's own record. */
export const platform = (platformId: string): RecordInsert => ({
  kind: "Platform",
  id: platformId,
  platformId,
  customerId: null,
  data: {
    name: "platform",
    umaDomain: `${platformId.slice(-4)}.example.com`,
    supportedCurrencies: [],
    isRegulatedFinancialInstitution: false,
  },
})

export const customerData = (n: number, changes: Partial<DataOf<"Customer">> = {}): DataOf<"Customer"> => ({
  platformCustomerId: `customer-${n}`,
  customerType: "INDIVIDUAL",
  checkStatus: "APPROVED",
  currencies: ["USD"],
  umaAddress: `$customer-${n}@example.com`,
  isDeleted: false,
  ...changes,
})

/** Returns the insert of a customer, who owns its own record. */
export const customer = (n: number, changes: Partial<DataOf<"Customer">> = {}, platformId = alphaId): RecordInsert => ({
  kind: "Customer",
  id: id("Customer", n),
  platformId,
  customerId: id("Customer", n),
  data: customerData(n, changes),
})

export const agentData = (changes: Partial<DataOf<"Agent">> = {}): DataOf<"Agent"> => ({
  name: "agent",
  isPaused: false,
  isConnected: true,
  isDeleted: false,
  recastCount: 0,
  recasts: [],
  tokens: [],
  policy: {
    permissions: ["CREATE_TRANSFERS"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 1000 },
  },
  ...changes,
})

export const agent = (n: number, owner: Owner = ownerOf()): RecordInsert => ({
  kind: "Agent",
  id: id("Agent", n, owner.customerId),
  ...owner,
  data: agentData(),
})

/** Returns an update of a customer, decided on `version`. */
export const customerUpdate = (
  n: number,
  version: number,
  changes: Partial<DataOf<"Customer">> = {},
): RecordUpdate => ({
  kind: "Customer",
  id: id("Customer", n),
  version,
  data: customerData(n, changes),
})

export const account = (name: string, changes: Partial<LedgerAccount> = {}): LedgerAccount => ({
  id: name,
  ...ownerOf(),
  currency: "USD",
  floor: 0,
  ...changes,
})

/** Returns a transfer, by default in US dollars. */
export const transfer = (from: string, to: string, amount: number, currency: CurrencyCode = "USD") => ({
  from,
  to,
  amount,
  currency,
  reference: id("Transaction", 1),
})

export const job = (n: number, changes: Partial<NewJob> = {}): NewJob => ({
  id: id("Job", n, changes.customerId),
  queue: "work",
  kind: "test",
  customerId: ann,
  dueAt: 0,
  payload: { n },
  ...changes,
})

export const newEvent = (n: number, changes: Partial<NewEvent> = {}): NewEvent => ({
  id: id("Webhook", n, changes.customerId),
  type: "TEST",
  customerId: ann,
  subject: ann,
  data: { body: { n }, placeholders: [] },
  ...changes,
})
