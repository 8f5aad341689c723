/**
 * The end of a customer's access on the wire.
 * Source: D-356.
 */
import { Schema } from "effect"
import { Id } from "../../foundation/ids/IdTypes.ts"

/** Answer of `POST /customers/{customerId}/end-access`: how many sessions, tokens and codes it ended. */
export const CustomerAccessEnd = Schema.Struct({
  customerId: Id("Customer"),
  sessionsEnded: Schema.Int.annotate({ description: "Sessions of embedded wallets that were active." }),
  agentTokensEnded: Schema.Int.annotate({ description: "Access tokens of agents. The agents need new device codes." }),
  deviceCodesEnded: Schema.Int.annotate({ description: "Device codes that could still be redeemed." }),
}).annotate({ identifier: "CustomerAccessEnd" })
export type CustomerAccessEnd = typeof CustomerAccessEnd.Type
