/** The ledger transfers of a transaction: drawn from account to account, and as a list that says the same. */
import type { LedgerTransfersResponse } from "@countersign/core/models"
import { BooksSection } from "./BooksSection.tsx"
import { dateTime, money } from "./Format.ts"
import { AccountLink } from "./LedgerNames.tsx"
import { useLoaded } from "./Loaded.ts"
import { TransferFlow } from "./TransferFlow.tsx"

export const LedgerTransfers = ({ reference }: { readonly reference: string }) => {
  const path = `/operator/books/transfers/${encodeURIComponent(reference)}`
  const { problem, value } = useLoaded<LedgerTransfersResponse>(path, 0)
  return (
    <BooksSection title="Transfers" id={reference} problem={problem} isLoaded={value !== undefined}>
      {value === undefined ? null : (
        <>
          <TransferFlow transfers={value.data} />
          <ol class="panel ledger">
            {value.data.map(({ amount, at, currency: { code, decimals }, from, operationId, to }, n) => (
              <li key={`${operationId} ${from.ledgerAccount} ${from.sequence}`}>
                <span>
                  <span class="mark">{n + 1}</span> from <AccountLink id={from.ledgerAccount} /> to{" "}
                  <AccountLink id={to.ledgerAccount} />
                  <span class="soft small">
                    <time dateTime={at}>{dateTime(at)}</time>
                  </span>
                </span>
                <span class="sum name">{money(amount, code, decimals)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </BooksSection>
  )
}
