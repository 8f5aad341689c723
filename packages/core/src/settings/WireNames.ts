/**
 * Names on the wire that a deployment sets.
 * Source: wire contract 0.1 and 6.2.
 */
import { Context } from "effect"

export interface WireNames {
  /** The prefix of header names: `Service` gives `Service-Wallet-Signature` and `X-Service-Signature`. */
  readonly headerPrefix: string
  /** `json`: `{"v":"1","s":"<base64>"}`; `plain`: the base64 alone. */
  readonly signatureForm: "json" | "plain"
}

export const WireNames = Context.Reference<WireNames>("@countersign/core/WireNames", {
  defaultValue: () => ({ headerPrefix: "Service", signatureForm: "json" }),
})
