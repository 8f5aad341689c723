/** Table of all signed operations: request, permitted signer and answer. Wire contract 4.7. */
import type { KeyPair } from "@countersign/core/crypto"
import { type Harness, harness, type Reply } from "../../../packages/test/src/harness/Harness.ts"
import { accountsIn } from "../card/CardWorld.ts"
import {
  addSms,
  answerCode,
  newKey,
  newWallet,
  type SignedIn,
  signed,
  signIn,
  textAt,
  type WalletOf,
} from "./People.ts"

/** Request that needs a signature, and its signer. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: object
  /** The same request with another body. */
  readonly other?: object
  readonly key: KeyPair
  /** Obtains the 202 to sign, if it is not that of the first call. */
  readonly challenge?: () => Promise<Reply>
  /** Session of the key; absent if the key itself is allowed. */
  readonly session?: SignedIn
}

export interface SignedWorld {
  readonly pay: Harness
  readonly wallet: WalletOf
  readonly session: SignedIn
}

interface Endpoint {
  readonly name: string
  /** Method and path as in the OpenAPI document. */
  readonly operation: string
  readonly ask: (world: SignedWorld) => Promise<Asked>
  /** Status of success. */
  readonly done: number
  /** Status of a repetition; 401 unless the record no longer exists. */
  readonly again?: number
  readonly challenge: ReadonlyArray<string>
  /** Whether only one session may sign. */
  readonly only?: boolean
}

const plain = ["expiresAt", "payloadToSign", "requestId"]
const withType = [...plain, "type"]
const compressed = async () => (await newKey()).publicKey.compressed
const uncompressed = async () => (await newKey()).publicKey.uncompressed

/** A card that the wallet funds, and the customer's other account of that currency. */
const withCard = async ({ pay, wallet: { accountId, customerId } }: SignedWorld) => {
  const issue = { cardholderId: customerId, form: "VIRTUAL", fundingSources: [accountId] }
  const cardId = textAt(await pay.send("POST", "/cards", { body: issue }), "id")
  await pay.settle()
  const other = (await accountsIn(pay, customerId, "USDB")).find((id) => id !== accountId) ?? ""
  return { cardId, other }
}

/** Request of the last two calls that create a delegated key. */
const delegation = async (world: SignedWorld) => {
  const { cardId } = await withCard(world)
  const { session, wallet } = world
  const body = { cardId, internalAccountId: wallet.accountId, nickname: "Settlement" }
  const other = { ...body, nickname: "Something else" }
  return { method: "POST", path: "/auth/delegated-keys", body, other, key: session.key, session }
}

export const signedEndpoints: ReadonlyArray<Endpoint> = [
  {
    name: "add a credential",
    operation: "POST /auth/credentials",
    done: 201,
    challenge: withType,
    ask: async ({ session, wallet: { accountId } }) => ({
      method: "POST",
      path: "/auth/credentials",
      body: { type: "SMS_OTP", accountId },
      key: session.key,
      session,
    }),
  },
  {
    name: "revoke a credential",
    operation: "DELETE /auth/credentials/{id}",
    done: 204,
    again: 404,
    challenge: withType,
    ask: async ({ pay, session, wallet }) => {
      const sms = textAt(await addSms(pay, wallet, session), "id")
      return { method: "DELETE", path: `/auth/credentials/${sms}`, key: session.key, session }
    },
  },
  {
    name: "revoke a session",
    operation: "DELETE /auth/sessions/{id}",
    done: 204,
    again: 404,
    challenge: withType,
    ask: async ({ pay, session, wallet }) => {
      const { sessionId } = await signIn(pay, wallet.emailId)
      return { method: "DELETE", path: `/auth/sessions/${sessionId}`, key: session.key, session }
    },
  },
  {
    name: "refresh a session",
    operation: "POST /auth/sessions/{id}/refresh",
    done: 201,
    only: true,
    challenge: plain,
    ask: async ({ session }) => ({
      method: "POST",
      path: `/auth/sessions/${session.sessionId}/refresh`,
      body: { clientPublicKey: await compressed() },
      other: { clientPublicKey: await compressed() },
      key: session.key,
      session,
    }),
  },
  {
    name: "export a wallet",
    operation: "POST /internal-accounts/{id}/export",
    done: 200,
    challenge: plain,
    ask: async ({ session, wallet }) => ({
      method: "POST",
      path: `/internal-accounts/${wallet.accountId}/export`,
      body: { clientPublicKey: await uncompressed() },
      other: { clientPublicKey: await uncompressed() },
      key: session.key,
      session,
    }),
  },
  {
    name: "change a wallet's privacy",
    operation: "PATCH /internal-accounts/{id}",
    done: 200,
    challenge: plain,
    ask: async ({ session, wallet }) => ({
      method: "PATCH",
      path: `/internal-accounts/${wallet.accountId}`,
      body: { privateEnabled: true },
      other: { privateEnabled: false },
      key: session.key,
      session,
    }),
  },
  {
    name: "change a customer's e-mail address",
    operation: "PATCH /customers/{customerId}",
    done: 200,
    // The address is already the customer's, so no signature is needed.
    again: 200,
    challenge: plain,
    ask: async ({ session, wallet }) => ({
      method: "PATCH",
      path: `/customers/${wallet.customerId}`,
      body: { customerType: "INDIVIDUAL", email: "lovelace@example.com" },
      other: { customerType: "INDIVIDUAL", email: "else@example.com" },
      key: session.key,
      session,
    }),
  },
  {
    name: "change a customer's telephone number",
    operation: "PATCH /customers/{customerId}",
    done: 200,
    again: 200,
    challenge: plain,
    ask: async ({ pay, session, wallet }) => {
      await addSms(pay, wallet, session)
      return {
        method: "PATCH",
        path: `/customers/${wallet.customerId}`,
        body: { customerType: "INDIVIDUAL", phoneNumber: "+14155550199" },
        other: { customerType: "INDIVIDUAL", phoneNumber: "+14155550198" },
        key: session.key,
        session,
      }
    },
  },
  {
    name: "replace a card's funding sources",
    operation: "PATCH /cards/{id}",
    done: 200,
    challenge: plain,
    ask: async (world) => {
      const { cardId, other } = await withCard(world)
      const { session, wallet } = world
      return {
        method: "PATCH",
        path: `/cards/${cardId}`,
        body: { fundingSources: [other, wallet.accountId], state: "FROZEN", maxSpendPerTransaction: 700 },
        other: { fundingSources: [other] },
        key: session.key,
        session,
      }
    },
  },
  {
    name: "register a delegated key",
    operation: "POST /auth/delegated-keys",
    done: 202,
    challenge: plain,
    ask: delegation,
  },
  {
    name: "activate a delegated key",
    operation: "POST /auth/delegated-keys",
    done: 201,
    challenge: plain,
    only: true,
    ask: async (world) => {
      const asked = await delegation(world)
      const challenge = () => signed(world.pay, asked.method, asked.path, asked.key, asked.body)
      return { ...asked, challenge }
    },
  },
  {
    name: "sign in by a code",
    operation: "POST /auth/credentials/{id}/verify",
    done: 200,
    challenge: withType,
    ask: async ({ pay, wallet }) => {
      const key = await newKey()
      const encryptedOtpBundle = await answerCode(pay, wallet.emailId, key)
      return {
        method: "POST",
        path: `/auth/credentials/${wallet.emailId}/verify`,
        body: { type: "EMAIL_OTP", encryptedOtpBundle },
        other: { type: "EMAIL_OTP", encryptedOtpBundle: `${encryptedOtpBundle} ` },
        key,
      }
    },
  },
]

export const signedWorld = async (options: Parameters<typeof harness>[0] = {}) => {
  const pay = await harness(options)
  const wallet = await newWallet(pay)
  return { pay, wallet, session: await signIn(pay, wallet.emailId), [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}
