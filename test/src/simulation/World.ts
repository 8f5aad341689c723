/**
 * The initial world of every simulated run: a customer with money and external accounts, its agent, a card and a stablecoin. A run is a fork
 * of it.
 */
import { type AgentParts, agentHarness, type Harness } from "@countersign/test"
import type { HarnessOptions } from "../../../packages/test/src/harness/Harness.ts"
import type { Outside } from "./Outside.ts"
import { addWallet, type WalletParts } from "./WalletWorld.ts"

interface IdsBySuffix {
  readonly [suffix: string]: string
}

interface Parts extends Omit<AgentParts, "agent"> {
  /** The account that receives euros. */
  readonly eurosId: string
  /** External accounts in pesos, by the suffix of their number. */
  readonly pesos: IdsBySuffix
  /** External accounts in dollars that are declared as the customer's own, by the suffix of their number: quotes pull from them. */
  readonly declared: IdsBySuffix
  /** Spark wallets by the suffix of their address. */
  readonly wallets: IdsBySuffix
  readonly cardId: string
  readonly stablecoinId: string
  /** The address of the customer, and the domain of its platform. */
  readonly umaAddress: string
  readonly umaDomain: string
  readonly wallet: WalletParts
  /** A customer under strong authentication, and its external accounts: the trust in one of them is not challenged. */
  readonly authenticated: { readonly customerId: string; readonly accountIds: readonly [string, string] }
}

export type Pay = Harness & Parts & { readonly outside: Outside; readonly wallNow: () => Promise<number> }

/** A world to fork, and the transactions and delivered events that it contains. */
export interface InitialWorld {
  readonly pay: Harness
  readonly parts: Parts
  readonly known: ReadonlySet<string>
}

export const fundedAmount = 20_000

/** Where the webhooks of a run go first. */
export const firstEndpoint = "https://platform.example/hooks"

const suffixes = ["000", "002", "004", "005"]
const declaredSuffixes = ["000", "002", "003", "004", "005"]
const walletSuffixes = ["200", "002", "003", "004", "005", "006"]
const pesoSuffixes = ["000", "002", "003", "004", "005", "006", "007"]

const sparkAddress = "spark1pgssy75lcn5suv6c0k3v0mq3xedcpfw2au2rjh5r4rxly9euvxr2h584rg25"

const providerAccount = {
  provider: "BRALE",
  apiClientId: "provider_client_100",
  apiClientSecret: "provider_secret_456",
}
const token = { providerTokenIdentifier: "ACME", networkTokenIdentifier: "btkn1acme", network: "SPARK" }

const idOf = ({ body }: { readonly body: unknown }) => (body as { readonly id: string }).id
const listOf = ({ body }: { readonly body: unknown }) =>
  (body as { readonly data: ReadonlyArray<{ readonly id: string }> }).data

/** The last three characters of the number of an account whose trust is not challenged. */
const unchallenged = "108"

/** Adds a customer under strong authentication with two external accounts. */
const addAuthenticated = async (pay: Harness): Promise<Parts["authenticated"]> => {
  const person = { customerType: "INDIVIDUAL", fullName: "Grace Hopper", region: "EU", phoneNumber: "+14155550123" }
  const customerId = idOf(await pay.send("POST", "/customers", { body: person }))
  const account = async (suffix: string) => {
    const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
    const accountInfo = { accountType: "MXN_ACCOUNT", clabeNumber: `032180000118359${suffix}`, beneficiary }
    return idOf(
      await pay.send("POST", "/customers/external-accounts", { body: { customerId, currency: "MXN", accountInfo } }),
    )
  }
  return { customerId, accountIds: [await account("000"), await account(unchallenged)] }
}

/** `options`: of a world that is not forked, because it has a store of its own. */
export const makeInitialWorld = async (options: Omit<HarnessOptions, "from"> = {}): Promise<InitialWorld> => {
  const pay = await agentHarness(
    {
      permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS", "CREATE_QUOTES", "EXECUTE_QUOTES"],
      approvalThresholds: { currency: "USD", amount: 1200 },
      spendingLimits: { currency: "USD", perTransactionLimit: 2500, dailyLimit: 6000, monthlyLimit: 60_000 },
    },
    { ...options, suffixes, tape: false, signsWebhooks: false, scaRegions: ["EU"] },
  )
  const { accessToken, accountId, agentId, customerId, sources } = pay
  const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
  const accounts = async (each: ReadonlyArray<string>, requestOf: (suffix: string) => object) => {
    const bySuffix: Record<string, string> = {}
    for (const suffix of each) {
      const body = { customerId, ...requestOf(suffix) }
      bySuffix[suffix] = idOf(await pay.send("POST", "/customers/external-accounts", { body }))
    }
    return bySuffix
  }
  const pesos = await accounts(pesoSuffixes, (suffix) => ({
    currency: "MXN",
    accountInfo: { accountType: "MXN_ACCOUNT", clabeNumber: `032180000118359${suffix}`, beneficiary },
  }))
  const declared = await accounts(declaredSuffixes, (suffix) => ({
    currency: "USD",
    ownershipType: "FIRST_PARTY",
    accountInfo: { accountType: "USD_ACCOUNT", accountNumber: `77${suffix}`, routingNumber: "021000021", beneficiary },
  }))
  const wallets = await accounts(walletSuffixes, (suffix) => ({
    currency: "BTC",
    accountInfo: { accountType: "SPARK_WALLET", address: `${sparkAddress}${suffix}` },
  }))
  const euros = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=EUR`)
  const card = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId], platformCardId: "first" }
  const cardId = idOf(await pay.send("POST", "/cards", { body: card }))
  await pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: fundedAmount } })
  const keyed = (path: string, body: object) =>
    pay.send("POST", path, { headers: { "idempotency-key": path }, body }).then(idOf)
  await keyed("/stablecoin-provider-accounts", providerAccount)
  const stablecoinId = await keyed("/stablecoins", token)
  const wallet = await addWallet(pay)
  await pay.settle()
  const delivered = listOf(await pay.send("GET", "/operator/events?limit=100"))
  const known = new Set([...listOf(await pay.send("GET", "/transactions")), ...delivered].map(({ id }) => id))
  pay.webhooks.clear()
  const eurosId = listOf(euros)[0]?.id ?? ""
  const { umaDomain } = (await pay.send("GET", "/config")).body as { readonly umaDomain: string }
  const { umaAddress } = (await pay.send("GET", `/customers/${customerId}`)).body as { readonly umaAddress: string }
  const authenticated = await addAuthenticated(pay)
  const parts = { accessToken, accountId, agentId, customerId, sources, eurosId, pesos, declared, wallets, cardId }
  return { pay, known, parts: { ...parts, stablecoinId, umaAddress, umaDomain, authenticated, wallet } }
}
