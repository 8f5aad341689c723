/**
 * The samples of the operations are whole programs: those in JavaScript and of the typed client run here unchanged, and the others carry
 * the same address and body.
 * Source: D-440.
 */
import { OpenApiDocument } from "@countersign/adapter-http"
import { type ClientOptions, makeClient } from "@countersign/client"
import { Api, endpointsOf } from "@countersign/client/api"
import { describe, expect, it } from "vitest"
import { codeSamples } from "../../../packages/adapter-http/src/server/CodeSamples.ts"
import { basic, bearer, fakeService } from "../wire/FakeService.ts"

const service = fakeService()
const document = OpenApiDocument.make(Api, "/2025-10-13")
const groups = new Map(endpointsOf(Api).map(({ endpoint, group }) => [endpoint.identifier, group]))
const samples = codeSamples(document, (id) => groups.get(id) ?? "")
const labels = ["cURL", "JavaScript", "Python", "Go", "Typed client"]
const sourceOf = (id: string, label: string) => samples[id]?.find((sample) => sample.label === label)?.source ?? ""

const Program: new (...parts: ReadonlyArray<string>) => (...values: ReadonlyArray<unknown>) => Promise<void> =
  Object.getPrototypeOf(async () => {}).constructor

const [clientId = "", clientSecret = ""] = atob(basic().replace("Basic ", "")).split(":")
const environment = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, AGENT_TOKEN: bearer().replace("Bearer ", "") }

/** Runs a program whose requests go to the service; returns the statuses of the answers. */
const run = async (source: string): Promise<ReadonlyArray<number>> => {
  const statuses: Array<number> = []
  const fetched = async (input: Request | string, init?: RequestInit) => {
    const response = await service.handler(new Request(input, init))
    statuses.push(response.status)
    return response
  }
  const made = (options: ClientOptions) => makeClient({ ...options, fetch: fetched })
  const body = source.replace(/^import .*$/mu, "")
  const names = ["process", "fetch", "makeClient", "console"]
  await new Program(...names, body)({ env: environment }, fetched, made, { log: () => {} })
  return statuses
}

describe.each(Object.keys(samples))("the samples of %s", (id) => {
  it("are in all languages, and send one request that is accepted", async () => {
    expect(samples[id]?.map(({ label }) => label)).toEqual(labels)
    for (const label of ["JavaScript", "Typed client"]) {
      const statuses = await run(sourceOf(id, label))
      expect([label, statuses.length, (statuses[0] ?? 500) < 300]).toEqual([label, 1, true])
    }
  })

  it("send the same credentials, key and type in each language", () => {
    const command = sourceOf(id, "cURL")
    const sent = {
      platform: command.includes("-u "),
      agent: command.includes("Authorization: Bearer"),
      key: command.includes("Idempotency-Key"),
      json: command.includes("Content-Type: application/json"),
    }
    const python = sourceOf(id, "Python")
    const isAuthorized = python.includes('request.add_header("Authorization", authorization)')
    expect({
      platform: isAuthorized && python.includes('"Basic " + base64'),
      agent: isAuthorized && python.includes('"Bearer " + os'),
      key: python.includes('request.add_header("Idempotency-Key", str('),
      json: python.includes('request.add_header("Content-Type", "application/json")'),
    }).toEqual(sent)
    const go = sourceOf(id, "Go")
    expect({
      platform: go.includes('request.SetBasicAuth(os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET"))'),
      agent: go.includes('request.Header.Set("Authorization", "Bearer "+os.Getenv("AGENT_TOKEN"))'),
      key: go.includes('request.Header.Set("Idempotency-Key", '),
      json: go.includes('request.Header.Set("Content-Type", "application/json")'),
    }).toEqual(sent)
  })

  it("have the same address and body in each language", () => {
    const address = /HOST:-[^}]*\}([^"]+)"/u.exec(sourceOf(id, "cURL"))?.[1] ?? "none"
    const body = /-d '(.*)'$/su.exec(sourceOf(id, "cURL"))?.[1]?.replaceAll("'\\''", "'")
    for (const label of ["Python", "Go"]) {
      const source = sourceOf(id, label)
      expect([label, source.includes(`"${address}"`)]).toEqual([label, true])
      if (body !== undefined) expect([label, source.includes(body)]).toEqual([label, true])
    }
    expect(sourceOf(id, "JavaScript")).toContain(address)
    expect(samples[id]?.filter(({ source }) => /undefined|\[object|\{\w+Id\}/u.test(source))).toEqual([])
  })
})
