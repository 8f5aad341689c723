/** What can be wrong on this machine: Node, variables and options, and the address to listen on. Source: D-459. */
import { createServer } from "node:net"
import { isLoopback } from "@countersign/adapter-http"
import { Effect, Option } from "effect"
import type { Collected } from "../CheckedFlags.ts"
import { unknownVariables } from "../EnvironmentCheck.ts"
import { checkOptions } from "../OptionCheck.ts"
import type { ServeOptions } from "../ServeFlags.ts"
import { variables } from "../Variables.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const nodeMin = [22, 19] as const

/** Whether this version of Node runs the packages. */
export const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > nodeMin[0] || (major === nodeMin[0] && minor >= nodeMin[1])
    ? ok("node", `Node ${version}`)
    : problem("node", `Node ${version} is too old`, `install Node ${nodeMin.join(".")} or later`)
}

/** All problems of variables and of the options of `serve`. */
export const checkSettings = Effect.fnUntraced(function* (collected: Collected<ServeOptions>) {
  const unknown = unknownVariables(Object.keys(process.env), variables).map(({ message }) =>
    problem("variables", message, "correct or unset it"),
  )
  const { problems } = yield* checkOptions(collected)
  const invalid = [...new Set(problems.map(({ message }) => message))].map((message) =>
    problem("options", message, "correct the option or its variable"),
  )
  return [
    ...(unknown.length === 0 ? [ok("variables", "every COUNTERSIGN_ variable is known")] : unknown),
    ...(invalid.length === 0 ? [ok("options", "the options and variables are valid for `serve`")] : invalid),
  ]
})

/** Returns the code of the system's refusal to listen; `undefined` if it does not refuse. */
const refusalToListen = (host: string, port: number) =>
  Effect.promise(
    () =>
      new Promise<string | undefined>((resolve) => {
        const server = createServer()
        server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message))
        server.listen(port, host, () => server.close(() => resolve(undefined)))
      }),
  )

const isCountersign = (host: string, port: number) =>
  Effect.promise(() =>
    fetch(`http://${host.includes(":") ? `[${host}]` : host}:${port}/healthz`, { signal: AbortSignal.timeout(2000) })
      .then(async (response) => response.ok && (await response.text()).includes('"status"'))
      .catch(() => false),
  )

/** Whether `serve` could listen on its address. */
export const checkPort = Effect.fnUntraced(function* ({ host, port }: Pick<ServeOptions, "host" | "port">) {
  const at = `${host}:${port}`
  const code = yield* refusalToListen(host, port)
  if (code === undefined) return ok("port", `${at} is free`)
  if (code !== "EADDRINUSE") {
    return problem(
      "port",
      `${at} cannot be listened on: ${code}`,
      "name a host of this machine with --host, and a port that you may use with --port",
    )
  }
  return (yield* isCountersign(host, port))
    ? ok("port", `${at} is used by a running server`)
    : problem("port", `${at} is used by another program`, "stop that program, or name another port with --port")
})

/** Whether clients reach the service under its public address. */
export const checkPublicUrl = Effect.fnUntraced(function* ({ publicUrl }: Pick<ServeOptions, "publicUrl">) {
  if (Option.isNone(publicUrl)) return ok("public URL", "none: links and documents name the address to listen on")
  const url = new URL(publicUrl.value)
  const status = yield* Effect.promise(() =>
    fetch(new URL("/readyz", url), { signal: AbortSignal.timeout(5000) })
      .then((response) => String(response.status))
      .catch(() => "no answer"),
  )
  if (status !== "200") {
    return problem(
      "public URL",
      `${url.origin}/readyz: ${status}`,
      "start the server, and let the proxy pass this address on to it",
    )
  }
  return url.protocol === "http:" && !isLoopback(url.hostname)
    ? warning("public URL", `${url.origin} answers without TLS: secrets travel in clear`, "serve it over https")
    : ok("public URL", `${url.origin} answers`)
})
