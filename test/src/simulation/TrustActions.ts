/**
 * Actions of a customer under strong authentication: it signs in, and begins and ends its trust in external accounts.
 * Source: wire contract areas 1.3.
 */
import type { Body } from "./Answers.ts"
import { anyOf, type Client, type ClientActions, isDone } from "./ClientRequests.ts"

/** The code of the sandbox. */
const code = "123456"

const signIn = async ({ insist, pay }: Client): Promise<boolean> => {
  const path = (step: string) => `/sca/login/${step}?customerId=${pay.authenticated.customerId}`
  const started = await insist("POST", path("start"), { body: { factor: "SMS_OTP" } })
  if (!isDone(started)) return false
  const body = { factor: "SMS_OTP", endUserIpAddress: "203.0.113.7", code }
  return isDone(await insist("POST", path("complete"), { body }))
}

export const trustActions: ClientActions = {
  "trust changed": {
    weight: 3,
    run: async (client) => {
      const { answers, keyed, random, pay } = client
      if (!random.once(4)) await signIn(client)
      const accountId = anyOf(random, pay.authenticated.accountIds) ?? ""
      const isTrusted = !random.once(3)
      const path = `/customers/external-accounts/${accountId}/${isTrusted ? "trust" : "untrust"}`
      const started = await keyed(path, {})
      if (started === undefined) return false
      const challengeId = (started["scaChallenge"] as Body | undefined)?.["id"]
      const begunAt = answers.requests
      const body = { code, ...(challengeId === undefined ? {} : { challengeId }) }
      const confirmed = await keyed(`${path}/confirm`, { body })
      if (confirmed === undefined) return false
      const answered = { isTrusted, begunAt, endedAt: answers.requests }
      answers.trust.set(accountId, [...(answers.trust.get(accountId) ?? []), answered])
      return true
    },
  },
}
