/** The books: the trial balance, the ledger accounts with their entries, and the transfers of a transaction. */
import { useState } from "preact/hooks"
import { hashOf, useHashParts } from "./Hash.ts"
import { LedgerAccount } from "./LedgerAccount.tsx"
import { LedgerAccounts } from "./LedgerAccounts.tsx"
import { LedgerTransfers } from "./LedgerTransfers.tsx"
import { TrialBalance } from "./TrialBalance.tsx"

/** Where the books show what was asked for: an account of the ledger, an internal account, or a transaction. */
const placeOf = (asked: string): string => {
  if (asked.startsWith("InternalAccount:")) return hashOf("books", "account", `available:${asked}`)
  return /^[a-z-]+:/u.test(asked) ? hashOf("books", "account", asked) : hashOf("books", "transfers", asked)
}

const Search = () => {
  const [asked, setAsked] = useState("")
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (asked.trim() !== "") location.hash = placeOf(asked.trim())
      }}
    >
      <label for="book-search">Transaction or account</label>
      <div class="row">
        <input
          id="book-search"
          value={asked}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setAsked(currentTarget.value)}
        />
        <button type="submit">Show</button>
      </div>
    </form>
  )
}

const Shown = ({ round }: { readonly round: number }) => {
  const [what, first = "", second = ""] = useHashParts()
  if (what === "account") return <LedgerAccount id={first} round={round} />
  if (what === "accounts") return <LedgerAccounts role={first} currency={second} round={round} />
  if (what === "transfers") return <LedgerTransfers reference={first} />
  return <TrialBalance round={round} />
}

export const Books = ({ round }: { readonly round: number }) => (
  <>
    <Search />
    <Shown round={round} />
  </>
)
