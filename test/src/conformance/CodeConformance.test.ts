/** The suites of senders and security codes: ones in memory pass, and those with any one fault do not. Source: D-444, D-528. */
import { otpSenderConformance, securityCodesConformance } from "@countersign/test/conformance"
import { describe, expect, it } from "vitest"
import { otpSenderChecks } from "../../../packages/test/src/conformance/otpSenderChecks.ts"
import { securityCodesChecks } from "../../../packages/test/src/conformance/securityCodesChecks.ts"
import { failedChecks } from "./FailedChecks.ts"
import { type CodeFault, codeFaults, faultyCodes, faultySender, type OtpFault, otpFaults } from "./FaultyCodes.ts"

const contacts = [
  { type: "EMAIL_OTP" as const, contact: "ada@example.com" },
  { type: "EMAIL_OTP" as const, contact: "bob@example.com" },
]
const requests = (["email", "phone", "sca"] as const).map((purpose) => ({
  customerId: "Customer:1",
  purpose,
  address: purpose === "phone" ? "+14155550100" : "ada@example.com",
}))

const sender = faultySender()
otpSenderConformance("in memory", sender.layer, { contacts, received: sender.received })
const codes = faultyCodes()
securityCodesConformance("in memory", codes.layer, { requests, ...codes })

describe("a sender that", () => {
  const reaches = "a code reaches its contact, once, before the call ends"
  const name = "a platform's name adds no recipient, and every message still has its code"
  const log = "neither a code nor a contact reaches a log"
  const noticedBy: { readonly [fault in OtpFault]: string } = {
    "sends twice": reaches,
    "sends nothing": reaches,
    "sends after the call": reaches,
    "mixes concurrent messages": "codes that are sent at the same time each reach their own contact",
    "copies to recipients in a name": name,
    "cuts the code from a long message": name,
    "logs codes": log,
    "logs contacts": log,
  }
  it.each(otpFaults)("%s does not pass", async (fault) => {
    const { layer, received } = faultySender(fault)
    expect(await failedChecks(otpSenderChecks(layer, { contacts, received }))).toContain(noticedBy[fault])
  })
})

describe("a provider of security codes that", () => {
  const once = "the code that was sent is right, once"
  const own = "a code is right for its customer, purpose and address only"
  const expires = "a code expires"
  const noticedBy: { readonly [fault in CodeFault]: string } = {
    "accepts every code": "a wrong code and an empty one are wrong, and the right one is right after them",
    "accepts a code twice": once,
    "accepts the code before": "a new code replaces the one before",
    "accepts codes of other customers": own,
    "accepts codes of other purposes": own,
    "accepts codes of other addresses": own,
    "counts no attempts": "a code cannot be guessed, in sequence or at the same time",
    "forgets a code after a wrong one":
      "a wrong code and an empty one are wrong, and the right one is right after them",
    "checks without a step of its own": "of concurrent checks of one code, one is right",
    "never expires": expires,
    "expires by the system's clock": expires,
    "sends two messages": once,
    "logs codes": "neither a code nor an address reaches a log",
  }
  it.each(codeFaults)("%s does not pass", async (fault) => {
    const { layer, ...provider } = faultyCodes(fault)
    expect(await failedChecks(securityCodesChecks(layer, { requests, ...provider }))).toContain(noticedBy[fault])
  })
})
