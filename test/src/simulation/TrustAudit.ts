/**
 * The part of the auditor for the trust in external accounts: each is trusted if its last confirmation said so, and a trusted one cannot be
 * removed. Nothing shows the trust, so the auditor asks by calls that depend on it.
 * Source: wire contract areas 1.3.3 and 1.3.5; D-381.
 */
import { isReplaced } from "./AcceptedChange.ts"
import type { Answers } from "./Answers.ts"
import { bodyOf } from "./ClientRequests.ts"
import type { Pay } from "./World.ts"

const signIn = async ({ authenticated, send }: Pay): Promise<void> => {
  const path = (step: string) => `/sca/login/${step}?customerId=${authenticated.customerId}`
  await send("POST", path("start"), { body: { factor: "SMS_OTP" } })
  const answer = { factor: "SMS_OTP", endUserIpAddress: "203.0.113.7", code: "123456" }
  await send("POST", path("complete"), { body: answer })
}

export const trustProblems = async (pay: Pay, answers: Answers): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = []
  await signIn(pay)
  for (const accountId of pay.authenticated.accountIds) {
    const path = `/customers/external-accounts/${accountId}`
    // Only what is so already is confirmed without a proof.
    const isTrusted = bodyOf(await pay.send("POST", `${path}/trust/confirm`, { body: {} }))["trusted"] === true
    const isUntrusted = bodyOf(await pay.send("POST", `${path}/untrust/confirm`, { body: {} }))["trusted"] === false
    const all = answers.trust.get(accountId) ?? []
    const last = all.filter((each) => !isReplaced(each, all))
    const isDue = last.length === 0 ? !isTrusted : last.some((each) => each.isTrusted === isTrusted)
    if (!isDue || isTrusted === isUntrusted)
      problems.push(`${accountId} is ${isTrusted ? "" : "not "}trusted, which nobody confirmed last`)
    const { status } = await pay.send("DELETE", path)
    if (isTrusted !== (status === 409)) problems.push(`${accountId} is trusted: ${isTrusted}; its removal is ${status}`)
  }
  return problems
}
