/** The ports of a process that a server answers over HTTP, and the route of its reports. Source: D-527. */
import { readFile } from "node:fs/promises"
import { Sandbox } from "@countersign/core/sandbox"
import type { PortSecrets, ReportServices } from "@countersign/ports-http"
import { ByteSize, Effect, Layer, Option, Redacted } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type CommandError, unsafeError, usageError } from "./CommandError.ts"
import type { Ports } from "./PortModule.ts"
import { type AnswerablePort, portsAnswered } from "./PortNames.ts"
import type { PortsOptions } from "./PortsFlags.ts"

/** The adapter, loaded where a server answers the ports. */
const adapter = Effect.promise(() => import("@countersign/ports-http"))

export interface PortsAddress {
  readonly url: string
  readonly secrets: PortSecrets
  readonly names: ReadonlyArray<AnswerablePort>
}

const secretsIn = (value: string): ReadonlyArray<Redacted.Redacted> =>
  value
    .split(/[,\r\n]+/u)
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "")
    .map((secret) => Redacted.make(secret, { label: "port secret" }))

const secretTexts = ({ portsSecret, portsSecretFile }: PortsOptions): Effect.Effect<string, CommandError> =>
  Option.match(portsSecretFile, {
    onNone: () => Effect.succeed(Option.match(portsSecret, { onNone: () => "", onSome: Redacted.value })),
    onSome: (file) =>
      Effect.tryPromise({
        try: () => readFile(file, "utf8"),
        catch: () => usageError(`--ports-secret-file ${file}: the file cannot be read`),
      }),
  })

/** Reads the address and its secrets; `undefined`: no server answers the ports. */
export const read = Effect.fnUntraced(function* (
  options: PortsOptions,
): Effect.fn.Return<PortsAddress | undefined, CommandError> {
  if (Option.isNone(options.portsUrl)) return undefined
  const [first, ...others] = secretsIn(yield* secretTexts(options))
  if (first === undefined) return yield* usageError("the secret of --ports-url is empty")
  const { portSecretProblem } = yield* adapter
  const secrets: PortSecrets = [first, ...others]
  const problem = portSecretProblem(secrets)
  if (problem !== undefined) return yield* unsafeError(`the secret of --ports-url: ${problem}`)
  return { url: options.portsUrl.value, secrets, names: portsAnswered(options.portsOf) }
})

/** The ports of the server, and the others of the module; without one, a sandbox simulates them. */
export const layer = (
  { names, secrets, url }: PortsAddress,
  { mode, module }: { readonly mode: "sandbox" | "live"; readonly module: Ports | undefined },
): Ports =>
  Layer.unwrap(
    Effect.map(adapter, ({ httpPorts }) => {
      const ports = httpPorts({ url, secrets })
      const byName = {
        rails: ports.rails,
        "exchange-rates": ports.exchangeRates,
        verifier: ports.verifier,
        "security-codes": ports.securityCodes,
        "sca-provider": ports.scaProvider,
        "otp-sender": ports.otpSender,
        issuer: ports.issuer,
        "funding-instructions": ports.fundingInstructions,
        "bank-directory": ports.bankDirectory,
      }
      const chosen = names.map((name) => byName[name])
      // Live mode has checked that the server answers all that it requires; cards are offered if it answers for an issuer.
      const others = module ?? Layer.orDie(mode === "live" ? ports.all : Sandbox.layer)
      return chosen.reduce<Ports>((all, port) => Layer.merge(all, Layer.orDie(port)), others)
    }),
  )

/** The bank sends its reports below it. */
const reportsPath = "/port-reports"

/** The route of the reports, for the pages of a web handler. */
export const reportsPage = Effect.fnUntraced(function* ({ secrets }: PortsAddress) {
  const { makeTakeReport, reportBytesMax } = yield* adapter
  const services = yield* Effect.context<ReportServices>()
  const take = makeTakeReport({ secrets })
  const path = `${reportsPath}/:port/:report` as const
  const answer = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = yield* Effect.option(request.arrayBuffer)
    if (Option.isNone(body)) return HttpServerResponse.empty({ status: 413 })
    const receipt = yield* take({
      path: request.url.replace(/\?.*$/su, ""),
      header: (name) => request.headers[name],
      body: new Uint8Array(body.value),
    })
    const { body: text, headers, status } = receipt
    return HttpServerResponse.text(text, { status, headers, contentType: "application/json" })
  }).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(reportBytesMax)),
    Effect.provideContext(services),
  )
  return { route: { method: "POST", path } as const, layer: () => HttpRouter.add("POST", path, answer) }
})
