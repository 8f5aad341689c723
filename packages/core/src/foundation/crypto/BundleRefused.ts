/**
 * The failure of a bundle that is not accepted. It names the failed check and nothing of the bundle's contents.
 * Source: wire contract 4.9; D-072.
 */
import { Data } from "effect"

/** The checks, each with its message. */
export const bundleRefusals = {
  MALFORMED: "The bundle cannot be read.",
  UNTRUSTED_SIGNER: "The bundle names another signing key than the expected one.",
  INVALID_SIGNATURE: "The bundle is not signed by the key that it names.",
  ORGANIZATION_MISMATCH: "The bundle belongs to another organization.",
  NOT_OPENED: "The bundle could not be opened.",
} as const

export class BundleRefused extends Data.TaggedError("BundleRefused")<{
  readonly reason: keyof typeof bundleRefusals
}> {
  override get message(): string {
    return bundleRefusals[this.reason]
  }
}

export const refused = (reason: keyof typeof bundleRefusals) => new BundleRefused({ reason })
