/** The action that a person tries against a policy: as the form has it, and as a request has it. Source: D-477. */
import { minorAmount } from "./MinorUnits.ts"
import type { DecimalsOf, OwnAccount } from "./PolicyDraft.ts"
import type { ExternalAccount } from "./Wire.ts"

export interface ActionDraft {
  readonly type: "TRANSFER_IN" | "TRANSFER_OUT" | "EXECUTE_QUOTE"
  readonly amount: string
  readonly accountId: string
  readonly outsideId: string
  readonly quoteId: string
}

/** The external account that a transfer of this account's currency could use. */
export const outsideFor = (outside: ReadonlyArray<ExternalAccount>, account: OwnAccount | undefined) =>
  outside.find(({ currency }) => currency === account?.currency)?.id ?? ""

/** A transfer out of the account of the limits' currency, without its amount. */
export const firstAction = (
  own: ReadonlyArray<OwnAccount>,
  outside: ReadonlyArray<ExternalAccount>,
  currency: string,
): ActionDraft => {
  const account = own.find((each) => each.currency === currency) ?? own[0]
  const outsideId = outsideFor(outside, account)
  return { type: "TRANSFER_OUT", amount: "", accountId: account?.id ?? "", outsideId, quoteId: "" }
}

/** The action as a request has it; `undefined`: it is not complete. */
export const requestOf = (
  draft: ActionDraft,
  own: ReadonlyArray<OwnAccount>,
  decimalsOf: DecimalsOf,
): object | undefined => {
  const { accountId, outsideId, quoteId, type } = draft
  if (type === "EXECUTE_QUOTE") {
    return /^Quote:[0-9a-f-]{36}$/u.test(quoteId.trim()) ? { type, quoteId: quoteId.trim() } : undefined
  }
  const account = own.find(({ id }) => id === accountId)
  const amount = minorAmount(draft.amount, decimalsOf(account?.currency ?? ""))
  if (account === undefined || outsideId === "" || amount === undefined) return undefined
  const [source, destination] = type === "TRANSFER_IN" ? [outsideId, accountId] : [accountId, outsideId]
  return { type, source: { accountId: source }, destination: { accountId: destination }, amount }
}
