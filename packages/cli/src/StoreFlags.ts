/** The options of the commands that work on a store: `migrate`, `ledger` and `operate`. */
import type { Option } from "effect"
import { Flag } from "effect/cli"
import { checkedFlags } from "./CheckedFlags.ts"
import { optionalInteger, text } from "./FlagKinds.ts"
import { operatorName } from "./OperatorName.ts"
import { storeDefault } from "./StoreLocation.ts"
import type { StoreOptions } from "./StoreOption.ts"

export const store = text(
  "store",
  "STORE",
  "Where all state is stored: memory, pglite:FOLDER, or a server as postgres://USER@HOST/DATABASE",
  storeDefault,
).pipe(Flag.withDefault(storeDefault))

export const storeDirect = text(
  "store-direct",
  "STORE_DIRECT",
  "The server behind --store, where that is a pooler which shares sessions between transactions",
).pipe(Flag.optional)

export const cells = optionalInteger(
  "cells",
  "CELLS",
  "The number of cells of a new store on a server, each a schema of its own; it never changes, and a store that exists is opened as it is",
  { min: 1, max: 256, what: "cells" },
)

const storeFlags = { store, storeDirect }

export const json = (description: string) =>
  Flag.Boolean("json").pipe(Flag.withDescription(description), Flag.withDefault(false))

export const migrateFlags = checkedFlags({
  ...storeFlags,
  cells,
  contract: Flag.Boolean("contract").pipe(
    Flag.withDescription(
      "End a roll-out when no process of another release runs: remove the functions of other releases",
    ),
    Flag.withDefault(false),
  ),
  json: json("Print JSON: the versions of the schema before and now"),
})

export const ledgerFlags = checkedFlags({
  ...storeFlags,
  json: json("Print JSON; amounts are then decimal strings in the smallest unit of their currency"),
})

export interface OperateOptions extends StoreOptions {
  readonly json: boolean
  /** Client id of the platform; absent: the only platform of the store. */
  readonly clientId: Option.Option<string>
  /** The operator's name, for the audit. */
  readonly operator: string
}

const operatorNameMax = 140

export const operateFlags = checkedFlags<OperateOptions>({
  ...storeFlags,
  json: json("Print the answer as JSON"),
  clientId: text("client-id", "CLIENT_ID", "Client id of the platform; when absent, the only one in the store").pipe(
    Flag.optional,
  ),
  operator: Flag.String("operator").pipe(
    Flag.filter(
      (name) => name.trim() !== "" && name.length <= operatorNameMax,
      () => `a name of 1 to ${operatorNameMax} characters`,
    ),
    Flag.withDescription("Your name, for the audit (default: the name of this machine's user)"),
    Flag.withDefault(operatorName()),
  ),
})
