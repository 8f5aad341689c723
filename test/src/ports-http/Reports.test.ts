/** Reports of a bank: signed, timely, once, and for the platform that they name. */

import { portReports } from "@countersign/ports-http"
import { Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { headerNames } from "../../../packages/ports-http/src/signing/Signatures.ts"
import { eventually } from "../e2e/Deadline.ts"
import { bankedService, pulled, statusOf } from "./BankedService.ts"
import { type PortServer, portServer, serverSecret, signatureOf } from "./PortServer.ts"
import { reportTime as now, reportOf, type Sent } from "./ReportRequest.ts"

let bank: PortServer
let service: Awaited<ReturnType<typeof bankedService>>
beforeAll(async () => {
  bank = await portServer(({ businessTime, path }) =>
    path.endsWith("inspect-pull")
      ? { result: { pullable: true, funds: "unknown" } }
      : { outcome: "Later", at: businessTime + 3_600_000 },
  )
  service = await bankedService(bank.url, serverSecret)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await bank[Symbol.asyncDispose]()
})

const another = "another port secret of the tests 42"

/** A handler of its own, whose clock stands still. */
const handlerAt = (at = now, secrets: readonly [string, ...ReadonlyArray<string>] = [serverSecret]) => {
  const [first, ...others] = secrets
  const redacted = [Redacted.make(first), ...others.map((secret) => Redacted.make(secret))] as const
  return portReports({ secrets: redacted, run: service.payments.run, now: () => at })
}

/** A transfer that waits for the bank, and the platform for which it was ordered. */
const waiting = async () => {
  const { id } = await pulled(service.client, 5_000)
  const isOrdered = () => bank.calls.some(({ request }) => request["reference"] === id)
  await eventually("the order", isOrdered, (ordered) => ordered)
  const platformId = bank.calls.find(({ request }) => request["reference"] === id)?.platformId
  return { id, platformId, booked: { platformId, report: { reference: id, outcome: "Done" } } }
}

describe("a report", () => {
  it("completes the transaction of the platform that the request named, and has a signed receipt", async () => {
    const { booked, id } = await waiting()
    const { request, ...sent } = reportOf({ body: booked })
    const response = await handlerAt()(request)
    const text = await response.text()
    expect([response.status, text]).toEqual([200, "{}"])
    expect(response.headers.get(headerNames.signature)).toBe(
      signatureOf(serverSecret, ["receipt", "200", sent.path, sent.timestamp, sent.id], text),
    )
    expect(await statusOf(service.client, id)).toBe("COMPLETED")
  })

  it("that is repeated under a new id, or contradicts an earlier one, changes nothing", async () => {
    const { booked, id, platformId } = await waiting()
    const handler = handlerAt()
    const rejected = { platformId, report: { reference: id, outcome: "Refused", reason: "BANK_REJECTED" } }
    for (const body of [booked, booked, rejected]) {
      expect((await handler(reportOf({ body }).request)).status).toBe(200)
      expect(await statusOf(service.client, id)).toBe("COMPLETED")
    }
  })

  it("that arrives twice is taken once", async () => {
    const { booked } = await waiting()
    const handler = handlerAt()
    expect((await handler(reportOf({ body: booked, id: "same" }).request)).status).toBe(200)
    expect((await handler(reportOf({ body: booked, id: "same" }).request)).status).toBe(409)
  })

  const refused: { readonly [what: string]: Sent } = {
    "signed with another secret": { secret: another },
    "signed for another path": { signedPath: "/port-reports/rails/hold" },
    "signed as a request of the service": { direction: "request" },
    "changed on its way": { sentBody: "{}" },
    "of six minutes ago": { at: now - 360_000 },
    "of six minutes from now": { at: now + 360_000 },
    "without a time": { at: Number.NaN },
  }
  it.each(Object.entries(refused))("%s is refused and changes nothing", async (_, sent) => {
    const { booked, id } = await waiting()
    const response = await handlerAt()(reportOf({ body: booked, ...sent }).request)
    expect([response.status, response.headers.get(headerNames.signature)]).toEqual([401, null])
    expect(await statusOf(service.client, id)).not.toBe("COMPLETED")
  })

  it("for another platform is refused with TRANSACTION_NOT_FOUND", async () => {
    const { booked, id } = await waiting()
    const response = await handlerAt()(reportOf({ body: { ...booked, platformId: "Platform:other" } }).request)
    expect([response.status, await response.json()]).toMatchObject([404, { code: "TRANSACTION_NOT_FOUND" }])
    expect(await statusOf(service.client, id)).not.toBe("COMPLETED")
  })

  const malformed: { readonly [what: string]: unknown } = {
    "what is not JSON": "<html>",
    "no platform": { report: { reference: "Transaction:1", outcome: "Done" } },
    "no reference": { platformId: "Platform:1", report: { outcome: "Done" } },
    "an outcome that is not known": {
      platformId: "Platform:1",
      report: { reference: "Transaction:1", outcome: "Unknown", cause: "" },
    },
    "a text that no store can keep": { platformId: "Platform:1", report: { reference: "\u0000", outcome: "Done" } },
  }
  it.each(Object.entries(malformed))("with %s is malformed", async (_, body) => {
    const response = await handlerAt()(reportOf({ body }).request)
    expect([response.status, await response.json()]).toMatchObject([400, { code: "INVALID_INPUT" }])
  })

  it.each([
    ["CardTransaction:1", 404],
    ["CardTransaction:1:0", 404],
    [`CardTransaction:1:${"9".repeat(9)}`, 404],
    [`CardTransaction:1:${"9".repeat(10)}`, 400],
    ["CardTransaction", 400],
    ["CardTransaction:x", 400],
    [":1", 400],
    ["CardTransaction:1:", 400],
  ])("of a collection with the reference %j answers %i", async (reference, status) => {
    const body = { platformId: "Platform:other", report: { reference, outcome: "Done" } }
    const response = await handlerAt()(reportOf({ path: "/port-reports/issuer/collection", body }).request)
    expect(response.status).toBe(status)
  })

  it("of a kind that does not exist has no path", async () => {
    const response = await handlerAt()(reportOf({ path: "/port-reports/rails/none" }).request)
    expect(response.status).toBe(404)
  })

  it("of more than 256 KiB is not read", async () => {
    const response = await handlerAt()(reportOf({ body: "x".repeat(300_000) }).request)
    expect(response.status).toBe(413)
  })

  it("may be signed with either of two secrets while they change", async () => {
    const handler = handlerAt(now, [another, serverSecret])
    for (const secret of [another, serverSecret]) {
      expect((await handler(reportOf({ secret }).request)).status).toBe(400)
    }
  })
})
