/** Requests of every operation about credentials, sessions and what a wallet's owner signs, each of which succeeds for its owner. */
import { answerCode, newKey, newWallet, type SignedIn, signIn, textAt } from "../wallet/People.ts"
import { externalAccountBody, idAt, ids, quoteBetween } from "./Bodies.ts"
import type { StepWorld } from "./ConfinedWorld.ts"

const publicKey = async () => (await newKey()).publicKey.uncompressed

const credentials = async ({ call, pay }: StepWorld, accountId: string, emailId: string, session: SignedIn) => {
  const { key } = session
  const sms = idAt(await call("POST", "/auth/credentials", { body: { type: "SMS_OTP", accountId }, key }), "id")
  await call("GET", `/auth/credentials?accountId=${accountId}`)
  await call("POST", `/auth/credentials/${emailId}/challenge`)
  const own = await newKey()
  const encryptedOtpBundle = await answerCode(pay, emailId, own)
  await call("POST", `/auth/credentials/${emailId}/verify`, {
    body: { type: "EMAIL_OTP", encryptedOtpBundle },
    key: own,
  })
  await call("GET", `/auth/sessions?accountId=${accountId}`)
  await call("DELETE", `/auth/credentials/${sms}`, { key })
  const { sessionId } = await signIn(pay, emailId)
  await call("DELETE", `/auth/sessions/${sessionId}`, { key })
  const refreshing = await signIn(pay, emailId)
  const body = { clientPublicKey: await publicKey() }
  await call("POST", `/auth/sessions/${refreshing.sessionId}/refresh`, { body, key: refreshing.key })
}

const signedUpdates = async (
  { call, prepare }: StepWorld,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
  { key }: SignedIn,
) => {
  await call("PATCH", `/internal-accounts/${accountId}`, { body: { privateEnabled: true }, key })
  await call("POST", `/internal-accounts/${accountId}/export`, { body: { clientPublicKey: await publicKey() }, key })
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const cardId = idAt(await prepare("POST", "/cards", issue), "id")
  const accounts = await prepare("GET", `/customers/internal-accounts?customerId=${customerId}&currency=USDB`)
  const fundingSources = ids(accounts.body)
  const body = { cardId, internalAccountId: accountId, nickname: "Settlement" }
  const delegated = idAt(await call("POST", "/auth/delegated-keys", { body, key }), "id")
  await call("GET", `/auth/delegated-keys?accountId=${accountId}`)
  await call("GET", `/auth/delegated-keys/${delegated}`)
  await call("DELETE", `/auth/delegated-keys/${delegated}`)
  await call("PATCH", `/cards/${cardId}`, { body: { fundingSources }, key })
  const email = { customerType: "INDIVIDUAL", email: "lovelace@example.com" }
  await call("PATCH", `/customers/${customerId}`, { body: email, key })
}

/** A quote from the wallet is signed at its execution, by the platform's call and by an agent's. */
const quotes = async (
  { call, prepare }: StepWorld,
  { accountId, customerId }: { readonly accountId: string; readonly customerId: string },
  { key }: SignedIn,
) => {
  await prepare("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 100_000_000 })
  const payee = idAt(
    await prepare("POST", "/customers/external-accounts", externalAccountBody({ customerId }, "000", "2222222")),
    "id",
  )
  const body = quoteBetween(accountId, payee, 1_000_000)
  const toSign = ["paymentInstructions", 0, "accountOrWalletInfo", "payloadToSign"]
  const quote = await prepare("POST", "/quotes", body)
  await call("POST", `/quotes/${idAt(quote, "id")}/execute`, { key, payload: textAt(quote, ...toSign) })
  const policy = {
    permissions: ["CREATE_QUOTES", "EXECUTE_QUOTES"],
    defaultExecutionMode: "AUTO",
    spendingLimits: { currency: "USD", perTransactionLimit: 1_000_000 },
  }
  const made = await prepare("POST", "/agents", { name: "Wallet", customerId, policy })
  const redeemed = await prepare("POST", `/agents/device-codes/${idAt(made, "deviceCode", "code")}/redeem`)
  const agent = { agentId: idAt(made, "agent", "id"), token: idAt(redeemed, "accessToken") }
  const ofAgent = await call("POST", "/agents/me/quotes", { body, agent })
  await call("POST", `/agents/me/quotes/${idAt(ofAgent, "id")}/execute`, {
    agent,
    key,
    payload: textAt(ofAgent, ...toSign),
  })
}

export const walletSteps = async (it: StepWorld) => {
  const wallet = await newWallet(it.pay)
  const session = await signIn(it.pay, wallet.emailId)
  await credentials(it, wallet.accountId, wallet.emailId, session)
  await quotes(it, wallet, session)
  await signedUpdates(it, wallet, session)
}
