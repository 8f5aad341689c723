/**
 * The minimum that a payment service could write: one call of one function moves an amount once, without rules, budgets or a record of
 * the caller. It is the base for the cost of everything else.
 */
import type { Session } from "@countersign/adapter-postgres"
import { accounts } from "./TransferSets.ts"

const schema = `
create schema bare;
create table bare.account (id int primary key, balance bigint not null check (balance >= 0), moves bigint not null default 0) with (fillfactor = 50);
create table bare.receipt (key text primary key, fingerprint bytea not null, status int not null, answer jsonb not null, at timestamptz not null default now());
create table bare.transfer (id uuid primary key, status text not null, debit int not null, credit int not null, amount bigint not null, body jsonb not null, at timestamptz not null default now());
create table bare.entry (transfer_id uuid, leg smallint, account_id int not null, amount bigint not null, primary key (transfer_id, leg));
create index entry_account on bare.entry (account_id, transfer_id);
create table bare.message (id bigint generated always as identity primary key, type text not null, body jsonb not null, at timestamptz not null default now());
insert into bare.account (id, balance) select n, 100000000000 from generate_series(1, ${accounts}) n;
create function bare.move(once text, print bytea, id uuid, debit int, credit int, amount bigint, body jsonb) returns text language plpgsql as $$
begin
  insert into bare.receipt (key, fingerprint, status, answer) values (once, print, 201, body) on conflict do nothing;
  if not found then return 'replayed'; end if;
  perform 1 from bare.account a where a.id in (debit, credit) order by a.id for update;
  update bare.account a set balance = a.balance - amount, moves = a.moves + 1 where a.id = debit;
  update bare.account a set balance = a.balance + amount, moves = a.moves + 1 where a.id = credit;
  insert into bare.transfer values (id, 'COMPLETED', debit, credit, amount, body);
  insert into bare.entry values (id, 0, debit, -amount), (id, 1, credit, amount);
  insert into bare.message (type, body) values ('PAYMENT.COMPLETED', body);
  return 'moved';
end $$;
`

export const createBare = (session: Session): Promise<void> => session.script(schema)

export const clearBare = (session: Session): Promise<void> =>
  session.script("truncate bare.receipt, bare.transfer, bare.entry, bare.message; checkpoint")

const body = JSON.stringify({
  id: "Transaction:019542f5-b3e7-7d02-8000-000000000001",
  status: "COMPLETED",
  type: "OUTGOING",
  amount: { amount: 5, currency: { code: "USD", decimals: 2 } },
  customerId: "Customer:019542f5-b3e7-7d02-8000-000000000001",
})

export const bareScript = (isHot: boolean): string => {
  const half = accounts / 2
  const id = "(:head::text || '-0000-7000-8000-' || :tail::text)::uuid"
  const key = ":tail::text || :head::text"
  return [
    isHot ? "\\set from 1" : `\\set from random(1, ${half})`,
    `\\set to random(${half + 1}, ${accounts})`,
    "\\set head :head + 1",
    "\\set tail random(100000000000, 999999999999)",
    `select bare.move(${key}, '\\x00112233445566778899aabbccddeeff', ${id}, :from::text::int, :to::text::int, 5, '${body}');`,
  ].join("\n")
}
