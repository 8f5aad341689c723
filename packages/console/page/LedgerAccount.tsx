/** A ledger account: its balance, and its entries with the newest first. */
import type { LedgerEntryListResponse } from "@countersign/core/models"
import { BooksSection } from "./BooksSection.tsx"
import { dateTime, many, money, shortId } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { AccountLink, accountName } from "./LedgerNames.tsx"
import { usePages } from "./Loaded.ts"

type Entry = LedgerEntryListResponse["data"][number]

const referenceName = (reference: string): string => `${reference.split(":", 1)[0]} ${shortId(reference)}`

interface EntryProps {
  readonly entry: Entry
  readonly currency: LedgerEntryListResponse["currency"]
}

const EntryLine = ({ currency: { code, decimals }, entry }: EntryProps) => {
  const { amount, at, balanceAfter, counterAccount, reference } = entry
  const isIn = amount > 0
  return (
    <li>
      <span>
        <span class="small">{isIn ? "from " : "to "}</span>
        <AccountLink id={counterAccount} />
        <span class="soft small">
          <time dateTime={at}>{dateTime(at)}</time>,{" "}
          <a href={hashOf("books", "transfers", reference)} title={reference}>
            {referenceName(reference)}
          </a>
        </span>
      </span>
      <span class="sum">
        <span class={isIn ? "name came" : "name"}>
          {isIn ? "+" : ""}
          {money(amount, code, decimals)}
        </span>
        <span class="soft small">balance {money(balanceAfter, code, decimals)}</span>
      </span>
    </li>
  )
}

export const LedgerAccount = ({ id, round }: { readonly id: string; readonly round: number }) => {
  const path = `/operator/books/accounts/${encodeURIComponent(id)}/entries`
  const { more, pages, problem } = usePages<LedgerEntryListResponse>(path, round)
  const [first] = pages
  const entries = pages.flatMap(({ data }) => data)
  return (
    <BooksSection title={accountName(id)} id={id} problem={problem} isLoaded={first !== undefined}>
      {first === undefined ? null : (
        <>
          <p>
            Balance <strong>{money(first.balance, first.currency.code, first.currency.decimals)}</strong>,{" "}
            {many(first.totalCount, "entry", "entries")}
          </p>
          {entries.length === 0 ? null : (
            <ul class="panel ledger">
              {entries.map((entry) => (
                <EntryLine key={entry.sequence} entry={entry} currency={first.currency} />
              ))}
            </ul>
          )}
        </>
      )}
      {more === undefined ? null : (
        <button type="button" onClick={() => void more()}>
          Show older
        </button>
      )}
    </BooksSection>
  )
}
