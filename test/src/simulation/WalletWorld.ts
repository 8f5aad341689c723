/** The embedded wallet of the initial world of simulated runs: its customer, its first credential, its money and the accounts that it pays. */
import type { Harness } from "@countersign/test"

export interface WalletParts {
  readonly customerId: string
  readonly accountId: string
  /** The `EMAIL_OTP` credential with which the wallet starts. */
  readonly credentialId: string
  /** A card that the wallet funds. */
  readonly cardId: string
  /** The customer's external accounts in dollars, by the suffix of their number. */
  readonly banks: { readonly [suffix: string]: string }
}

/** The customer's contacts when a run begins. */
export const firstContacts = { email: "katherine@example.com", phoneNumber: "+14155550199" }

/** In the smallest unit: 40 dollars. */
export const fundedWalletAmount = 40_000_000

const suffixes = ["000", "002", "005"]

interface Listed {
  readonly id: string
}

export const addWallet = async ({ send }: Harness): Promise<WalletParts> => {
  const idOf = ({ body }: { readonly body: unknown }) => (body as Listed).id
  const firstOf = ({ body }: { readonly body: unknown }) =>
    (body as { readonly data: ReadonlyArray<Listed> }).data[0]?.id ?? ""
  const person = { customerType: "INDIVIDUAL", fullName: "Katherine Johnson", ...firstContacts }
  const customerId = idOf(await send("POST", "/customers", { body: person }))
  const accountId = firstOf(
    await send("GET", `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`),
  )
  const credentialId = firstOf(await send("GET", `/auth/credentials?accountId=${accountId}`))
  const banks: Record<string, string> = {}
  for (const suffix of suffixes) {
    const beneficiary = { beneficiaryType: "INDIVIDUAL", fullName: "Katherine Johnson" }
    const accountInfo = {
      accountType: "USD_ACCOUNT",
      accountNumber: `44${suffix}`,
      routingNumber: "021000021",
      beneficiary,
    }
    const body = { customerId, currency: "USD", accountInfo }
    banks[suffix] = idOf(await send("POST", "/customers/external-accounts", { body }))
  }
  await send("POST", `/sandbox/internal-accounts/${accountId}/fund`, { body: { amount: fundedWalletAmount } })
  const card = {
    cardholderId: customerId,
    form: "VIRTUAL",
    fundingSources: [accountId],
    platformCardId: "of the wallet",
  }
  const cardId = idOf(await send("POST", "/cards", { body: card }))
  return { customerId, accountId, credentialId, cardId, banks }
}
