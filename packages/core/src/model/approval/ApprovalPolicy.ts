/**
 * A deployment's approval policy: which actions of agents need the approvals of several named approvers, and of whom.
 * Source: D-532.
 */
import { Schema } from "effect"
import { NonNegativeAmount } from "../../foundation/money/Amount.ts"
import { CurrencyCode } from "../../foundation/money/Currencies.ts"

const Days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 }))
/** At most a year. */
const Seconds = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 366 * 24 * 60 * 60 }))
const Name = Schema.String.check(
  Schema.isPattern(/^[\w -]{1,80}$/u, { expected: "1 to 80 letters, digits, spaces, _ and -" }),
)

/** Where the money goes. A destination is new until its record is `days` old, unless it is the customer's own or trusted by it. */
export const ApprovalDestination = Schema.Union([
  Schema.Struct({ is: Schema.Literal("NEW"), days: Days }),
  Schema.Struct({ is: Schema.Literal("KNOWN"), days: Days }),
  /** Ids of accounts, or UMA addresses in any letter case. */
  Schema.Struct({ is: Schema.Literal("ONE_OF"), ids: Schema.Array(Schema.String).check(Schema.isMinLength(1)) }),
])
export type ApprovalDestination = typeof ApprovalDestination.Type

/** A row: the actions that it covers, whose approvals they need, and for how long they wait. The first row that covers an action decides. */
export const ApprovalRow = Schema.Struct({
  /** Actions and the audit name it. */
  name: Name,
  /** The smallest amount, in the smallest unit of its currency. An action in another currency is converted. Absent: any amount. */
  from: Schema.optionalKey(Schema.Struct({ currency: CurrencyCode, amount: NonNegativeAmount })),
  /** Absent: any destination. */
  destination: Schema.optionalKey(ApprovalDestination),
  /** The name of the group whose members may approve. */
  approvers: Name,
  /** The number of members that must approve. */
  needed: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })),
  /** Whether each approval needs the approver's passkey once more, over the digest of what was shown. */
  stepUp: Schema.optionalKey(Schema.Boolean),
  /** After this time the action is rejected. Absent: it waits. */
  expiresAfterSeconds: Schema.optionalKey(Seconds),
  /** After this time the members of another group may approve, too. */
  escalates: Schema.optionalKey(Schema.Struct({ afterSeconds: Seconds, to: Name })),
})
export type ApprovalRow = typeof ApprovalRow.Type

export const ApprovalPolicy = Schema.Struct({
  /** The names of the approvers in each group, as they sign in to the console. */
  groups: Schema.Record(Name, Schema.Array(Schema.String)),
  rows: Schema.Array(ApprovalRow),
  /**
   * Whether approvers count who have signed in without a passkey. A holder of the client secret can state every name, so that one person
   * could be several approvers. Absent: only those count whom a passkey has proven.
   */
  acceptsStatedNames: Schema.optionalKey(Schema.Boolean),
})
export type ApprovalPolicy = typeof ApprovalPolicy.Type
