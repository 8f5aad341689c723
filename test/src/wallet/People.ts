/** Client of a wallet's owner for tests: generates keys, seals codes and signs payloads. */
import { NodeCrypto } from "@countersign/adapter-http"
import { type Hpke, type KeyPair, OtpBundle, P256, SessionBundle, Stamp } from "@countersign/core/crypto"
import { Effect, ManagedRuntime, Redacted } from "effect"
import type { Harness, Reply, Send } from "../../../packages/test/src/harness/Harness.ts"
import { at, newPerson } from "../customer/CustomerRequests.ts"

const runtime = ManagedRuntime.make(NodeCrypto.layer())
const run = <A, E>(effect: Effect.Effect<A, E, P256 | Hpke>): Promise<A> => runtime.runPromise(effect)

export const contacts = { email: "ada@example.com", phoneNumber: "+14155550123" }

export const newKey = (): Promise<KeyPair> => run(P256.use((p256) => p256.generate))

export const textAt = (reply: Pick<Reply, "body">, ...path: ReadonlyArray<string | number>): string => {
  const text = at(reply, ...path)
  if (typeof text !== "string") throw new Error(`${path.join(".")} is not a string in ${JSON.stringify(reply.body)}`)
  return text
}

export interface WalletOf {
  readonly customerId: string
  readonly accountId: string
  /** First credential of the wallet; empty for a customer without an e-mail address. */
  readonly emailId: string
}

/** Creates a customer with contacts. Returns its embedded wallet and first credential. */
export const newWallet = async (pay: Harness, body: object = contacts): Promise<WalletOf> => {
  const customerId = await newPerson(pay, body)
  const accounts = await pay.send("GET", `/customers/internal-accounts?customerId=${customerId}&type=EMBEDDED_WALLET`)
  const accountId = textAt(accounts, "data", 0, "id")
  const credentials = await pay.send("GET", `/auth/credentials?accountId=${accountId}`)
  const emailId = at(credentials, "data", 0, "id")
  return { customerId, accountId, emailId: typeof emailId === "string" ? emailId : "" }
}

/** Returns `encryptedOtpBundle`: the code and the key, sealed to the target of a bundle. */
export const sealedCode = (bundle: string, key: KeyPair, code = "000000"): Promise<string> =>
  run(
    Effect.gen(function* () {
      const target = yield* OtpBundle.verifyTarget(bundle)
      return yield* OtpBundle.seal(target, { otpCode: Redacted.make(code), publicKey: key.publicKey })
    }),
  )

export const stamp = (key: KeyPair, payload: string): Promise<string> => run(Stamp.make(key, payload))

export const opened = (key: KeyPair, bundle: string): Promise<KeyPair> => run(SessionBundle.open(key, bundle))

/** Returns the headers that sign a 202. */
export const signing = async (challenge: Reply, key: KeyPair): Promise<Record<string, string>> => ({
  "service-wallet-signature": await stamp(key, textAt(challenge, "payloadToSign")),
  "request-id": textAt(challenge, "requestId"),
})

/** Makes both calls of a signed request. Returns the second reply. */
export const signed = async (
  pay: Harness,
  method: string,
  path: string,
  key: KeyPair,
  body?: object,
): Promise<Reply> => {
  const options: Send = body === undefined ? {} : { body }
  const first = await pay.send(method, path, options)
  if (first.status !== 202) return first
  return pay.send(method, path, { ...options, headers: await signing(first, key) })
}

/** Requests a code. Returns the bundle that answers it. */
export const answerCode = async (pay: Harness, credentialId: string, key: KeyPair, code?: string): Promise<string> => {
  const challenge = await pay.send("POST", `/auth/credentials/${credentialId}/challenge`)
  return sealedCode(textAt(challenge, "otpEncryptionTargetBundle"), key, code)
}

export interface SignedIn {
  readonly sessionId: string
  readonly key: KeyPair
  readonly reply: Reply
}

/** Signs in by a code. */
export const signIn = async (
  pay: Harness,
  credentialId: string,
  type: "EMAIL_OTP" | "SMS_OTP" = "EMAIL_OTP",
): Promise<SignedIn> => {
  const key = await newKey()
  const body = { type, encryptedOtpBundle: await answerCode(pay, credentialId, key) }
  const reply = await signed(pay, "POST", `/auth/credentials/${credentialId}/verify`, key, body)
  return { sessionId: textAt(reply, "id"), key, reply }
}

/** Adds an SMS_OTP credential. */
export const addSms = async (pay: Harness, { accountId }: WalletOf, { key }: SignedIn): Promise<Reply> =>
  signed(pay, "POST", "/auth/credentials", key, { type: "SMS_OTP", accountId })
