/**
 * The terms that customers of an unregulated platform accept. A deployment names its own.
 * Source: wire contract 5.11 (`endUserTermsConsent`).
 */
import { Context } from "effect"

export interface EndUserTerms {
  /** What a customer is shown today. */
  readonly version: string
  readonly url: string
  /** Versions that were accepted before, and still count. */
  readonly earlier: ReadonlyArray<string>
}

export const EndUserTerms = Context.Reference<EndUserTerms>("@countersign/core/EndUserTerms", {
  defaultValue: () => ({
    version: "2025-10-13",
    url: "https://terms.example/end-user-terms/2025-10-13",
    earlier: [],
  }),
})
