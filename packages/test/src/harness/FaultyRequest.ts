/**
 * Signed requests with one injected fault in the signature or in a header.
 * Source: wire contract 4.7; D-272.
 */
import type { Sign } from "@countersign/client"
import { spelled } from "@countersign/core/models"
import type { SignedFault } from "./DeviceFaults.ts"

interface ValidRequest {
  readonly fetch: typeof globalThis.fetch
  readonly sign: Sign
  /** Signs with a key that no session has. */
  readonly signWithUnknownKey: Sign
  /** The `requestId` of another request. */
  readonly otherRequest: () => Promise<string>
  /** The service's name, which the signature header begins with. */
  readonly serviceName: string
}

/** A well-formed request id that belongs to no request. */
const unknownRequestId = "Request:00000000-0000-4000-8000-000000000000"

/** Returns the options of a `SignedClient` that inject the fault. */
export const faultyRequest = (
  fault: SignedFault,
  valid: ValidRequest,
): { readonly fetch: typeof fetch; readonly sign: Sign } => {
  const { fetch, otherRequest, serviceName, sign, signWithUnknownKey } = valid
  const signature = spelled("Service-Wallet-Signature", serviceName)
  const headerFaults: { readonly [name in SignedFault]?: (headers: Headers) => unknown } = {
    noRequestId: (headers) => headers.delete("request-id"),
    noSignature: (headers) => headers.delete(signature),
    malformed: (headers) => headers.set(signature, "!"),
    unknownRequest: (headers) => headers.set("request-id", unknownRequestId),
    otherRequest: async (headers) => headers.set("request-id", await otherRequest()),
  }
  const signatureFaults: { readonly [name in SignedFault]?: Sign } = {
    otherPayload: (payload) => sign(`${payload} `),
    otherKey: signWithUnknownKey,
  }
  return {
    sign: signatureFaults[fault] ?? sign,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      // The first call requests the challenge and has no signature yet.
      if (headers.has(signature)) await headerFaults[fault]?.(headers)
      return fetch(input, { ...init, headers })
    },
  }
}
