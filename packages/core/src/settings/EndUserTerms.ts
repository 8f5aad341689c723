/**
 * The terms that customers of an unregulated platform accept. A deployment sets its own.
 * Source: wire contract 5.11 (`endUserTermsConsent`).
 */
import { Context } from "effect"

export interface EndUserTerms {
  /** The current version, which customers are shown. */
  readonly version: string
  readonly url: string
  /** Earlier versions whose acceptance is still valid. */
  readonly earlier: ReadonlyArray<string>
}

export const EndUserTerms = Context.Reference<EndUserTerms>("@countersign/core/EndUserTerms", {
  defaultValue: () => ({
    version: "2025-10-13",
    url: "https://terms.example/end-user-terms/2025-10-13",
    earlier: [],
  }),
})
