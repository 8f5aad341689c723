/**
 * The samples against a fresh server, as a newcomer runs them: first those that create records, then the others with the ids that the page
 * fills in. None is refused as malformed, and one whose ids are all filled in succeeds. In Go, whose compiler links each program for a second,
 * only those that create records run; GoSamples.test.ts compiles all.
 * Source: D-484.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { basic } from "../e2e/Client.ts"
import { credentialOptions, credentials } from "../e2e/Flow.ts"
import { type ServerProcess, startServer } from "../e2e/ServerProcess.ts"
import { filled, readIds, unfilled } from "./SampleIds.ts"
import { type Runner, runners } from "./SampleRunners.ts"

const isCompiled = (label: string) => label === "Go"

/** Each needs only records of those before it. */
const creating = [
  "createCustomer",
  "createCustomerExternalAccount",
  "createPlatformExternalAccount",
  "sandboxFundInternalAccount",
  "createAgent",
  "redeemAgentDeviceCode",
  "createQuote",
  "agentCreateQuote",
  "createTransferIn",
  "createTransferOut",
  "agentCreateTransferIn",
  "createCard",
  "sandboxSimulateCardAuthorization",
  "uploadDocument",
  "uploadCustomersCsv",
  "createToken",
  "createTokenSecret",
  "linkStablecoinProviderAccount",
  "registerStablecoin",
  "sandboxOpenInbox",
  "sendTestWebhook",
  "sandboxSaveWorld",
  "createInvitation",
]

/** Their answer has no end. */
const streams = ["watchChanges"]
/** Nothing is there afterwards. */
const destroying =
  /^(?:delete|revoke|retire|drop|sandboxReset|sandboxLoad|sandboxFork|sandboxDelete|sandboxClear|agentDelete|endCustomerAccess)/u

const read = async (address: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(address, { headers })
  return response.ok ? JSON.parse(await response.text()) : undefined
}

describe.each(runners)("a sample in %s", (label, start) => {
  let server: ServerProcess
  let runner: Runner
  let samples: Readonly<Record<string, ReadonlyArray<{ readonly label: string; readonly source: string }>>>
  let methods: Readonly<Record<string, string>>
  const ids = new Map<string, string>()
  const environment: Record<string, string> = {
    CLIENT_ID: credentials.clientId,
    CLIENT_SECRET: credentials.clientSecret,
  }

  const refresh = async () => {
    const authorization = basic(credentials.clientId, credentials.clientSecret)
    const found = await readIds((path) => read(`${server.base}${path}`, { authorization }), credentials.clientId)
    for (const [placeholder, id] of found) ids.set(placeholder, id)
  }

  const send = async (id: string) => {
    const template = samples[id]?.find((sample) => sample.label === label)?.source ?? ""
    const source = filled(template, ids, server.origin)
    const printed = await runner.run(source, environment)
    const [, status = "0", text = ""] = /^(\d+) ?(.*)/su.exec(printed) ?? []
    return { id, status: Number(status), text, missing: unfilled(source).length }
  }

  /** What the reader takes from an answer by hand. */
  const note = (text: string) => {
    const code = /"deviceCode":\{"code":"([^"]+)"/u.exec(text)?.[1]
    const token = /"accessToken":"([^"]+)"/u.exec(text)?.[1]
    const job = /"jobId":"([^"]+)"/u.exec(text)?.[1]
    if (code !== undefined) ids.set("the-device-code", code)
    if (token !== undefined) environment["AGENT_TOKEN"] = token
    if (job !== undefined) ids.set("Job:00000000-0000-4000-8000-000000000001", job)
  }

  beforeAll(async () => {
    server = await startServer({ options: credentialOptions })
    runner = start()
    samples = await read(`${server.origin}/docs/samples.json`)
    const { paths }: { readonly paths: Readonly<Record<string, object>> } = await read(`${server.origin}/openapi.json`)
    methods = Object.fromEntries(
      Object.values(paths).flatMap((item) =>
        Object.entries(item).map(([method, operation]) => [Object(operation)["operationId"], method] as const),
      ),
    )
  }, 120_000)
  afterAll(async () => {
    await runner[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  it("creates what the others need", { timeout: 300_000 }, async () => {
    for (const id of creating) {
      await refresh()
      const { missing, status, text } = await send(id)
      expect([id, missing, status < 300 ? "" : `${status} ${text}`]).toEqual([id, 0, ""])
      note(text)
    }
    await refresh()
  })

  if (isCompiled(label)) return

  it("reads: it succeeds, or names what is to be filled in first", { timeout: 120_000 }, async () => {
    const reading = Object.keys(samples).filter((id) => methods[id] === "get" && !streams.includes(id))
    expect(reading.length).toBeGreaterThan(60)
    const open: Array<string> = []
    for (const id of reading) {
      const { missing, status, text } = await send(id)
      if (missing > 0) open.push(id)
      expect([id, status < 300 || (missing > 0 && status !== 400) ? "" : `${status} ${text}`]).toEqual([id, ""])
    }
    // Business customers, regions with strong authentication, wallets' keys and stablecoin operations are not made here.
    expect(open.length).toBeLessThan(12)
  })

  it("writes, and is never malformed", { timeout: 120_000 }, async () => {
    const writing = Object.keys(samples).filter((id) => methods[id] !== "get" && !destroying.test(id))
    expect(writing.length).toBeGreaterThan(70)
    for (const id of writing) {
      const { missing, status, text } = await send(id)
      const isMalformed = status === 0 || status >= 500 || /INVALID_REQUEST_FORMAT|"errors":/u.test(text)
      const isEmptyHanded = missing > 0 && status === 404
      expect([id, isMalformed && !isEmptyHanded ? `${status} ${text}` : ""]).toEqual([id, ""])
    }
  })
})
