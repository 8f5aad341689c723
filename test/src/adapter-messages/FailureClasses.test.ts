/**
 * The class of each error of the mail client, and what fits into one text message.
 * Source: RFC 5321, 4.2; RFC 3463; 3GPP TS 23.038 and 23.040; D-528.
 */
import { describe, expect, it } from "vitest"
import { asGsm7, fitsSegment, septets } from "../../../packages/adapter-messages/src/Gsm7.ts"
import { failureClasses, MessageFailure } from "../../../packages/adapter-messages/src/MessageFailure.ts"
import { isCertificateCode, smtpFailure } from "../../../packages/adapter-messages/src/SmtpFailures.ts"

describe("an error of the mail client", () => {
  it.each<[unknown, string, number?]>([
    [{ code: "EAUTH", responseCode: 535 }, "credentials", 535],
    [{ code: "EAUTH", responseCode: 500 }, "credentials", 500],
    [{ code: "EAUTH", responseCode: 499 }, "busy", 499],
    [{ code: "EAUTH", responseCode: 454 }, "busy", 454],
    [{ code: "EAUTH" }, "credentials"],
    [{ responseCode: 400, command: "DATA" }, "busy", 400],
    [{ responseCode: 499, command: "RCPT TO" }, "busy", 499],
    [{ responseCode: 500, command: "DATA" }, "refused", 500],
    [{ responseCode: 599, command: "MAIL FROM" }, "refused", 599],
    [{ responseCode: 550, command: "RCPT TO", response: "550 5.1.1 no such user" }, "recipient", 550],
    [{ responseCode: 550, command: "RCPT TO" }, "recipient", 550],
    [{ responseCode: 550, command: "RCPT TO", response: "550 5.7.1 not allowed" }, "refused", 550],
    [{ responseCode: 550, command: "RCPT TO", response: "550-5.7.26 not allowed" }, "refused", 550],
    [{ responseCode: 550, command: "RCPT TO", response: "see 550 5.7.1" }, "recipient", 550],
    [{ code: "EENVELOPE" }, "refused"],
    [{ code: "EMESSAGE" }, "refused"],
    [{ code: "ETLS" }, "certificate"],
    [{ code: "ESOCKET", originalCode: "DEPTH_ZERO_SELF_SIGNED_CERT" }, "certificate"],
    [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, "certificate"],
    [{ code: "ETIMEDOUT" }, "slow"],
    [{ code: "ECONNECTION" }, "unreachable"],
    [{ responseCode: 399 }, "unreachable"],
    [{ responseCode: 600 }, "unreachable"],
    [{ responseCode: "550" }, "unreachable"],
    [{ code: 7 }, "unreachable"],
    [undefined, "unreachable"],
    [null, "unreachable"],
    ["550", "unreachable"],
  ])("%j is of the class %s", (error, reason, status) => {
    const { channel, reason: found, status: shown } = smtpFailure(error, false)
    expect([channel, found, shown]).toEqual(["email", reason, status])
  })

  it("is of an unknown outcome once the text of the message was being sent, unless the server has replied", () => {
    for (const error of [{ code: "ETIMEDOUT" }, { code: "ECONNECTION" }, {}])
      expect(smtpFailure(error, true).reason).toBe("unknown")
    expect(smtpFailure({ responseCode: 554, command: "DATA" }, true).reason).toBe("refused")
    expect(smtpFailure({ code: "EMESSAGE" }, true).reason).toBe("refused")
  })
})

it.each([
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "HOSTNAME_MISMATCH",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])("%s is about a certificate", (code) => {
  expect(isCertificateCode(code)).toBe(true)
  expect(["", "ECONNRESET", "UNABLE_TO_CONNECT"].some(isCertificateCode)).toBe(false)
})

it("a failure says the channel, what happened, its class and the status, if there is one", () => {
  expect(new MessageFailure({ channel: "email", reason: "busy", status: 450 }).message).toBe(
    "e-mail not sent: the server refuses messages at present (busy, status 450)",
  )
  expect(new MessageFailure({ channel: "sms", reason: "unreachable" }).message).toBe(
    "text message not sent: the server cannot be reached (unreachable)",
  )
  const texts = Object.entries(failureClasses).map(([reason, { isTransient, text }]) => [reason, isTransient, text])
  expect(texts).toEqual([
    ["unreachable", true, "the server cannot be reached"],
    ["slow", true, "the server did not answer in time"],
    ["busy", true, "the server refuses messages at present"],
    ["unknown", true, "the connection ended before the server confirmed the message"],
    ["certificate", false, "the certificate of the server is not trusted"],
    ["credentials", false, "the server refuses the credentials"],
    ["recipient", false, "the recipient is refused"],
    ["refused", false, "the server refuses the message"],
    ["misconfigured", false, "no channel for this kind of contact"],
  ])
})

describe("one text message", () => {
  it.each([
    ["a", 160],
    ["€", 80],
    ["日", 70],
    ["🎉", 35],
  ])("has room for %s %i times", (character, times) => {
    expect(fitsSegment(character.repeat(times))).toBe(true)
    expect(fitsSegment(character.repeat(times + 1))).toBe(false)
  })

  it("counts characters behind the escape twice, and knows those that the alphabet lacks", () => {
    expect([septets("a€[~"), septets(""), septets("ç"), septets("Ç")]).toEqual([7, 0, undefined, 1])
  })

  it.each([
    ["Café", "Café"],
    ["Čačak", "Cacak"],
    ["Müllers “Bank” – ‘A’", "Müllers \"Bank\" - 'A'"],
    ["Éçole", "École"],
    ["日本 Čač", "日本 Čač"],
  ])("writes %s as %s", (text, written) => {
    expect(asGsm7(text)).toBe(written)
  })
})
