/**
 * What a right answer to a one-time code gives: the claims of the token to sign, and a note to the sender, once.
 * Source: wire contract 4.5 and 4.8; D-143.
 */
import { OtpSender } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { harness } from "../../../packages/test/src/harness/Harness.ts"
import { addSms, answerCode, contacts, newKey, newWallet, signIn, textAt } from "./People.ts"

it.each([
  ["EMAIL_OTP", "OTP_TYPE_EMAIL", contacts.email],
  ["SMS_OTP", "OTP_TYPE_SMS", contacts.phoneNumber],
] as const)("a right code of %s answers a token for five minutes, whatever is left of the code", async (...row) => {
  const [type, verificationType, contact] = row
  await using pay = await harness()
  const wallet = await newWallet(pay)
  const credentialId =
    type === "EMAIL_OTP" ? wallet.emailId : textAt(await addSms(pay, wallet, await signIn(pay, wallet.emailId)), "id")
  const key = await newKey()
  const body = { type, encryptedOtpBundle: await answerCode(pay, credentialId, key) }
  await pay.clock.advance("2 minutes")
  const answered = await pay.send("POST", `/auth/credentials/${credentialId}/verify`, { body })
  expect(answered.status).toBe(202)
  const [, claims = ""] = textAt(answered, "payloadToSign").split(".")
  expect(JSON.parse(Buffer.from(claims, "base64url").toString())).toEqual({
    sub: credentialId,
    iat: String(Date.parse("2026-11-21T12:02:00Z")),
    exp: String(Date.parse("2026-11-21T12:07:00Z")),
    id: expect.stringMatching(/^[0-9a-f]{32}$/u),
    verification_type: verificationType,
    contact,
    organization_id: wallet.accountId,
    public_key: key.publicKey.compressed,
  })
})

it("the sender learns of a right code alone, and of none after the code has expired", async () => {
  let accepted = 0
  const ports = Layer.effect(
    OtpSender,
    Effect.map(OtpSender, (real) => ({
      ...real,
      accepted: Effect.sync(() => {
        accepted += 1
      }),
    })),
  ).pipe(Layer.provideMerge(Sandbox.layer))
  await using pay = await harness({ ports })
  const { emailId } = await newWallet(pay)
  const answer = async (code?: string) => {
    const body = { type: "EMAIL_OTP", encryptedOtpBundle: await answerCode(pay, emailId, await newKey(), code) }
    return () => pay.send("POST", `/auth/credentials/${emailId}/verify`, { body })
  }
  expect((await (await answer("111111"))()).status).toBe(401)
  expect(accepted).toBe(0)
  expect((await (await answer())()).status).toBe(202)
  expect(accepted).toBe(1)
  const late = await answer()
  await pay.clock.advance("5 minutes")
  expect((await late()).body).toMatchObject({ reason: "OTP expired" })
  expect(accepted).toBe(1)
})
