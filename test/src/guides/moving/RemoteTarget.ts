/** Any service with this interface as the target of a tape: a hosted sandbox, or this one at an address. */
import type { ReplayTarget } from "@countersign/client/tape"

export interface Remote {
  /** With the base path: `https://sandbox.example.com/2025-10-13`. */
  readonly baseUrl: string
  /** The `Authorization` header of the platform. */
  readonly authorization: string
  /** What makes the time pass there: its own call, or waiting. */
  readonly advance: (millis: number) => Promise<void>
}

export const remoteTarget = ({ advance, authorization, baseUrl }: Remote): ReplayTarget => ({
  advance,
  send: async (call) => {
    const own = { platform: authorization, nobody: undefined }
    const sender = typeof call.as === "string" ? own[call.as] : `Bearer ${call.as.token}`
    const base = call.isOutside ? new URL(baseUrl).origin : baseUrl
    const isJson = call.body !== undefined && typeof call.body !== "string"
    const response = await fetch(`${base}${call.path}`, {
      method: call.method,
      headers: {
        ...(sender === undefined ? {} : { authorization: sender }),
        ...(isJson ? { "content-type": "application/json" } : {}),
        ...call.headers,
      },
      ...(call.body === undefined ? {} : { body: isJson ? JSON.stringify(call.body) : String(call.body) }),
    })
    const text = await response.text()
    return text === "" ? { status: response.status } : { status: response.status, body: JSON.parse(text) }
  },
})
