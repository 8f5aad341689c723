/** The ports of the providers that an embedder has: its bank, verifier, issuer and strong authentication. Here they do nothing yet. */
import { Issuer, Rails, ScaProvider, Verifier } from "@countersign/core/ports"
import { Layer } from "effect"

export const own = Layer.mergeAll(
  Layer.mock(Rails, {}),
  Layer.mock(Verifier, {}),
  Layer.mock(Issuer, { isOffered: false, needsDelegatedKeys: false, takesThreeDSecurePassword: false }),
  Layer.mock(ScaProvider, {}),
)
