/** A service whose bank is away: requests that ask it answer 503, what moves money waits, and no secret reaches a log. */
import { inspect } from "node:util"
import { PortUnavailable, Rails, SecurityCodes } from "@countersign/core/ports"
import { httpPorts, isPortsUrl, PortOptionsError } from "@countersign/ports-http"
import { Cause, Effect, Exit, Layer, Logger, Redacted, References } from "effect"
import { describe, expect, it } from "vitest"
import { eventually } from "../e2e/Deadline.ts"
import { bankedService, pulled, statusOf } from "./BankedService.ts"
import { portServer, serverSecret } from "./PortServer.ts"

const inspection = { result: { pullable: true, funds: "unknown" } }

it("answers 503 to a transfer while its bank cannot be asked about the account", async () => {
  await using bank = await portServer(() => ({}))
  await using service = await bankedService(bank.url, serverSecret)
  await expect(pulled(service.client, 5_000)).rejects.toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" })
})

it("asks about an instruction whose answer was lost, and gives it again only if the bank has not received it", async () => {
  let isAway = true
  await using bank = await portServer(
    ({ path }) => {
      if (path.endsWith("inspect-pull")) return inspection
      return path.endsWith("inquire") ? { outcome: "NotReceived" } : { outcome: "Done" }
    },
    ({ call, response, sign, text }) => {
      if (call.path.endsWith("/pull") && isAway) {
        isAway = false
        call.socket.destroy()
      } else response.writeHead(200, { "Port-Signature": sign(text) }).end(text)
    },
  )
  await using service = await bankedService(bank.url, serverSecret)
  const { id } = await pulled(service.client, 5_000)
  await eventually(
    "the outcome",
    () => statusOf(service.client, id),
    (status) => status === "COMPLETED",
  )
  const asked = bank.calls.filter(({ request }) => request["reference"] === id)
  expect(asked.map(({ path }) => path)).toEqual(["/ports/rails/pull", "/ports/rails/inquire", "/ports/rails/pull"])
})

it("shows neither its own secret nor a code in what it logs and fails with", async () => {
  await using bank = await portServer(() => ({ result: "not a boolean 7391" }))
  const lines: Array<string> = []
  const logged = Layer.merge(
    Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))]),
    Layer.succeed(References.MinimumLogLevel, "All"),
  )
  const { securityCodes } = httpPorts({ url: bank.url, secrets: [Redacted.make(serverSecret)] })
  const request = { customerId: "Customer:1", purpose: "email", address: "ada@example.com" } as const
  const exit = await Effect.runPromiseExit(
    SecurityCodes.use((codes) => codes.check(request, Redacted.make("code-7391"))).pipe(
      Effect.tapCause((cause) => Effect.logError("failed", cause)),
      Effect.provide(Layer.merge(securityCodes, logged)),
    ),
  )
  expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(PortUnavailable)
  expect(bank.calls).toMatchObject([{ request: { code: "code-7391" } }])
  const seen = `${lines.join("\n")}${inspect(exit, { depth: 20 })}`
  expect(lines.length).toBeGreaterThan(0)
  for (const secret of [serverSecret, "7391", "ada@example.com"]) expect(seen).not.toContain(secret)
})

describe("the options", () => {
  const [url, secret] = ["https://bank.example.com/ports", Redacted.make(serverSecret)]
  const weak = Redacted.make("too short")
  const wrong: ReadonlyArray<readonly [what: string, options: Parameters<typeof httpPorts>[0], message: RegExp]> = [
    ["an address without a scheme", { url: "bank", secrets: [secret] }, /`url`/u],
    ["an address with credentials", { url: "https://a:b@bank.example.com", secrets: [secret] }, /`url`/u],
    ["a weak secret", { url, secrets: [weak] }, /`secrets`: has fewer than 32 characters/u],
    ["a weak second secret", { url, secrets: [secret, weak] }, /`secrets`: has fewer/u],
    ["three secrets", { url, secrets: [secret, secret, secret] }, /at most 2 secrets/u],
  ]
  it.each(wrong)("with %s fail before anything is sent, without showing them", async (_, options, message) => {
    const exit = await Effect.runPromiseExit(Effect.provide(Rails, httpPorts(options).rails))
    const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    expect(error).toBeInstanceOf(PortOptionsError)
    expect(error).toMatchObject({ message: expect.stringMatching(message) })
    expect(inspect(error)).not.toContain("too short")
  })

  it("may name any http or https address without credentials, query and fragment", () => {
    expect(["http://127.0.0.1:1", "https://a.example.com/b/"].map(isPortsUrl)).toEqual([true, true])
    expect(["ftp://a", "https://a?b", "https://a#b", "a"].map(isPortsUrl)).toEqual([false, false, false, false])
  })
})
