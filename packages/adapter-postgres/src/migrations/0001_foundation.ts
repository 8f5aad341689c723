/**
 * The tables that do not depend on the stored kinds: history, unique keys, ledger, counters, events, jobs, business time, receipts.
 * Source: architecture, "The Store port" (PostgreSQL). Times are Unix milliseconds, as the port has them.
 *
 * "owner_id" is the customer, or the platform where there is none. It leads the primary keys, so that tables can be distributed by it;
 * who knows an id alone comes in by the index of ids. What is found by its own value (unique keys, answers) is kept by that value.
 */
import type { Migration } from "./Migration.ts"

export const foundation: Migration = {
  version: 1,
  name: "foundation",
  sql: `
-- Versions that were replaced; the present one stands in the table of its kind.
create table record_history (
  owner_id text collate "C" not null, platform_id text collate "C" not null, customer_id text collate "C",
  kind text collate "C" not null, id text collate "C" not null, version int not null,
  created_at bigint not null, updated_at bigint not null, data json not null,
  primary key (owner_id, id, kind, version)
);

-- Unique keys: those of one platform under its id, global ones under ''.
create table unique_key (
  key text collate "C" not null, scope text collate "C" not null,
  kind text not null, id text not null, platform_id text not null, customer_id text,
  primary key (key, scope)
);

create table ledger_account (
  owner_id text collate "C" not null, platform_id text collate "C" not null, customer_id text collate "C",
  id text collate "C" not null unique, currency text not null, floor bigint, balance bigint not null default 0, sequence bigint not null default 0,
  primary key (owner_id, id),
  constraint floor_kept check (balance >= floor),
  constraint sums_exact check (balance between -9007199254740991 and 9007199254740991)
) with (fillfactor = 50);

-- "transfer": the place of its transfer in the operation; both sides of one have the same.
create table ledger_entry (
  owner_id text collate "C" not null, platform_id text collate "C" not null,
  account_id text collate "C" not null, sequence bigint not null,
  amount bigint not null check (amount <> 0), balance_after bigint not null,
  reference text not null, operation_id text not null, transfer int not null, at bigint not null,
  primary key (owner_id, account_id, sequence)
);

-- Entries come in the order of their times: what one transaction moved is found without an index that each insert would pay for.
create index ledger_entry_at on ledger_entry using brin (at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the ledger are never changed or deleted' using errcode = 'restrict_violation';
end $$;
create trigger ledger_entry_immutable before update or delete on ledger_entry for each statement execute function refuse_change();

create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'accounts of the ledger keep their names and are never deleted' using errcode = 'restrict_violation';
end $$;
create trigger ledger_account_lasting before update of owner_id, id or delete on ledger_account for each statement execute function refuse_removal();

-- A foreign key would look for the account of each entry by itself; this looks for those of all that one statement adds. Accounts last,
-- so that what was found stays true.
create function check_entries() returns trigger language plpgsql as $$
begin
  if exists (select from added e left join countersign.ledger_account a on a.owner_id = e.owner_id and a.id = e.account_id where a.id is null) then
    raise exception 'an entry of the ledger is on no account' using errcode = 'foreign_key_violation';
  end if;
  if exists (select from added e group by e.platform_id, e.operation_id, e.transfer having sum(e.amount) <> 0) then
    raise exception 'entries of the ledger do not balance' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_checked after insert on ledger_entry referencing new table as added
  for each statement execute function check_entries();

-- That a value is never negative is for the commit to see to: a check would judge what is taken before it is known what it is taken from.
create table counter (
  owner_id text collate "C" not null, platform_id text collate "C" not null, key text collate "C" not null,
  value bigint not null check (value <= 9007199254740991),
  primary key (owner_id, key), unique (platform_id, key)
) with (fillfactor = 50);

-- Told to the platform; kept until "expires_at" (business). "sums": what only the commit knew, as its numbers, separated by commas;
-- "shown": the accounts (balance and sequence) and counters that they are of, in this order. Both are null where the body has no holes.
create table event (
  owner_id text collate "C" not null, platform_id text collate "C" not null, customer_id text collate "C",
  id text collate "C" not null unique,
  type text not null, subject text not null, data json not null, shown json, sums text, created_at bigint not null,
  expires_at bigint not null,
  primary key (owner_id, id)
);
create index event_expires on event (expires_at);

-- "open": its lane lets it through, or did so; "holds": it keeps back those behind it; "holds_until": when to look again (wall).
create table job (
  owner_id text collate "C" not null, platform_id text collate "C" not null, customer_id text collate "C",
  id text collate "C" not null unique, sequence bigint generated always as identity, queue text collate "C" not null, kind text not null,
  lane text collate "C", lane_hold_millis bigint, due_at bigint not null, payload json not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'parked')),
  attempt int not null default 0, not_before bigint not null default 0, first_claimed_at bigint, worker text, error text,
  open boolean not null, holds boolean not null, holds_until bigint,
  primary key (owner_id, id)
) with (fillfactor = 70);
create index job_open on job (queue, platform_id, due_at, sequence) where open and state <> 'parked';
create index job_lane on job (platform_id, queue, lane, sequence) where lane is not null;
create index job_due on job (due_at) where state <> 'parked';
create index job_running on job (queue, platform_id) where state = 'running';
create index job_alarm on job (queue, holds_until) where holds_until is not null;

-- The jobs of one platform in one queue: when it had its last turn, counted in claimed jobs.
create table job_line (
  queue text collate "C" not null, platform_id text collate "C" not null, served bigint not null,
  primary key (queue, platform_id)
);

-- How far business time is ahead of wall time, and who alone moves it until "held_until" (wall). One row, once it was moved.
create table business_time (
  one boolean primary key default true check (one),
  ahead_millis bigint not null, mover text not null, held_until bigint not null
);

-- The operations that were committed without a key, so that sending one again counts once; kept until "expires_at" (wall).
-- Whoever sends one again knows of what the sums are.
create table operation (
  owner_id text collate "C" not null, platform_id text collate "C" not null, id text collate "C" not null,
  sums text not null, expires_at bigint not null,
  primary key (owner_id, id)
);
create index operation_expires on operation (expires_at);

-- The answer under an idempotency key, and with it the receipt of its operation; kept until "expires_at" (wall).
create table replay (
  platform_id text collate "C" not null, key text collate "C" not null, fingerprint text not null, status int not null,
  answer json not null, operation_id text not null, shown json, sums text, expires_at bigint not null,
  primary key (platform_id, key)
);
create index replay_expires on replay (expires_at);
`,
}
