/** The initial world of every simulated run: a customer with money and external accounts, its agent, and a card. A run is a fork of it. */
import { type AgentParts, agentHarness, type Harness } from "@countersign/test"

interface Parts extends Omit<AgentParts, "agent"> {
  /** The account that receives euros. */
  readonly eurosId: string
  /** External accounts in pesos, by the suffix of their number. */
  readonly pesos: { readonly [suffix: string]: string }
  readonly cardId: string
}

export type Pay = Harness & Parts

/** A world to fork, and the transactions that it contains. */
export interface InitialWorld {
  readonly pay: Harness
  readonly parts: Parts
  readonly known: ReadonlySet<string>
}

export const fundedAmount = 20_000

const suffixes = ["000", "002", "004", "005"]
const pesoSuffixes = ["000", "002", "003", "004", "005", "006", "007"]

const idOf = ({ body }: { readonly body: unknown }) => (body as { readonly id: string }).id
const listOf = ({ body }: { readonly body: unknown }) =>
  (body as { readonly data: ReadonlyArray<{ readonly id: string }> }).data

export const makeInitialWorld = async (): Promise<InitialWorld> => {
  const pay = await agentHarness(
    {
      permissions: ["CREATE_TRANSFERS", "VIEW_TRANSACTIONS", "CREATE_QUOTES", "EXECUTE_QUOTES"],
      approvalThresholds: { currency: "USD", amount: 1200 },
      spendingLimits: { currency: "USD", perTransactionLimit: 2500, dailyLimit: 6000, monthlyLimit: 60_000 },
    },
    { suffixes, tape: false, signsWebhooks: false },
  )
  const { accessToken, accountId, agentId, customerId, sources } = pay
  const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Ada Lovelace" }
  const pesos: Record<string, string> = {}
  for (const suffix of pesoSuffixes) {
    const accountInfo = { accountType: "MXN_ACCOUNT", clabeNumber: `032180000118359${suffix}`, beneficiary }
    const body = { customerId, currency: "MXN", accountInfo }
    pesos[suffix] = idOf(await pay.send("POST", "/customers/external-accounts", { body }))
  }
  const euros = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&currency=EUR`)
  const card = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId], platformCardId: "first" }
  const cardId = idOf(await pay.send("POST", "/cards", { body: card }))
  await pay.send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: fundedAmount } })
  await pay.settle()
  const known = new Set(listOf(await pay.send("GET", "/transactions")).map(({ id }) => id))
  pay.webhooks.clear()
  const eurosId = listOf(euros)[0]?.id ?? ""
  return { pay, known, parts: { accessToken, accountId, agentId, customerId, sources, eurosId, pesos, cardId } }
}
