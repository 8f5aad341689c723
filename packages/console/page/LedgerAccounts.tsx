/** The ledger accounts of a role in a currency, with their balances. */
import type { LedgerAccountListResponse } from "@countersign/core/models"
import { BooksSection } from "./BooksSection.tsx"
import { count, money } from "./Format.ts"
import { AccountLink, roleName } from "./LedgerNames.tsx"
import { usePages } from "./Loaded.ts"

interface Props {
  readonly role: string
  readonly currency: string
  readonly round: number
}

export const LedgerAccounts = ({ currency, role, round }: Props) => {
  const path = `/operator/books/accounts?role=${encodeURIComponent(role)}&currency=${encodeURIComponent(currency)}`
  const { more, pages, problem } = usePages<LedgerAccountListResponse>(path, round)
  const accounts = pages.flatMap(({ data }) => data)
  return (
    <BooksSection title={`${roleName(role)}, ${currency}`} problem={problem} isLoaded={pages.length > 0}>
      <ul class="panel ledger">
        {accounts.map(({ balance, currency: { code, decimals }, entries, ledgerAccount }) => (
          <li key={ledgerAccount}>
            <span>
              <AccountLink id={ledgerAccount} />
              <span class="soft small">{count(entries)} entries</span>
            </span>
            <span class="sum">{money(balance, code, decimals)}</span>
          </li>
        ))}
      </ul>
      {more === undefined ? null : (
        <button type="button" onClick={() => void more()}>
          Show more
        </button>
      )}
    </BooksSection>
  )
}
