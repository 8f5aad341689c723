/**
 * The auditor finds each problem of a customer's contacts in a run that was corrupted for it.
 * Source: wire contract 4.7, 5.11 and 8.2.
 */
import { describe, it } from "vitest"
import { answering, findsIn, withBody, withData } from "./Corruptions.ts"
import { signatureHeader } from "./SignedCalls.ts"

const finds = findsIn("contacts", "credentials")

const customer = /^\/customers\/Customer:[^/]+$/u

describe("the auditor of contacts", { timeout: 120_000 }, () => {
  it("finds a contact that nobody set last", async () => {
    const other = answering(
      (method, path) => method === "GET" && customer.test(path),
      (reply) => withBody(reply, { email: "never@example.com" }),
    )
    await finds(other, /email is never@example.com, and should be \S+/u)
  })

  it("finds a credential that does not follow its contact", async () => {
    const left = answering(
      (method, path) => method === "GET" && path.startsWith("/auth/credentials?"),
      withData((data) => data.map((each) => ({ ...each, nickname: "old@example.com" }))),
    )
    await finds(left, /AuthMethod:\S+ has old@example.com, and the customer \S+/u)
  })

  it("finds a change that an unknown key signed", async () => {
    const accepted = answering(
      (method, path, options) =>
        method === "PATCH" && customer.test(path) && options?.headers?.[signatureHeader] !== undefined,
      (reply) => (reply.status === 401 ? { ...reply, status: 200 } : reply),
    )
    await finds(accepted, /(?:email|phoneNumber) was changed with the signature of an unknown key/u)
  })
})
