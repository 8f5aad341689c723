/** The server on which `countersign replay` plays a tape. It sends the platform's credentials to this server only. Source: D-474. */
import { formEntry, type PlayedCall, parseJson, type ReplayTarget } from "@countersign/client/tape"
import { Effect, Redacted } from "effect"
import { negativeAnswer } from "../CommandError.ts"
import { advanceTo } from "../clock/Clock.ts"
import { type RemoteServer, requestTimeoutMillis } from "../remote/RemoteServer.ts"

const authorizationOf = (as: PlayedCall["as"], { authorization }: RemoteServer): Readonly<Record<string, string>> => {
  if (as === "nobody") return {}
  return { authorization: as === "platform" ? Redacted.value(authorization) : `Bearer ${as.token}` }
}

/** The body of a request as it is sent. A form brings its own content type. */
const contentOf = ({ body, form }: PlayedCall): { readonly body?: string | FormData; readonly type?: string } => {
  if (form === undefined) {
    if (body === undefined) return {}
    return { body: typeof body === "string" ? body : JSON.stringify(body), type: "application/json" }
  }
  const data = new FormData()
  for (const [name, value] of form.map(formEntry)) data.append(name, value)
  return { body: data }
}

const requestOf = (call: PlayedCall, server: RemoteServer): Request => {
  const { body, type } = contentOf(call)
  const base = call.isOutside ? new URL(server.base).origin : server.base
  try {
    return new Request(`${base}${call.path}`, {
      method: call.method,
      headers: {
        ...authorizationOf(call.as, server),
        ...(type === undefined ? {} : { "content-type": type }),
        ...call.headers,
      },
      redirect: "manual",
      signal: AbortSignal.timeout(requestTimeoutMillis),
      ...(body === undefined ? {} : { body }),
    })
  } catch (cause) {
    throw negativeAnswer(`the request cannot be sent: ${cause instanceof Error ? cause.message.slice(0, 200) : ""}`)
  }
}

export const replayTarget = (server: RemoteServer): ReplayTarget => ({
  send: async (call) => {
    const response = await fetch(requestOf(call, server))
    const { headers, status } = response
    if (headers.get("content-type")?.startsWith("text/event-stream") === true) {
      // A stream has no end.
      await response.body?.cancel()
      return { status }
    }
    const body = parseJson(await response.text())
    return body === undefined ? { status } : { status, body }
  },
  // An advance of 0 runs the jobs that are due: the least that the service takes does so as well.
  advance: async (millis) => {
    await Effect.runPromise(advanceTo(server, { by: `PT${Math.max(1, millis) / 1000}S` }))
  },
})
