/** The trial balance: in each currency the balances of all roles, which must add up to the same on both sides. */

import type { TrialBalanceResponse } from "@countersign/core/models"
import { Fragment } from "preact"
import { EmptyHint } from "./EmptyHint.tsx"
import { dateTime, many, money } from "./Format.ts"
import { hashOf } from "./Hash.ts"
import { roleName } from "./LedgerNames.tsx"
import { useLoaded } from "./Loaded.ts"

type Currency = TrialBalanceResponse["data"][number]

const shownSum = (sum: string, { code, decimals }: Currency["currency"]): string =>
  sum === "0" ? "–" : money(BigInt(sum), code, decimals)

const Balances = ({ of }: { readonly of: Currency }) => {
  const { currency, isBalanced, lines } = of
  return (
    <section class="panel book" aria-labelledby={`book-${currency.code}`}>
      <header>
        <h3 id={`book-${currency.code}`}>
          {currency.code} <span class="kind soft">{currency.name}</span>
        </h3>
        <span class={isBalanced ? "badge approved" : "badge failed"}>
          <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
            <path
              fill="none"
              stroke="currentColor"
              stroke-width="2"
              d={isBalanced ? "M 1 6.5 L 4.5 10 L 11 2" : "M 2 2 L 10 10 M 10 2 L 2 10"}
            />
          </svg>
          {isBalanced ? "Balanced" : "Does not balance"}
        </span>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">Role</th>
            <th scope="col" class="sum">
              Debit
            </th>
            <th scope="col" class="sum">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {lines
            .filter(({ entries }) => entries > 0)
            .map(({ accounts, creditBalance, debitBalance, entries, meaning, role }) => (
              <Fragment key={role}>
                <tr>
                  <th scope="row">
                    <a href={hashOf("books", "accounts", role, currency.code)}>{roleName(role)}</a>
                  </th>
                  <td class="sum">{shownSum(debitBalance, currency)}</td>
                  <td class="sum">{shownSum(creditBalance, currency)}</td>
                </tr>
                <tr>
                  <td colSpan={3} class="meaning soft small">
                    {meaning} {many(accounts, "account")}, {many(entries, "entry", "entries")}.
                  </td>
                </tr>
              </Fragment>
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td class="sum">{shownSum(of.debitBalance, currency)}</td>
            <td class="sum">{shownSum(of.creditBalance, currency)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

export const TrialBalance = ({ round }: { readonly round: number }) => {
  const { problem, value } = useLoaded<TrialBalanceResponse>("/operator/books/trial-balance", round)
  const isMoved = ({ lines }: Currency) => lines.some(({ entries }) => entries > 0)
  const moved = value?.data.filter(isMoved) ?? []
  const others = value?.data.filter((each) => !isMoved(each)) ?? []
  return (
    <section aria-labelledby="books-title">
      <h2 id="books-title" tabIndex={-1}>
        Trial balance
      </h2>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {value === undefined ? (
        <p class="soft">{problem === undefined ? "Loading…" : ""}</p>
      ) : (
        <p class="soft small">As of {dateTime(value.asOf)}. Balances below zero are debit, above zero credit.</p>
      )}
      {value !== undefined && moved.length === 0 ? (
        <div class="empty">
          <p class="name">No money has moved yet.</p>
          <EmptyHint />
        </div>
      ) : null}
      <div class="books">
        {moved.map((of) => (
          <Balances key={of.currency.code} of={of} />
        ))}
      </div>
      {moved.length === 0 || others.length === 0 ? null : (
        <p class="soft small">No money has moved in {others.map(({ currency }) => currency.code).join(", ")}.</p>
      )}
    </section>
  )
}
