/** What a subscriber in the process of the service gets of each answer. Source: D-366. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { answerChannelName, type PublishedAnswer } from "@countersign/adapter-http"
import { harness } from "@countersign/test"
import { afterAll, beforeAll, expect, it } from "vitest"
import { exampleBody } from "../../../packages/test/src/harness/AccountExample.ts"

const published: Array<PublishedAnswer> = []
const note = (answer: unknown) => void published.push(Object(answer))
beforeAll(() => subscribe(answerChannelName, note))
afterAll(() => void unsubscribe(answerChannelName, note))

const lastAfter = async (pay: Awaited<ReturnType<typeof harness>>, method: string, path: string, body?: object) => {
  const reply = await pay.send(method, path, body === undefined ? {} : { body })
  return { answer: published.at(-1), reply }
}

it("an answer is published as it leaves, with its route, its request and its common headers", async () => {
  await using pay = await harness({ serviceName: "Acme" })
  const person = { customerType: "INDIVIDUAL", fullName: "Ada Lovelace" }
  const { answer, reply } = await lastAfter(pay, "POST", "/customers", person)
  const requestId = reply.headers.get("x-request-id")
  expect(requestId).toMatch(/\S/u)
  expect(answer).toMatchObject({
    method: "POST",
    route: "/2025-10-13/customers",
    requestId,
    serviceName: "Acme",
    status: 201,
    contentType: "application/json",
  })
  expect(answer?.url).toMatch(/\/customers$/u)
  for (const [name, value] of Object.entries(answer?.headers ?? {}))
    expect([name, reply.headers.get(name)]).toEqual([name, value])
  expect(answer?.headers).toMatchObject({ "x-request-id": requestId, "cache-control": "no-store" })
  expect(JSON.parse(new TextDecoder().decode(answer?.body))).toEqual(reply.body)
})

it("an answer without a body has no type, and one without a route says so", async () => {
  await using pay = await harness()
  const body = { currency: "USD", accountInfo: exampleBody("USD_ACCOUNT").accountInfo }
  const made = await pay.send("POST", "/platform/external-accounts", { body })
  const deleted = await lastAfter(pay, "DELETE", `/platform/external-accounts/${String(Object(made.body).id)}`)
  const route = "/2025-10-13/platform/external-accounts/:externalAccountId"
  expect(deleted.answer).toMatchObject({ status: 204, route })
  expect([deleted.answer?.contentType, deleted.answer?.body]).toEqual([undefined, undefined])
  const { answer } = await lastAfter(pay, "GET", "/nowhere?a=1")
  expect(answer).toMatchObject({ method: "GET", route: "none", status: 404, contentType: "application/json" })
  expect(answer?.url).toMatch(/\/nowhere\?a=1$/u)
})
