/** The recorder of answers: what it reports, and what it keeps of each. */
import { channel } from "node:diagnostics_channel"
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { afterEach, expect, it } from "vitest"
import { answerChannelName, type PublishedAnswer } from "../../../packages/adapter-http/src/middleware/AnswerChannel.ts"
import { processTraffic } from "./ProcessTraffic.ts"
import { record } from "./Recorder.ts"

const kept: Array<string> = []
const reported: Array<string> = []
let isReal = true
record(
  (problems) => void reported.push(...problems),
  () => isReal,
  { document: () => OpenApiDocument.make(Api, ""), append: (line) => void kept.push(line) },
)
afterEach(() => {
  kept.splice(0)
  reported.splice(0)
  isReal = true
})

/** Publishes an answer that the recorder of this file's own setup does not judge. */
const send = (status: number, json: object): void => {
  const answer: PublishedAnswer = {
    method: "GET",
    url: "/v/customers/x",
    route: "/v/customers/:customerId",
    requestId: "r",
    serviceName: "Service",
    status,
    headers: {},
    contentType: "application/json",
    body: new TextEncoder().encode(JSON.stringify(json)),
  }
  const traffic = processTraffic()
  traffic.isInvented = true
  channel(answerChannelName).publish(answer)
  traffic.isInvented = false
}

const notFound = { status: 404, code: "REFERENCE_NOT_FOUND", message: "The customer was not found." }

it("keeps an answer and its text once, and reports nothing of one that matches", () => {
  send(404, notFound)
  send(404, notFound)
  expect(reported).toEqual([])
  expect(kept.map((line) => JSON.parse(line))).toMatchObject([
    { message: "The customer was not found." },
    { operation: "GET /customers/{customerId}", status: 404, code: "REFERENCE_NOT_FOUND", problems: [] },
  ])
})

it("reports a body that does not match, and a text that helps nobody", () => {
  send(200, {})
  expect(reported.join()).toContain("must have required property")
  reported.splice(0)
  send(404, { ...notFound, message: "" })
  expect(reported).toHaveLength(1)
})

it("reports nothing of a fake service", () => {
  isReal = false
  send(200, {})
  expect(reported).toEqual([])
})
