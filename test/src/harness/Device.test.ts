/** The harness's device: each type of credential in one call, the same keys on each run, and each named authentication fault. */

import { type CredentialType, UnauthorizedReasons } from "@countersign/core/models"
import { RegistrationReasons } from "@countersign/core/ports"
import { expect, it } from "vitest"
import {
  type OtpFault,
  otpFaults,
  type SignedFault,
  signedFaults,
} from "../../../packages/test/src/harness/DeviceFaults.ts"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import {
  type ClaimFault,
  claimFaults,
  type OidcFault,
  oidcFaults,
} from "../../../packages/test/src/harness/OidcPerson.ts"
import {
  type AssertionFault,
  type AttestationFault,
  assertionFaults,
  attestationFaults,
} from "../../../packages/test/src/harness/PasskeyDevice.ts"

const types: ReadonlyArray<CredentialType> = ["EMAIL_OTP", "SMS_OTP", "PASSKEY", "OAUTH"]

const reasonOf = (reason: keyof typeof UnauthorizedReasons.rows): string => UnauthorizedReasons.rows[reason]

const sessions = async (pay: Harness, accountId: string) =>
  (await pay.client.wallet.listAuthSessions({ query: { accountId } })).data

it.each(types)("signs in with %s in one call, keeps the session and signs with it", async (type) => {
  await using pay = await harness()
  const device = await pay.device()
  expect(device.session).toBeUndefined()
  const { id } = await device.signIn(type)
  expect(device.session?.id).toBe(id)
  const own = (await sessions(pay, device.accountId)).find((session) => session.id === id)
  expect(own).toMatchObject({ type, accountId: device.accountId })
  const path = `/internal-accounts/${device.accountId}`
  const changed = await device.signedSend("PATCH", path, { privateEnabled: true })
  expect(changed).toMatchObject({ status: 200, body: { privateEnabled: true } })
  const before = device.session?.keys
  expect((await device.refresh()).id).toBe(id)
  expect(device.session?.keys).not.toEqual(before)
  expect((await device.exportWords()).split(" ")).toHaveLength(12)
})

it.each(types.filter((type) => type !== "EMAIL_OTP"))("registers %s as the first credential", async (type) => {
  await using pay = await harness()
  const device = await pay.device({ contacts: type === "SMS_OTP" ? { phoneNumber: "+14155550123" } : {} })
  expect(device.credentials).toEqual({})
  const id = await device.register(type)
  expect(device.credentials).toEqual({ [type]: id })
  await device.signIn(type, { clientHeld: true })
  expect(await sessions(pay, device.accountId)).toMatchObject([{ type }])
})

it("signs a payload that another client received", async () => {
  await using pay = await harness()
  const device = await pay.device()
  await device.signIn("PASSKEY")
  const request = { params: { id: device.accountId }, payload: { privateEnabled: true } }
  const challenge = await pay.client.accounts.updateInternalAccount(request)
  if (!("payloadToSign" in challenge)) throw new Error("nothing to sign")
  const headers = {
    "service-wallet-signature": await device.sign(challenge.payloadToSign),
    "request-id": challenge.requestId,
  }
  expect(await pay.client.accounts.updateInternalAccount({ ...request, headers })).toMatchObject({
    privateEnabled: true,
  })
})

it("has the same keys for the same seed, and different keys for another seed or device", async () => {
  const keys = async (seed: number) => {
    await using pay = await harness({ seed })
    const devices = [await pay.device(), await pay.device()]
    for (const device of devices) await device.signIn("EMAIL_OTP")
    return devices.map(({ passkey, person, session }) => [
      passkey.credentialId,
      person.identity.subject,
      session?.keys.publicKey.compressed,
    ])
  }
  const [one, again, other] = [await keys(3), await keys(3), await keys(4)]
  expect(again).toEqual(one)
  const all = [...one, ...other].flat()
  expect(new Set(all).size).toBe(all.length)
})

it("rejects a signed request when the device has no session", async () => {
  await using pay = await harness()
  const device = await pay.device()
  await expect(
    device.signedSend("PATCH", `/internal-accounts/${device.accountId}`, { privateEnabled: true }),
  ).rejects.toThrow("the device has no session: sign in first")
})

// Proves: SBXAUTH-24
it("fails with the reason of each named fault, and succeeds afterwards", async () => {
  await using pay = await harness()
  const device = await pay.device()
  const refused = async (attempt: Promise<unknown>, code: string, reason: string) =>
    expect(attempt).rejects.toMatchObject({ status: 401, code, reason })

  for (const type of ["EMAIL_OTP", "SMS_OTP"] as const) {
    for (const [wrong, { code, reason }] of Object.entries(otpFaults)) {
      await refused(device.signIn(type, { wrong: wrong as OtpFault }), code, reasonOf(reason))
    }
    await device.signIn(type)
  }
  for (const [wrong, reason] of Object.entries(attestationFaults)) {
    await expect(device.register("PASSKEY", { wrong: wrong as AttestationFault })).rejects.toMatchObject({
      status: 400,
      code: "INVALID_INPUT",
      details: {
        reason: RegistrationReasons.rows[reason].reason,
        errors: [{ field: RegistrationReasons.rows[reason].field }],
      },
    })
  }
  for (const [wrong, { reason }] of Object.entries(claimFaults)) {
    await refused(device.register("OAUTH", { wrong: wrong as ClaimFault }), "UNAUTHORIZED", reasonOf(reason))
  }
  for (const [wrong, reason] of Object.entries(assertionFaults)) {
    await refused(device.signIn("PASSKEY", { wrong: wrong as AssertionFault }), "UNAUTHORIZED", reasonOf(reason))
  }
  for (const [wrong, { reason }] of Object.entries(oidcFaults)) {
    await refused(device.signIn("OAUTH", { wrong: wrong as OidcFault }), "UNAUTHORIZED", reasonOf(reason))
  }
  for (const type of types) await device.signIn(type)
})

it.each(Object.entries(signedFaults))(
  "fails a signed request with a wrong %s, and succeeds afterwards",
  async (wrong, expected) => {
    await using pay = await harness()
    const device = await pay.device()
    await device.signIn("EMAIL_OTP")
    const send = (fault?: SignedFault) =>
      device.signedSend(
        "PATCH",
        `/internal-accounts/${device.accountId}`,
        { privateEnabled: true },
        fault === undefined ? {} : { wrong: fault },
      )
    await expect(send(wrong as SignedFault)).rejects.toMatchObject({
      status: 401,
      code: expected.code,
      ...("reason" in expected ? { reason: reasonOf(expected.reason) } : {}),
    })
    expect((await send()).status).toBe(200)
  },
)
