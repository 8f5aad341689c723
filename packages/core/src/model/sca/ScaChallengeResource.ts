/**
 * The challenge of strong authentication that a quote or a request for trust carries, on the wire.
 * Source: wire contract 5.12 (scaChallenge); wire contract areas 1.3.2.
 */
import { Schema } from "effect"
import { Timestamp } from "../../foundation/kit/Instant.ts"
import { ScaFactor } from "./ScaProfile.ts"

const optionalNullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

export const ScaChallengeResource = Schema.Struct({
  id: Schema.String,
  expiresAt: Timestamp,
  factor: ScaFactor,
  availableFactors: Schema.Array(ScaFactor),
  purpose: optionalNullable(Schema.String),
  passkeyAssertionOptions: optionalNullable(Schema.Record(Schema.String, Schema.Json)),
  passkeyAllowedOrigins: optionalNullable(Schema.Array(Schema.String)),
}).annotate({ identifier: "ScaChallenge" })
export type ScaChallengeResource = typeof ScaChallengeResource.Type
