/**
 * A signed request that is wrong in one named way: its signature, or what is sent with it.
 * Source: wire contract 4.7; D-272.
 */
import type { Sign } from "@countersign/client"
import type { SignedFault } from "./DeviceFaults.ts"

interface ValidRequest {
  readonly fetch: typeof globalThis.fetch
  readonly sign: Sign
  /** Signs by a key that is nobody's. */
  readonly stranger: Sign
  /** The `requestId` of another request. */
  readonly otherRequest: () => Promise<string>
}

/** Of every form, and of no request. */
const nobodys = "Request:00000000-0000-4000-8000-000000000000"

const signature = "service-wallet-signature"

/** What a `SignedClient` is given in place of what is right. */
export const faultyRequest = (
  wrong: SignedFault,
  right: ValidRequest,
): { readonly fetch: typeof fetch; readonly sign: Sign } => {
  const { fetch, otherRequest, sign, stranger } = right
  const spoil: { readonly [fault in SignedFault]?: (headers: Headers) => unknown } = {
    noRequestId: (headers) => headers.delete("request-id"),
    noSignature: (headers) => headers.delete(signature),
    malformed: (headers) => headers.set(signature, "!"),
    unknownRequest: (headers) => headers.set("request-id", nobodys),
    otherRequest: async (headers) => headers.set("request-id", await otherRequest()),
  }
  const signs: { readonly [fault in SignedFault]?: Sign } = {
    otherPayload: (payload) => sign(`${payload} `),
    otherKey: stranger,
  }
  return {
    sign: signs[wrong] ?? sign,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      // The first call asks for a signature and carries none.
      if (headers.has(signature)) await spoil[wrong]?.(headers)
      return fetch(input, { ...init, headers })
    },
  }
}
