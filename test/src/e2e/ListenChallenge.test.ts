/** The receiver of `countersign listen` answers the challenge of an endpoint's verification, and no request that does not verify. D-460. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { type WebhookEvent, WebhookRefused } from "@countersign/client/webhook"
import { Clock, Effect } from "effect"
import { expect, it } from "vitest"
import { type Outcome, passOn } from "../../../packages/cli/src/listen/PassOn.ts"
import { receive } from "../../../packages/cli/src/listen/Receiving.ts"

const challenge = "4f1c9a"
const id = "Event:00000000-0000-7000-8000-000000000001"
const eventOf = (type: string, data: object): WebhookEvent =>
  Object({ id, type, timestamp: "2026-01-01T00:00:00Z", data })

/** Posts a body to a receiver whose verification returns `event`, or refuses without one. */
const post = (event: WebhookEvent | undefined) =>
  Effect.gen(function* () {
    const outcomes: Array<Outcome> = []
    const port = yield* receive({
      host: "127.0.0.1",
      port: 0,
      verify: async () => {
        if (event === undefined) throw new WebhookRefused("INVALID_BODY")
        return event
      },
      forwardTo: undefined,
      clock: yield* Clock.Clock,
      onOutcome: (outcome) => void outcomes.push(outcome),
    })
    const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" }))
    const text = yield* Effect.promise(() => response.text())
    return { status: response.status, type: response.headers.get("content-type"), text, outcomes }
  }).pipe(Effect.scoped, Effect.runPromise)

it("answers the challenge of a verification as JSON", async () => {
  const event = eventOf("WEBHOOK_ENDPOINT.VERIFICATION", { challenge })
  const { outcomes, text, ...answer } = await post(event)
  expect(answer).toEqual({ status: 200, type: "application/json" })
  expect(JSON.parse(text)).toEqual({ challenge })
  expect(outcomes).toEqual([{ _tag: "Received", event }])
})

it("acknowledges every other event without a body", async () => {
  expect(await post(eventOf("TEST", { challenge }))).toMatchObject({ status: 200, text: "" })
})

it("answers no challenge of a request that does not verify", async () => {
  const { outcomes, status, text } = await post(undefined)
  expect({ status, text }).toEqual({ status: 400, text: "" })
  expect(outcomes).toEqual([{ _tag: "Refused", reason: "INVALID_BODY" }])
})

it("gives the service the redirect of the program, and does not follow it", async () => {
  const paths: Array<string | undefined> = []
  const program = createServer((request, response) => {
    paths.push(request.url)
    response.writeHead(307, { location: "/elsewhere" }).end()
  })
  await new Promise<void>((resolve) => program.listen(0, "127.0.0.1", resolve))
  const event = eventOf("TEST", {})
  const forward = passOn({
    verify: async () => event,
    forwardTo: `http://127.0.0.1:${(program.address() as AddressInfo).port}/hooks`,
    clock: await Effect.runPromise(Clock.Clock),
  })
  const { outcome, status } = await forward(new Headers(), new TextEncoder().encode("{}"))
  program.close()
  expect(status).toBe(307)
  expect(outcome).toMatchObject({ _tag: "Forwarded", event, status: 307 })
  expect(paths).toEqual(["/hooks"])
})
