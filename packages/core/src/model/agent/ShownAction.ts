/**
 * What the console shows of a held action before an approval, and its digest. An approver approves what the digest names, and nothing else.
 * Source: D-532.
 */
import { Schema } from "effect"
import * as Sha256 from "../../foundation/crypto/Sha256.ts"
import * as CanonicalJson from "../../foundation/kit/CanonicalJson.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"
import { AgentActionType, TransferInstructions } from "./AgentAction.ts"

/** A record on which the execution depends, in the version that was shown: any change of it changes the digest. */
const ShownRecord = Schema.Struct({ id: Schema.String, version: Schema.Int })

const ShownMoney = Schema.Struct({ amount: Schema.Int, currency: CurrencyCode })

export const ShownAction = Schema.Struct({
  actionId: Schema.String,
  type: AgentActionType,
  agent: Schema.Struct({ id: Schema.String, name: Schema.String }),
  customerId: Schema.String,
  sending: ShownMoney,
  /** Only of a quote. */
  receiving: Schema.optionalKey(ShownMoney),
  /** Only of a quote, in its sending currency. */
  fees: Schema.optionalKey(Schema.Int),
  source: Schema.optionalKey(ShownRecord),
  /** Of an UMA address without a version. `name`: the beneficiary's. */
  destination: Schema.Struct({
    id: Schema.String,
    version: Schema.optionalKey(Schema.Int),
    name: Schema.optionalKey(Schema.String),
  }),
  /** Without a version: the terms of a quote never change, and its expiry is no other action. */
  quoteId: Schema.optionalKey(Schema.String),
  instructions: Schema.optionalKey(TransferInstructions),
  row: Schema.String,
  needed: Schema.Int,
})
export type ShownAction = typeof ShownAction.Type

/** SHA-256 of the canonical JSON, hex. */
export const digestOf = (shown: ShownAction): string => Sha256.hex(CanonicalJson.stringify(shown))

/** Returns what the audit keeps of it: all but the beneficiary's name, which is personal data. */
export const withoutName = ({ destination, ...shown }: ShownAction) => {
  const { name: _name, ...kept } = destination
  return { ...shown, destination: kept }
}
