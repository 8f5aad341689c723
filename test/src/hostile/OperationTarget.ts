/** A service with one customer's records, and a sender of raw requests for every operation of the interface. */
import { type Caller, tenant } from "@countersign/core"
import { TokenPermissions } from "@countersign/core/models"
import { type Harness, harness } from "../../../packages/test/src/harness/Harness.ts"
import { type Operation, requestOf } from "../http/ExampleRequests.ts"
import { settle } from "../http/IsolatedTenant.ts"
import type { Example } from "./GrownInputs.ts"

export interface Answer {
  readonly status: number
  readonly body: string
  readonly bytes: number
}

export interface RawRequest {
  readonly path?: string
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export interface OperationTarget extends AsyncDisposable {
  readonly pay: Harness
  readonly agentId: string
  readonly agentToken: string
  readonly accountId: string
  /** The path and body of the operation's example, with the ids of the customer's records. */
  readonly exampleOf: (operation: Operation) => Example & { readonly path: string }
  /** Sends a request with the credentials that the operation requires; the example's path unless `path` is another. */
  readonly send: (operation: Operation, request: RawRequest) => Promise<Answer>
}

export const operationTarget = async (): Promise<OperationTarget> => {
  const pay = await harness({ tape: false })
  const { clientId, clientSecret } = pay.credentials
  const basic = `Basic ${btoa(`${clientId}:${clientSecret}`)}`
  const caller = { ...tenant(pay.platformId), permissions: [...TokenPermissions] } as Caller
  const { agentToken, ids } = await settle(pay, caller, basic, "Held")
  const authorizations = { platform: basic, agent: `Bearer ${agentToken}`, open: "" }
  const exampleOf = (operation: Operation) => requestOf(operation, ids)
  return {
    pay,
    agentToken,
    agentId: ids["agentId"] ?? "",
    accountId: ids["accountId"] ?? "",
    exampleOf,
    send: async (operation, { body, headers, path }) => {
      const { contentType, path: examplePath } = exampleOf(operation)
      const response = await pay.fetch(`${pay.baseUrl}${path ?? examplePath}`, {
        method: operation.method,
        headers: { authorization: authorizations[operation.scheme], "content-type": contentType, ...headers },
        ...(body === undefined || operation.method === "GET" ? {} : { body }),
      })
      if (response.headers.get("content-type") === "text/event-stream") {
        // A stream has no end: it is closed, and its text is empty.
        await response.body?.cancel()
        return { status: response.status, body: "", bytes: 0 }
      }
      const bytes = await response.arrayBuffer()
      return { status: response.status, body: Buffer.from(bytes).toString(), bytes: bytes.byteLength }
    },
    [Symbol.asyncDispose]: () => pay[Symbol.asyncDispose](),
  }
}
