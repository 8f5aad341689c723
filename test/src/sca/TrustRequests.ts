/** Calls that tests of beneficiary trust make over HTTP: a sign-in by strong authentication, and the trust in an account. */
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"
import { textAt } from "../account/ExternalAccountRequests.ts"

const origin = "https://sandbox.example"
const credentialId = "key-1"
/** The sandbox accepts every assertion of a passkey that has an id. */
export const passkeyAnswer = { passkeyAssertion: { id: credentialId }, origin }
export const code = "123456"

const scaPath = (path: string, customerId: string) => `/sca/${path}?customerId=${customerId}`

const expectStatus = (reply: Reply, status: number): Reply => {
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${JSON.stringify(reply.body)}`)
  return reply
}

export const enrollPasskey = async (pay: Harness, customerId: string): Promise<void> => {
  const body = { type: "PASSKEY", origin, credential: { id: credentialId } }
  expectStatus(await pay.send("POST", scaPath("factors/confirm", customerId), { body }), 200)
}

/** Signs the customer in, which lasts for 15 minutes. */
export const signIn = async (
  pay: Harness,
  customerId: string,
  factor: "SMS_OTP" | "PASSKEY" = "SMS_OTP",
): Promise<void> => {
  expectStatus(await pay.send("POST", scaPath("login/start", customerId), { body: { factor } }), 200)
  const body = { factor, endUserIpAddress: "203.0.113.7", ...(factor === "PASSKEY" ? passkeyAnswer : { code }) }
  expectStatus(await pay.send("POST", scaPath("login/complete", customerId), { body }), 200)
}

export const trustPath = (accountId: string): string => `/customers/external-accounts/${accountId}/trust`
export const untrustPath = (accountId: string): string => `/customers/external-accounts/${accountId}/untrust`

/** Starts a request and confirms it by its code. */
export const confirmByCode = async (pay: Harness, path: string): Promise<void> => {
  const challengeId = textAt(expectStatus(await pay.send("POST", path), 200), "scaChallenge", "id")
  expectStatus(await pay.send("POST", `${path}/confirm`, { body: { challengeId, code } }), 200)
}
