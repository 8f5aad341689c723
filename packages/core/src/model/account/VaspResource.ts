/**
 * Exchanges (virtual asset service providers) that hold wallets, on the wire.
 * Source: wire contract areas 1.7.
 */
import { Schema } from "effect"
import { PageOf } from "../../foundation/kit/PageResource.ts"

/** An exchange that `accountInfo.vaspName` of a wallet may name, with the address of its site. */
export const Vasp = Schema.Struct({
  vaspName: Schema.String.annotate({
    description: "The exact value for `accountInfo.vaspName` of an external account that is a wallet.",
  }),
  url: Schema.optionalKey(Schema.String.annotate({ format: "uri" })),
}).annotate({ identifier: "Vasp" })
export type Vasp = typeof Vasp.Type

/** A page of exchanges, by name: the answer of `GET /vasps`. */
export const VaspListResponse = PageOf(Vasp, "VaspListResponse")
export type VaspListResponse = typeof VaspListResponse.Type
