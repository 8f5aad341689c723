/** Credentials of each type and sign-ins by them: codes that are wrong, late or too many, faults of passkeys and tokens, and sessions. */
import { nonceOf, type oidcFaults, oidcPerson, unsigned } from "../../../packages/test/src/harness/OidcPerson.ts"
import {
  type assertionFaults,
  type attestationFaults,
  passkeyDevice,
} from "../../../packages/test/src/harness/PasskeyDevice.ts"
import { idAt } from "../confinement/Bodies.ts"
import type { StepWorld } from "../confinement/ConfinedWorld.ts"
import { contacts, newKey, newWallet, sealedCode, signIn, signing, type WalletOf } from "../wallet/People.ts"

const credentials = "/auth/credentials"
const nowhere = "Credential:00000000-0000-7000-8000-000000000009"

type Signed = Awaited<ReturnType<typeof signIn>>

const challengeOf = async ({ call }: StepWorld, id: string) =>
  idAt(await call("POST", `${credentials}/${id}/challenge`), "otpEncryptionTargetBundle")

/** Answers a code of the credential. `code` is wrong if it is given. */
const answerTo = async (it: StepWorld, id: string, bundle: string, code?: string) => {
  const key = await newKey()
  const encryptedOtpBundle = await sealedCode(bundle, key, code)
  return it.call("POST", `${credentials}/${id}/verify`, { body: { type: "EMAIL_OTP", encryptedOtpBundle }, key })
}

const codes = async (it: StepWorld, { accountId, emailId }: WalletOf) => {
  const { call, pay, prepare } = it
  await answerTo(it, emailId, await challengeOf(it, emailId), "111111")
  const bundle = await challengeOf(it, emailId)
  await call("POST", `${credentials}/${emailId}/verify`, { body: { type: "EMAIL_OTP", encryptedOtpBundle: "x" } })
  await call("POST", `${credentials}/${emailId}/verify`, { body: { type: "SMS_OTP", encryptedOtpBundle: bundle } })
  await pay.clock.advance("299 seconds")
  await answerTo(it, emailId, bundle)
  await answerTo(it, emailId, bundle)
  const late = await challengeOf(it, emailId)
  await pay.clock.advance("300 seconds")
  await answerTo(it, emailId, late)
  const key = await newKey()
  const open = await challengeOf(it, emailId)
  const body = {
    type: "EMAIL_OTP",
    encryptedOtpBundle: await sealedCode(open, key),
    clientPublicKey: (await newKey()).publicKey.uncompressed,
  }
  await call("POST", `${credentials}/${emailId}/verify`, { body })
  const own = { ...body, clientPublicKey: key.publicKey.compressed }
  const first = await call("POST", `${credentials}/${emailId}/verify`, { body: own })
  const verify = async (headers: Readonly<Record<string, string>>) =>
    prepare("POST", `${credentials}/${emailId}/verify`, own, { ...it.callers.full.headers, ...headers })
  if (first.status === 202) {
    await verify(await signing(first, await newKey()))
    await verify({ ...(await signing(first, key)), "request-id": "Request:00000000-0000-7000-8000-000000000009" })
    await verify(await signing(first, key))
    await verify(await signing(first, key))
  }
  const guessed = await challengeOf(it, emailId)
  for (const code of ["222222", "333333", "444444", "555555"]) await answerTo(it, emailId, guessed, code)
  await answerTo(it, emailId, guessed)
  for (const code of ["666666", "777777", "888888"]) await answerTo(it, emailId, await challengeOf(it, emailId), code)
  await call("POST", `${credentials}/${emailId}/challenge`)
  await answerTo(it, emailId, guessed)
  await pay.clock.advance("20 minutes")
  await answerTo(it, emailId, await challengeOf(it, emailId))
  await call("POST", `${credentials}/${nowhere}/challenge`)
  await call("GET", `${credentials}?accountId=${accountId}`)
}

const sessions = async (it: StepWorld, { accountId, emailId }: WalletOf) => {
  const { call, pay, prepare } = it
  const first = await signIn(pay, emailId)
  await pay.clock.advance("13 seconds")
  const second = await signIn(pay, emailId)
  const path = (of: Signed) => `/auth/sessions/${of.sessionId}`
  const body = { clientPublicKey: (await newKey()).publicKey.compressed }
  await call("POST", `${path(first)}/refresh`, { body, key: second.key })
  await call("POST", `${path(first)}/refresh`, { body: { clientPublicKey: "04ab" }, key: first.key })
  await call("POST", `${path(first)}/refresh`, { body, key: first.key })
  await call("DELETE", path(second), { key: first.key })
  await call("DELETE", path(second), { key: second.key })
  await call("DELETE", path(second), { key: second.key })
  const third = await signIn(pay, emailId)
  const challenge = await call("DELETE", path(third))
  const signature = await signing(challenge, third.key)
  const send = (headers: Readonly<Record<string, string>>) =>
    prepare("DELETE", path(third), undefined, { ...it.callers.full.headers, ...headers })
  await send({ "request-id": signature["request-id"] ?? "" })
  await send({ "service-wallet-signature": signature["service-wallet-signature"] ?? "" })
  await send({ ...signature, "service-wallet-signature": "x" })
  await send(await signing(challenge, await newKey()))
  await pay.clock.advance("6 minutes")
  await send(signature)
  await call("GET", `/auth/sessions?accountId=${accountId}`)
  await pay.clock.advance("9 minutes")
  await call("GET", `/auth/sessions?accountId=${accountId}`)
  await call("DELETE", path(third), { key: third.key })
  await call("DELETE", "/auth/sessions/Session:00000000-0000-7000-8000-000000000009")
}

const passkeys = async (it: StepWorld, { accountId, emailId }: WalletOf) => {
  const { call, pay, prepare } = it
  const { key } = await signIn(pay, emailId)
  const device = passkeyDevice({ seed: "transcript" })
  let number = 0
  const register = (wrong?: keyof typeof attestationFaults) => {
    number += 1
    const challenge = Buffer.from(`registration challenge ${number}`).toString("base64url")
    const attestation = device.register(challenge, wrong)
    return { type: "PASSKEY", accountId, nickname: "Phone", challenge, attestation }
  }
  for (const wrong of ["ceremony", "challenge", "userPresence", "noKey"] as const)
    await call("POST", credentials, { body: register(wrong), key })
  const first = register()
  const passkey = idAt(await call("POST", credentials, { body: first, key }), "id")
  await call("POST", credentials, { body: first, key })
  await call("POST", credentials, { body: register(), key })
  const path = `${credentials}/${passkey}`
  const clientKey = await newKey()
  const clientPublicKey = clientKey.publicKey.uncompressed
  const open = async () => call("POST", `${path}/challenge`, { body: { clientPublicKey } })
  await call("POST", `${path}/challenge`, { body: {} })
  await call("POST", `${path}/challenge`, { body: { clientPublicKey: "04ab" } })
  const answer = async (
    challenge: Awaited<ReturnType<typeof open>>,
    wrong?: keyof typeof assertionFaults,
    by = device,
  ) =>
    prepare(
      "POST",
      `${path}/verify`,
      { type: "PASSKEY", assertion: by.assert(idAt(challenge, "challenge"), wrong) },
      { ...it.callers.full.headers, "request-id": idAt(challenge, "requestId") },
    )
  await answer(await open())
  // Another authenticator with the same key has counted as far.
  await answer(await open(), undefined, passkeyDevice({ seed: "transcript" }))
  for (const wrong of ["credentialId", "ceremony", "origin", "relyingParty", "userPresence", "signature"] as const)
    await answer(await open(), wrong)
  const late = await open()
  await pay.clock.advance("6 minutes")
  await answer(late)
  const right = await open()
  await answer(right)
  await answer(right)
  await answer(await open(), "counter")
  await answer(await open())
  const body = { type: "PASSKEY", assertion: device.assert("x") }
  await call("POST", `${path}/verify`, { body })
  await call("POST", `${credentials}/${emailId}/verify`, { body })
  await call("GET", `/auth/sessions?accountId=${accountId}`)
}

const tokens = async (it: StepWorld, { accountId, emailId }: WalletOf) => {
  const { call, pay } = it
  const { key } = await signIn(pay, emailId)
  const person = oidcPerson({ email: "ada@example.com" })
  const token = async (wrong?: keyof typeof oidcFaults, clientPublicKey?: string) =>
    unsigned(
      person.claims(await pay.clock.now(), {
        ...(wrong === undefined ? {} : { wrong }),
        ...(clientPublicKey === undefined ? {} : { clientPublicKey }),
      }),
    )
  const add = (oidcToken: string) => call("POST", credentials, { body: { type: "OAUTH", accountId, oidcToken }, key })
  for (const wrong of ["issuer", "twoAudiences", "noSubject", "noExpiry", "future", "tooOld", "expired"] as const)
    await add(await token(wrong))
  await add("a.b.c")
  const id = idAt(await add(await token()), "id")
  await add(await token())
  const clientPublicKey = (await newKey()).publicKey.uncompressed
  const enter = (oidcToken: string, of = id) =>
    call("POST", `${credentials}/${of}/verify`, { body: { type: "OAUTH", oidcToken, clientPublicKey } })
  for (const wrong of ["otherSubject", "otherAudience", "noNonce", "nonceOfAnotherKey", "expired"] as const)
    await enter(await token(wrong, clientPublicKey))
  await enter(await token(undefined, clientPublicKey))
  await enter(await token(undefined, clientPublicKey), emailId)
  await call("POST", `${credentials}/${id}/challenge`, { body: {} })
  await call("POST", `${credentials}/${id}/verify`, {
    body: { type: "OAUTH", oidcToken: await token(), clientPublicKey: nonceOf("x") },
  })
  await call("DELETE", `${credentials}/${id}`, { key })
  await enter(await token(undefined, clientPublicKey))
}

/** Contacts that credentials are tied to, and credentials of the wrong account or without a contact. */
const tied = async (it: StepWorld, wallet: WalletOf) => {
  const { call, callers, pay, prepare } = it
  const { accountId, customerId, emailId } = wallet
  const session = await signIn(pay, emailId)
  const { key } = session
  const bare = await newWallet(pay, { platformCustomerId: "bare" })
  const add = (type: string, of: string, by = key) =>
    call("POST", credentials, { body: { type, accountId: of }, key: by })
  await add("EMAIL_OTP", bare.accountId)
  await add("SMS_OTP", bare.accountId)
  await add("EMAIL_OTP", callers.accountId)
  await add("EMAIL_OTP", "InternalAccount:00000000-0000-7000-8000-000000000009")
  await add("EMAIL_OTP", accountId)
  await call("DELETE", `${credentials}/${nowhere}`, { key })
  const sms = idAt(await add("SMS_OTP", accountId), "id")
  const patch = (body: object, by = key) =>
    call("PATCH", `/customers/${customerId}`, { body: { customerType: "INDIVIDUAL", ...body }, key: by })
  await patch({ fullName: "Ada L" })
  await prepare("PATCH", `/customers/${bare.customerId}`, { customerType: "INDIVIDUAL", email: contacts.email })
  await patch({ phoneNumber: "+14155550199" })
  await patch({ email: "taken@example.com" }, await newKey())
  const other = await newWallet(pay, { email: "taken@example.com", platformCustomerId: "taken" })
  await patch({ email: "taken@example.com" })
  await patch({ email: "lovelace@example.com" })
  const open = await call("PATCH", `/customers/${customerId}`, {
    body: { customerType: "INDIVIDUAL", phoneNumber: "+14155550188" },
  })
  await call("DELETE", `${credentials}/${sms}`, { key })
  await add("SMS_OTP", accountId)
  await prepare(
    "PATCH",
    `/customers/${customerId}`,
    { customerType: "INDIVIDUAL", phoneNumber: "+14155550188" },
    { ...callers.full.headers, ...(open.status === 202 ? await signing(open, key) : {}) },
  )
  const only = await signIn(pay, other.emailId)
  await call("DELETE", `${credentials}/${other.emailId}`, { key: only.key })
  await call("DELETE", `${credentials}/${other.emailId}`, { key })
  await call("POST", `/internal-accounts/${accountId}/export`, { body: { clientPublicKey: "04ab" }, key })
  await call("POST", `/internal-accounts/${callers.accountId}/export`, { body: { clientPublicKey: "04ab" } })
  await call("PATCH", `/internal-accounts/${callers.accountId}`, { body: { privateEnabled: true } })
  await call("PATCH", `/internal-accounts/${accountId}`, { body: { privateEnabled: true }, key })
  await call("PATCH", `/internal-accounts/${accountId}`, { body: { privateEnabled: true }, key })
}

export const signInSteps = async (it: StepWorld) => {
  await codes(it, await newWallet(it.pay))
  await sessions(it, await newWallet(it.pay, { email: "b@example.com", platformCustomerId: "b" }))
}

export const credentialSteps = async (it: StepWorld) => {
  const wallet = await newWallet(it.pay)
  await passkeys(it, wallet)
  await tokens(it, wallet)
  await tied(it, wallet)
}
