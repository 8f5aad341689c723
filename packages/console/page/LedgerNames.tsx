/** Ledger accounts as people read them. */
import { shortId } from "./Format.ts"
import { hashOf } from "./Hash.ts"

const roles: Readonly<Record<string, string>> = {
  available: "Available",
  held: "Held",
  outside: "Outside",
  transit: "In transit",
  receivable: "Receivable",
  exchange: "Exchange",
  "service-fee": "Service fee",
  "platform-fee": "Platform fee",
  unapplied: "Unapplied",
  "unapplied-outside": "Unapplied, outside",
}

export const roleName = (role: string): string => roles[role] ?? role

/** What a ledger account belongs to, short enough for a line: `InternalAccount …1a2b3c`. */
export const ownerName = (ledgerAccount: string): string => {
  const [, type = "", id = "", currency] = ledgerAccount.split(":")
  return `${type} ${shortId(id)}${currency === undefined ? "" : ` ${currency}`}`
}

export const accountName = (ledgerAccount: string): string =>
  `${roleName(ledgerAccount.split(":", 1)[0] ?? "")}, ${ownerName(ledgerAccount)}`

export const AccountLink = ({ id }: { readonly id: string }) => (
  <a href={hashOf("books", "account", id)} title={id}>
    {accountName(id)}
  </a>
)
