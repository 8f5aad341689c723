/** Races of wallet requests for any store: a signed request is executed once. D-141. */
import { describe, expect, it } from "vitest"
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import {
  addSms,
  answerCode,
  newKey,
  newWallet,
  type SignedIn,
  signIn,
  signing,
  textAt,
  type WalletOf,
} from "./People.ts"

interface Race {
  readonly name: string
  readonly method: string
  readonly path: (wallet: WalletOf, session: SignedIn) => string
  readonly body?: () => Promise<object>
  readonly done: number
  /** Status that the loser may receive instead of 401, because the record has changed. */
  readonly late?: number
}

const spent = { status: 401, body: { reason: "Request id unknown, expired or already used" } }

const races: ReadonlyArray<Race> = [
  {
    name: "a refresh",
    method: "POST",
    path: (_wallet, { sessionId }) => `/auth/sessions/${sessionId}/refresh`,
    body: async () => ({ clientPublicKey: (await newKey()).publicKey.compressed }),
    done: 201,
  },
  {
    name: "an export",
    method: "POST",
    path: ({ accountId }) => `/internal-accounts/${accountId}/export`,
    body: async () => ({ clientPublicKey: (await newKey()).publicKey.uncompressed }),
    done: 200,
  },
  {
    name: "a change of privacy",
    method: "PATCH",
    path: ({ accountId }) => `/internal-accounts/${accountId}`,
    body: async () => ({ privateEnabled: true }),
    done: 200,
  },
  {
    name: "a revocation",
    method: "DELETE",
    path: (_wallet, { sessionId }) => `/auth/sessions/${sessionId}`,
    done: 204,
    late: 404,
  },
]

const statuses = (replies: ReadonlyArray<Reply>) => replies.map(({ status }) => status).toSorted((a, b) => a - b)

/** Runs the suite. `open` starts a harness whose operations overlap. */
export const proveRaces = (open: () => Promise<Harness>) => {
  it.each(races)("executes $name once for five concurrent signed retries", async (race) => {
    const { body, done, late, method, path } = race
    await using pay = await open()
    const wallet = await newWallet(pay)
    const session = await signIn(pay, wallet.emailId)
    const to = path(wallet, session)
    const sent = body === undefined ? {} : { body: await body() }
    const headers = await signing(await pay.send(method, to, sent), session.key)
    const replies = await Promise.all(Array.from({ length: 5 }, () => pay.send(method, to, { ...sent, headers })))
    expect(replies.filter(({ status }) => status === done)).toHaveLength(1)
    for (const reply of replies.filter(({ status }) => status !== done && status !== late)) {
      expect(reply).toMatchObject(spent)
    }
  })

  it("issues one session for concurrent second calls of a code", async () => {
    await using pay = await open()
    const { accountId, emailId } = await newWallet(pay)
    const key = await newKey()
    const body = { type: "EMAIL_OTP", encryptedOtpBundle: await answerCode(pay, emailId, key) }
    const path = `/auth/credentials/${emailId}/verify`
    const firsts = await Promise.all(Array.from({ length: 4 }, () => pay.send("POST", path, { body })))
    expect(statuses(firsts)).toEqual([202, 401, 401, 401])
    const first = firsts.find(({ status }) => status === 202)
    if (first === undefined) throw new Error("No first call was accepted.")
    const headers = await signing(first, key)
    const seconds = await Promise.all(Array.from({ length: 4 }, () => pay.send("POST", path, { body, headers })))
    expect(statuses(seconds)).toEqual([200, 401, 401, 401])
    expect(at(await pay.send("GET", `/auth/sessions?accountId=${accountId}`), "data")).toHaveLength(1)
  })

  it("registers one of two concurrent first credentials without a signature", async () => {
    await using pay = await open()
    const { accountId, customerId } = await newWallet(pay, { phoneNumber: "+14155550123" })
    await pay.send("PATCH", `/customers/${customerId}`, {
      body: { customerType: "INDIVIDUAL", email: "a@example.com" },
    })
    const register = (type: string) => pay.send("POST", "/auth/credentials", { body: { type, accountId } })
    const replies = await Promise.all([register("EMAIL_OTP"), register("SMS_OTP")])
    expect(statuses(replies)).toEqual([201, 202])
    expect(at(await pay.send("GET", `/auth/credentials?accountId=${accountId}`), "data")).toHaveLength(1)
  })

  it("keeps one of two credentials that revoke each other", async () => {
    await using pay = await open()
    const wallet = await newWallet(pay)
    const session = await signIn(pay, wallet.emailId)
    const smsId = textAt(await addSms(pay, wallet, session), "id")
    const bySms = await signIn(pay, smsId, "SMS_OTP")
    const [email, sms] = [`/auth/credentials/${wallet.emailId}`, `/auth/credentials/${smsId}`]
    const ofEmail = await signing(await pay.send("DELETE", email), bySms.key)
    const ofSms = await signing(await pay.send("DELETE", sms), session.key)
    const replies = await Promise.all([
      pay.send("DELETE", email, { headers: ofEmail }),
      pay.send("DELETE", sms, { headers: ofSms }),
    ])
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(at(await pay.send("GET", `/auth/credentials?accountId=${wallet.accountId}`), "data")).toHaveLength(1)
  })

  it("revokes a session that its credential issues during the revocation", async () => {
    await using pay = await open()
    const wallet = await newWallet(pay)
    const session = await signIn(pay, wallet.emailId)
    const smsId = textAt(await addSms(pay, wallet, session), "id")
    const key = await newKey()
    const path = `/auth/credentials/${smsId}/verify`
    const body = { type: "SMS_OTP", encryptedOtpBundle: await answerCode(pay, smsId, key) }
    const headers = await signing(await pay.send("POST", path, { body }), key)
    const ofSms = await signing(await pay.send("DELETE", `/auth/credentials/${smsId}`), session.key)
    const [issued, revoked] = await Promise.all([
      pay.send("POST", path, { body, headers }),
      pay.send("DELETE", `/auth/credentials/${smsId}`, { headers: ofSms }),
    ])
    expect(revoked.status).toBe(204)
    expect([200, 404]).toContain(issued.status)
    const sessions = at(await pay.send("GET", `/auth/sessions?accountId=${wallet.accountId}`), "data")
    expect(sessions).toMatchObject([{ id: session.sessionId }])
  })
}

/** Runs the races in several orders. */
export const proveRacesInMemory = (seeds: ReadonlyArray<number>, open: (seed: number) => Promise<Harness>) => {
  for (const seed of seeds) describe(`in order ${seed}`, () => proveRaces(() => open(seed)))
}
