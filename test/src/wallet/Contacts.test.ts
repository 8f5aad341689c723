/** Changes of a contact that a credential is tied to, and the deletion of a customer. Wire contract 5.11, 8.2 and 11 (22, 23). */
import { describe, expect, it } from "vitest"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"
import { atEachStoreCall } from "../operation/AtStoreCalls.ts"
import {
  addSms,
  answerCode,
  contacts,
  newKey,
  newWallet,
  sealedCode,
  signed,
  signIn,
  signing,
  textAt,
} from "./People.ts"

const world = async () => {
  const pay = await harness()
  const wallet = await newWallet(pay)
  return { pay, wallet, session: await signIn(pay, wallet.emailId), [Symbol.asyncDispose]: pay[Symbol.asyncDispose] }
}

const change = (fields: object) => ({ customerType: "INDIVIDUAL", ...fields })
const credentialsOf = async (pay: Harness, accountId: string) =>
  at(await pay.send("GET", `/auth/credentials?accountId=${accountId}`), "data")

describe("e-mail address of an OTP credential", () => {
  // Proves: EP-WALLET-02, EP-WALLET-39, EP-WALLET-41
  it("changes an e-mail address together with its credential once signed, and keeps the sessions", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const path = `/customers/${wallet.customerId}`
    const body = change({ email: "lovelace@example.com", fullName: "Ada L" })
    const first = await pay.send("PATCH", path, { body })
    expect(first.status).toBe(202)
    expect(JSON.parse(textAt(first, "payloadToSign"))).toMatchObject({
      type: "ACTIVITY_TYPE_UPDATE_USER_EMAIL",
      parameters: { userEmail: "lovelace@example.com", userId: wallet.customerId },
    })
    expect((await pay.send("GET", path)).body).toMatchObject({ email: contacts.email, fullName: "Ada Lovelace" })
    const second = await pay.send("PATCH", path, { body, headers: await signing(first, session.key) })
    expect(second).toMatchObject({ status: 200, body: { email: "lovelace@example.com", fullName: "Ada L" } })
    expect(await credentialsOf(pay, wallet.accountId)).toMatchObject([
      { id: wallet.emailId, nickname: "lovelace@example.com" },
    ])
    const sessions = await pay.send("GET", `/auth/sessions?accountId=${wallet.accountId}`)
    expect(at(sessions, "data")).toMatchObject([{ id: session.sessionId }])
  })

  it("invalidates pending codes and answers after a change of the e-mail address", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const path = `/auth/credentials/${wallet.emailId}/verify`
    const key = await newKey()
    const answered = { type: "EMAIL_OTP", encryptedOtpBundle: await answerCode(pay, wallet.emailId, key) }
    const waiting = await pay.send("POST", path, { body: answered })
    const open = { type: "EMAIL_OTP", encryptedOtpBundle: await answerCode(pay, wallet.emailId, key) }
    await signed(pay, "PATCH", `/customers/${wallet.customerId}`, session.key, change({ email: "new@example.com" }))
    expect(await pay.send("POST", path, { body: answered, headers: await signing(waiting, key) })).toMatchObject({
      status: 401,
      body: { reason: "Request id unknown, expired or already used" },
    })
    expect(await pay.send("POST", path, { body: open })).toMatchObject({
      status: 401,
      body: { reason: "No pending OTP for this credential" },
    })
    const fresh = await pay.send("POST", `/auth/credentials/${wallet.emailId}/challenge`)
    const body = {
      type: "EMAIL_OTP",
      encryptedOtpBundle: await sealedCode(textAt(fresh, "otpEncryptionTargetBundle"), key),
    }
    expect((await pay.send("POST", path, { body })).status).toBe(202)
  })

  // Proves: EP-WALLET-40
  it("needs no signature if no credential is tied to the contact or nothing changes", async () => {
    await using it = await world()
    const { pay, wallet } = it
    const send = (fields: object) => pay.send("PATCH", `/customers/${wallet.customerId}`, { body: change(fields) })
    expect((await send({ email: contacts.email })).status).toBe(200)
    expect((await send({ phoneNumber: "+14155550199" })).status).toBe(200)
    expect((await send({ fullName: "A" })).status).toBe(200)
    expect((await send({ email: "other@example.com" })).status).toBe(202)
  })

  const changed = [
    ["EMAIL_OTP", "email", "old@example.com", "new@example.com"],
    ["SMS_OTP", "phoneNumber", "+14155550111", "+14155550122"],
  ] as const

  it.each(changed)(
    "is the one of the customer if it changes while a credential of type %s is added",
    async (type, field, before, after) => {
      await atEachStoreCall(async ({ around, overlap }) => {
        await using pay = await harness({ around })
        const { accountId, customerId } = await newWallet(pay, {})
        const send = (contact: string) =>
          pay.send("PATCH", `/customers/${customerId}`, { body: change({ [field]: contact }) })
        await send(before)
        const isOverlapped = await overlap(
          () => pay.send("POST", "/auth/credentials", { body: { type, accountId } }),
          () => send(after),
        )
        const contact = at(await pay.send("GET", `/customers/${customerId}`), field)
        expect(await credentialsOf(pay, accountId)).toMatchObject([{ type, nickname: contact }])
        return isOverlapped
      })
    },
  )

  it.each(changed)(
    "does not change without the credential of type %s that is added meanwhile",
    async (type, field, before, after) => {
      await atEachStoreCall(async ({ around, overlap }) => {
        await using pay = await harness({ around })
        const { accountId, customerId } = await newWallet(pay, {})
        const send = (contact: string) =>
          pay.send("PATCH", `/customers/${customerId}`, { body: change({ [field]: contact }) })
        await send(before)
        const isOverlapped = await overlap(
          () => send(after),
          () => pay.send("POST", "/auth/credentials", { body: { type, accountId } }),
        )
        const contact = at(await pay.send("GET", `/customers/${customerId}`), field)
        expect(await credentialsOf(pay, accountId)).toMatchObject([{ type, nickname: contact }])
        return isOverlapped
      })
    },
  )

  it("refuses a signed change to another customer's contact or after a change of the credentials with 409", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    await newWallet(pay, { email: "taken@example.com" })
    const path = `/customers/${wallet.customerId}`
    const taken = await signed(pay, "PATCH", path, session.key, change({ email: "taken@example.com" }))
    expect(taken).toMatchObject({ status: 409, body: { code: "EMAIL_OTP_EMAIL_ALREADY_EXISTS" } })

    const smsId = textAt(await addSms(pay, wallet, session), "id")
    const bySms = await signIn(pay, smsId, "SMS_OTP")
    const body = change({ email: "later@example.com" })
    const first = await pay.send("PATCH", path, { body })
    await signed(pay, "DELETE", `/auth/credentials/${wallet.emailId}`, bySms.key)
    await signed(pay, "POST", "/auth/credentials", bySms.key, { type: "EMAIL_OTP", accountId: wallet.accountId })
    const second = await pay.send("PATCH", path, { body, headers: await signing(first, bySms.key) })
    expect(second).toMatchObject({ status: 409, body: { code: "EMAIL_OTP_CREDENTIAL_SET_CHANGED" } })
    expect((await pay.send("GET", path)).body).toMatchObject({ email: contacts.email })
  })

  it("may become a contact whose only credential is revoked", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const other = await newWallet(pay, { email: "taken@example.com", phoneNumber: "+14155550177" })
    const owner = await signIn(pay, other.emailId)
    const bySms = await signIn(pay, textAt(await addSms(pay, other, owner), "id"), "SMS_OTP")
    const path = `/customers/${wallet.customerId}`
    const send = () => signed(pay, "PATCH", path, session.key, change({ email: "taken@example.com" }))
    expect((await send()).status).toBe(409)
    expect((await signed(pay, "DELETE", `/auth/credentials/${other.emailId}`, bySms.key)).status).toBe(204)
    expect(await send()).toMatchObject({ status: 200, body: { email: "taken@example.com" } })
  })

  it("refuses an invalid request at the first call", async () => {
    await using it = await world()
    const body = change({ email: "new@example.com", currencies: ["BWP"] })
    const reply = await it.pay.send("PATCH", `/customers/${it.wallet.customerId}`, { body })
    expect(reply).toMatchObject({ status: 400, body: { details: { errors: [{ field: "currencies.0" }] } } })
  })
})

describe("deleted customer", () => {
  it("ends sessions, credentials and pending requests with their customer", async () => {
    await using it = await world()
    const { pay, session, wallet } = it
    const exportPath = `/internal-accounts/${wallet.accountId}/export`
    const body = { clientPublicKey: (await newKey()).publicKey.uncompressed }
    const pending = await pay.send("POST", exportPath, { body })
    const key = await newKey()
    const answer = { type: "EMAIL_OTP", encryptedOtpBundle: await answerCode(pay, wallet.emailId, key) }
    const waiting = await pay.send("POST", `/auth/credentials/${wallet.emailId}/verify`, { body: answer })
    expect((await pay.send("DELETE", `/customers/${wallet.customerId}`)).status).toBe(200)
    expect(await credentialsOf(pay, wallet.accountId)).toEqual([])
    expect((await pay.send("GET", `/auth/sessions?accountId=${wallet.accountId}`)).body).toEqual({ data: [] })
    const gone = [
      pay.send("POST", exportPath, { body, headers: await signing(pending, session.key) }),
      pay.send("PATCH", `/internal-accounts/${wallet.accountId}`, { body: { privateEnabled: true } }),
      pay.send("POST", `/auth/credentials/${wallet.emailId}/verify`, {
        body: answer,
        headers: await signing(waiting, key),
      }),
      pay.send("POST", "/auth/credentials", { body: { type: "EMAIL_OTP", accountId: wallet.accountId } }),
      pay.send("POST", `/auth/credentials/${wallet.emailId}/challenge`),
      pay.send("DELETE", `/auth/sessions/${session.sessionId}`),
    ]
    for (const reply of await Promise.all(gone)) {
      expect(reply).toMatchObject({ status: 404, body: { code: "REFERENCE_NOT_FOUND" } })
    }
    const refresh = await pay.send("POST", `/auth/sessions/${session.sessionId}/refresh`, { body })
    expect(refresh).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED", reason: "Session not active" } })
  })
})
