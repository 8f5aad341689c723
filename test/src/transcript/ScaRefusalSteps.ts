/** Customers under strong authentication who answer wrongly, late or by another factor, and those without it. */
import { externalAccountBody, idAt } from "../confinement/Bodies.ts"
import { at } from "../customer/CustomerRequests.ts"
import { passkeyAnswer, trustPath, untrustPath } from "../sca/TrustRequests.ts"
import type { TranscriptSteps } from "./TranscriptWorld.ts"

const code = "123456"
const wrong = "654321"
const endUserIpAddress = "203.0.113.7"
const telephone = "+14155550123"
const origin = "https://sandbox.example"

const newCustomer = async ({ prepare }: TranscriptSteps, region: string, more: object = {}) => {
  const body = { customerType: "INDIVIDUAL", fullName: "Emmy Noether", region, ...more }
  return idAt(await prepare("POST", "/customers", body), "id")
}

const account = async ({ prepare }: TranscriptSteps, customerId: string, suffix: string) =>
  idAt(await prepare("POST", "/customers/external-accounts", externalAccountBody({ customerId }, suffix)), "id")

const asking =
  ({ call }: TranscriptSteps, customerId: string) =>
  (method: string, path: string, body?: object) =>
    call(method, `/sca/${path}?customerId=${customerId}`, body === undefined ? {} : { body })
type Ask = ReturnType<typeof asking>

/** Starts a login and answers it. */
const logIn = async (ask: Ask, answer: object = { code }, factor = "SMS_OTP") => {
  await ask("POST", "login/start", { factor })
  return ask("POST", "login/complete", { factor, endUserIpAddress, ...answer })
}

/** Wrong answers lock the customer out, ever longer. */
const lockouts = async (it: TranscriptSteps, customerId: string) => {
  const { pay } = it
  const ask = asking(it, customerId)
  const record = (eventType: string) => ask("POST", "record-event", { eventType })
  for (const _ of [1, 2]) await record("FAILED_LOGIN_ATTEMPT")
  await logIn(ask, { code: wrong })
  await record("RESET_PASSWORD_COMPLETED")
  for (const _ of [1, 2, 3, 4, 5, 6]) await record("FAILED_LOGIN_ATTEMPT")
  await record("RESET_PASSWORD_COMPLETED")
  await logIn(ask)
  for (const _ of [1, 2, 3, 4]) await logIn(ask, { code: wrong })
  await ask("POST", "login/start", { factor: "SMS_OTP" })
  await ask("POST", "login/complete", { factor: "SMS_OTP", endUserIpAddress, code: wrong })
  await logIn(ask)
  for (const wait of ["15 minutes", "30 minutes", "1 hour", "1 day"] as const) {
    await pay.clock.advance(wait)
    await logIn(ask, { code: wrong })
  }
  await pay.clock.advance("2 days")
  await logIn(ask)
  await ask("POST", "record-event", { eventType: "RESET_PASSWORD_COMPLETED" })
  await logIn(ask)
}

const logins = async (it: TranscriptSteps, customerId: string) => {
  const { pay } = it
  const ask = asking(it, customerId)
  await ask("POST", "login/start", { factor: "TOTP" })
  await ask("POST", "login/start", { factor: "PASSKEY" })
  const complete = (body: object) => ask("POST", "login/complete", { factor: "SMS_OTP", endUserIpAddress, ...body })
  await complete({ code })
  await complete({})
  await complete({ factor: "PASSKEY" })
  await complete({ code, challengeId: "none" })
  const challengeId = at(await ask("POST", "login/start", { factor: "SMS_OTP" }), "challengeId")
  await complete({ code, challengeId: "none" })
  await complete({ ...passkeyAnswer, factor: "PASSKEY" })
  await pay.clock.advance("5 minutes")
  await complete({ code, challengeId })
  await ask("POST", "login/start", { factor: "SMS_OTP" })
  await pay.clock.advance("299 seconds")
  await complete({ code })
  await complete({ code })
}

const factors = async (it: TranscriptSteps, customerId: string) => {
  const { answerNext } = it
  const ask = asking(it, customerId)
  const confirm = (body: object) => ask("POST", "factors/confirm", body)
  const secret = idAt(await ask("POST", "factors", { type: "TOTP" }), "secret")
  await confirm({ type: "TOTP", secret, code: wrong })
  await confirm({ type: "TOTP", secret, code })
  await confirm({ type: "TOTP", secret, code })
  await ask("POST", "factors", { type: "PASSKEY" })
  await confirm({ type: "PASSKEY", origin, credential: {} })
  for (const id of ["key-1", "key-2", "key-1"]) await confirm({ type: "PASSKEY", origin, credential: { id } })
  answerNext("ScaProvider.confirmEnrollment", {
    _tag: "Enrolled",
    credentialId: "key-3",
    name: "Phone",
    recoveryCodes: [],
  })
  await confirm({ type: "PASSKEY", origin, credential: { id: "key-3" } })
  await ask("DELETE", "factors/none")
  await ask("DELETE", "factors/key-2")
  await ask("GET", "factors")
  await logIn(ask, { code }, "TOTP")
  await logIn(ask, passkeyAnswer, "PASSKEY")
  await logIn(ask, { ...passkeyAnswer, passkeyAssertion: {} }, "PASSKEY")
}

const resets = async (it: TranscriptSteps, customerId: string) => {
  const { answerNext, pay } = it
  const ask = asking(it, customerId)
  const start = async (factor: string) => at(await ask("POST", "factors/reset", { factor }), "resetId")
  const first = `factors/reset/${String(await start("TOTP"))}`
  answerNext("ScaProvider.resetState", "INITIATED", "LIVENESS_FAILED")
  await ask("GET", first)
  await ask("POST", `${first}/complete`)
  await ask("POST", `${first}/complete`)
  await ask("POST", `${first}/complete`)
  await ask("GET", first)
  await ask("GET", "factors/reset/none")
  await ask("POST", "factors/reset/none/complete")
  const secret = idAt(await ask("POST", "factors", { type: "TOTP" }), "secret")
  await ask("POST", "factors/confirm", { type: "TOTP", secret, code })
  await ask("GET", first)
  await start("TOTP")
  await pay.clock.advance("7 minutes")
  const second = `factors/reset/${String(await start("SMS_OTP"))}`
  await ask("POST", `${second}/complete`)
  await ask("POST", `${second}/complete`, { mobile: { countryCode: "+44", number: "7700900123" } })
  await ask("GET", second)
  const third = `factors/reset/${String(await start("PASSKEY"))}`
  await pay.clock.advance("1 hour")
  await ask("GET", third)
  await ask("POST", `${third}/complete`)
  for (const _ of [1, 2, 3]) await start("PASSKEY")
  await pay.clock.advance("23 hours")
  await start("PASSKEY")
  const last = `factors/reset/${String(await start("PASSKEY"))}`
  await ask("POST", `${last}/complete`)
  await ask("GET", "factors")
}

const trusts = async (it: TranscriptSteps, customerId: string) => {
  const { call, pay, prepare } = it
  const ask = asking(it, customerId)
  const id = await account(it, customerId, "000")
  const post = (path: string, body?: object) => call("POST", path, body === undefined ? {} : { body })
  await pay.clock.advance("1 hour")
  await post(trustPath(id))
  await logIn(ask)
  await post(`${trustPath(id)}/confirm`, { challengeId: "none", code })
  await prepare("POST", `/sandbox/external-accounts/${id}/status`, { status: "INACTIVE" })
  await post(trustPath(id))
  await prepare("POST", `/sandbox/external-accounts/${id}/status`, { status: "ACTIVE" })
  await post(trustPath("ExternalAccount:01a1fdfa-4600-7000-8000-00000000ffff"))
  const start = async (path: string) => String(at(await post(path), "scaChallenge", "id"))
  const early = await start(trustPath(id))
  const confirm = (path: string, body: object) => post(`${path}/confirm`, body)
  const refused = [
    { challengeId: "none", code },
    { code },
    { challengeId: early },
    { challengeId: early, ...passkeyAnswer },
    { challengeId: early, code, ...passkeyAnswer },
    { challengeId: early, passkeyAssertion: { id: "key-1" } },
    { challengeId: early, code: wrong },
  ]
  for (const body of refused) await confirm(trustPath(id), body)
  await confirm(untrustPath(id), { challengeId: early, code })
  await pay.clock.advance("5 minutes")
  await confirm(trustPath(id), { challengeId: early, code })
  const challengeId = await start(trustPath(id))
  await pay.clock.advance("4 seconds")
  await confirm(trustPath(id), { challengeId, code })
  await confirm(trustPath(id), { challengeId, code })
  await post(trustPath(id))
  await call("GET", `/customers/external-accounts/${id}`)
  await prepare("DELETE", `/customers/external-accounts/${id}`)
  await confirm(untrustPath(id), { challengeId: await start(untrustPath(id)), code })
  await post(untrustPath(id))
  const unchallenged = await account(it, customerId, "108")
  await post(trustPath(unchallenged))
  await confirm(trustPath(unchallenged), { challengeId: "any", code })
  await confirm(trustPath(unchallenged), { challengeId: "any", code })
}

/** A customer without a telephone, whose passkey answers until it is removed. */
const passkeys = async (it: TranscriptSteps, customerId: string) => {
  const { call } = it
  const ask = asking(it, customerId)
  const [one = "", two = ""] = [await account(it, customerId, "001"), await account(it, customerId, "002")]
  await ask("POST", "login/start", { factor: "SMS_OTP" })
  await ask("POST", "factors/confirm", { type: "PASSKEY", origin, credential: { id: "key-9" } })
  await logIn(ask, passkeyAnswer, "PASSKEY")
  const challengeId = String(at(await call("POST", trustPath(one)), "scaChallenge", "id"))
  const confirm = (body: object) => call("POST", `${trustPath(one)}/confirm`, { body: { challengeId, ...body } })
  await confirm({ code })
  await confirm({ passkeyAssertion: {}, origin })
  await confirm(passkeyAnswer)
  await ask("DELETE", "factors/key-9")
  await call("POST", trustPath(two))
  await ask("GET", "factors")
}

/** A customer of a region that needs no strong authentication. */
const outside = async (it: TranscriptSteps, customerId: string) => {
  const ask = asking(it, customerId)
  const id = await account(it, customerId, "000")
  await it.call("POST", trustPath(id))
  await it.call("POST", `${trustPath(id)}/confirm`, { body: { challengeId: "none", code } })
  await ask("GET", "factors")
  await ask("POST", "factors", { type: "TOTP" })
  await ask("POST", "factors/confirm", { type: "TOTP", secret: "s", code })
  await ask("DELETE", "factors/key-1")
  await ask("POST", "login/start", { factor: "SMS_OTP" })
  await ask("POST", "login/complete", { factor: "SMS_OTP", endUserIpAddress, code })
  await ask("POST", "record-event", { eventType: "RESET_PASSWORD_COMPLETED" })
  await ask("POST", "factors/reset", { factor: "SMS_OTP" })
  await ask("GET", "factors/reset/none")
  await ask("POST", "factors/reset/none/complete")
}

export const scaRefusalSteps = async (it: TranscriptSteps) => {
  const customerId = await newCustomer(it, "EU", { phoneNumber: telephone })
  await logins(it, customerId)
  await trusts(it, customerId)
  await factors(it, customerId)
  await resets(it, customerId)
  await lockouts(it, await newCustomer(it, "EU", { phoneNumber: "+14155550124" }))
  await passkeys(it, await newCustomer(it, "EU"))
  await outside(it, await newCustomer(it, "US", { phoneNumber: "+14155550125" }))
}
