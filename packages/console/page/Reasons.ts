/** Why an action waits, waited or failed, as a sentence and its numbers. */
import { money } from "./Format.ts"

type Details = Readonly<Record<string, unknown>>

const labels: Readonly<Record<string, string>> = {
  threshold: "Threshold",
  value: "Limit",
  used: "Used before",
  amount: "This action",
  available: "Available",
}

const reasons: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: "insufficient funds",
  ACCOUNT_INVALID: "the account is closed or invalid",
  BANK_REJECTED: "the bank rejected it",
  RETURNED: "the bank returned it",
  CANCELLED: "it was cancelled",
  TIMED_OUT: "it timed out",
}

export interface Reason {
  readonly message: string
  readonly numbers: ReadonlyArray<readonly [label: string, value: string]>
}

/** `decimals` of the action's currency; limits of another currency are shown with that currency's usual ones. */
export const reasonOf = (details: Details | undefined, currency: string, decimals: number): Reason | undefined => {
  if (details === undefined) return undefined
  const { message, reason } = details
  const of = typeof details["currency"] === "string" ? details["currency"] : undefined
  const shown = (value: number) =>
    of === undefined ? String(value) : money(value, of, of === currency ? decimals : usualDecimals(of))
  const why = typeof reason === "string" ? reasons[reason] : undefined
  const said = typeof message === "string" ? message : String(details["rule"] ?? "")
  return {
    message: why === undefined || details["rule"] === "FUNDS" ? said : `${said.replace(/\.$/u, "")}: ${why}.`,
    numbers: Object.entries(labels).flatMap(([name, label]) => {
      const value = details[name]
      return typeof value === "number" ? [[label, shown(value)] as const] : []
    }),
  }
}

/** What the language's own table says of a currency. */
export const usualDecimals = (currency: string): number => {
  if (!/^[A-Z]{3}$/u.test(currency)) return 6
  return new Intl.NumberFormat(undefined, { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
}
