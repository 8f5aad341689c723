/** Every call of the sandbox is on record, whichever there are. Source: wire contract 11 (60); D-111. */
import { Api } from "@countersign/adapter-http"
import { HttpApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { agentHarness } from "../harness/AgentHarness.ts"
import { type Pay, recordOf } from "./Records.ts"

/** For each call of the sandbox: its body, and what the audit says of it. */
const sandboxCalls: {
  readonly [operation: string]: (pay: Pay) => { readonly body?: object; readonly told: object }
} = {
  "POST /sandbox/internal-accounts/:accountId/fund": (pay) => ({
    body: { amount: 70 },
    told: { operation: "SANDBOX_FUND", target: pay.accountId, details: { amount: 70, currency: "USD" } },
  }),
  "POST /sandbox/external-accounts/:externalAccountId/status": (pay) => ({
    body: { status: "UNDER_REVIEW" },
    told: {
      operation: "SANDBOX_EXTERNAL_ACCOUNT_STATUS",
      target: pay.sources["000"],
      details: { from: "ACTIVE", to: "UNDER_REVIEW" },
    },
  }),
  "POST /sandbox/webhooks/test": (pay) => ({
    told: { operation: "SANDBOX_WEBHOOK_TEST", target: pay.platformId, details: { status: 200 } },
  }),
  "POST /webhooks/test": (pay) => ({
    told: { operation: "SANDBOX_WEBHOOK_TEST", target: pay.platformId, details: { status: 200 } },
  }),
}

describe("a call of the sandbox", () => {
  it("leaves a record, each of them", async () => {
    await using pay = await agentHarness()
    const operations: Array<{ readonly method: string; readonly path: string }> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, group }) => {
        if (group.identifier === "sandbox") operations.push({ method: endpoint.method, path: endpoint.path })
      },
    })
    // A call that is added leaves a record too: `audited` where it is decided, and a line above.
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      Object.keys(sandboxCalls).toSorted(),
    )
    const ids: Readonly<Record<string, string | undefined>> = {
      accountId: pay.accountId,
      externalAccountId: pay.sources["000"],
    }
    for (const { method, path } of operations) {
      const { told, ...sent } = sandboxCalls[`${method} ${path}`]?.(pay) ?? { told: {} }
      const reply = await pay.send(
        method,
        path.replaceAll(/:(\w+)/gu, (_, name: string) => ids[name] ?? ""),
        sent,
      )
      expect([path, reply.status]).toEqual([path, 200])
      expect(await recordOf(pay, reply)).toMatchObject({ ...told, outcome: "DONE" })
    }
  })

  it("tells that nobody answered to a test event", async () => {
    await using pay = await agentHarness()
    pay.inbox.answerNext("silence")
    const reply = await pay.send("POST", "/sandbox/webhooks/test")
    expect(reply.status).toBe(400)
    expect(await recordOf(pay, reply)).toMatchObject({ operation: "SANDBOX_WEBHOOK_TEST", outcome: "FAILED" })
  })
})
