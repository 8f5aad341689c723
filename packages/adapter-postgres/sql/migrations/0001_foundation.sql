-- Migration 1, foundation: the tables that do not depend on the stored kinds. These are history, unique keys, ledger,
-- counters, events, jobs, business time and receipts.
--
-- The tables of the stored kinds are derived from Kinds: src/migrations/KindColumns.ts.
-- Source: architecture, "The Store port" (PostgreSQL). A released migration is never edited: its text has a checksum.
--
-- Times are Unix milliseconds. "business" and "wall" name the clock: business time can be moved, wall time cannot.
-- owner_id is the customer, or the platform for a row without a customer. It leads the primary keys, so that tables can
-- be distributed by it; a row of which only the id is known is looked up by the index of ids. Unique keys and stored
-- responses are looked up by their own value, and are keyed by it.

-- Replaced versions of records. The present version is stored in the table of its kind.
create table record_history (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  kind text collate "C" not null,
  id text collate "C" not null,
  version int not null,
  created_at bigint not null,
  updated_at bigint not null,
  data json not null,
  primary key (owner_id, id, kind, version)
);

-- Unique keys. The scope is the platform's id, or '' for a global key.
create table unique_key (
  key text collate "C" not null,
  scope text collate "C" not null,
  kind text not null,
  id text not null,
  platform_id text not null,
  customer_id text,
  primary key (key, scope)
);

-- Ledger accounts with their balance and the number of their entries.
create table ledger_account (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null unique,
  currency text not null,
  floor bigint,
  balance bigint not null default 0,
  sequence bigint not null default 0,
  primary key (owner_id, id),
  constraint floor_kept check (balance >= floor),
  -- The range of integers that JSON numbers carry exactly.
  constraint sums_exact check (balance between -9007199254740991 and 9007199254740991)
) with (fillfactor = 50);

-- Ledger entries. "transfer" is the number of the transfer within its operation: both sides of a transfer share it.
create table ledger_entry (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  account_id text collate "C" not null,
  sequence bigint not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  reference text not null,
  operation_id text not null,
  transfer int not null,
  at bigint not null,
  primary key (owner_id, account_id, sequence)
);

-- Entries are written in the order of their times: a BRIN index finds those of one transaction, and inserts pay little.
create index ledger_entry_at on ledger_entry using brin (at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the ledger are never changed or deleted' using errcode = 'restrict_violation';
end $$;

create trigger ledger_entry_immutable
  before update or delete on ledger_entry
  for each statement execute function refuse_change();

create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'accounts of the ledger keep their names and are never deleted' using errcode = 'restrict_violation';
end $$;

create trigger ledger_account_lasting
  before update of owner_id, id or delete on ledger_account
  for each statement execute function refuse_removal();

-- Checks all entries that one statement adds: each has an account, and each transfer balances. A foreign key would look
-- up the account of each entry separately. Accounts are never deleted, so the result stays true.
create function check_entries() returns trigger language plpgsql as $$
begin
  if exists (
    select from added
    left join countersign.ledger_account as account
      on account.owner_id = added.owner_id and account.id = added.account_id
    where account.id is null
  ) then
    raise exception 'an entry of the ledger is on no account' using errcode = 'foreign_key_violation';
  end if;
  if exists (
    select from added
    group by added.platform_id, added.operation_id, added.transfer
    having sum(added.amount) <> 0
  ) then
    raise exception 'entries of the ledger do not balance' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create trigger ledger_entry_checked
  after insert on ledger_entry referencing new table as added
  for each statement execute function check_entries();

-- Counters. The commit ensures that a value is never negative: a check constraint would judge the amount to be taken
-- before it is added to the value it is taken from.
create table counter (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  key text collate "C" not null,
  value bigint not null check (value <= 9007199254740991),
  primary key (owner_id, key),
  unique (platform_id, key)
) with (fillfactor = 50);
-- Counters of use limits, whose keys begin with the end of their window (business, ms): they are deleted by it.
create index counter_limit on counter (key) where key >= 'limit:' and key < 'limit;';

-- Events that are delivered to the platform, kept until expires_at (business).
-- "sums" holds the numbers that only the commit knew, separated by commas. "shown" names the accounts (balance and
-- sequence) and counters that they belong to, in this order. Both are null if the body has no placeholders.
create table event (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null unique,
  type text not null,
  subject text not null,
  data json not null,
  shown json,
  sums text,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (owner_id, id)
);
create index event_expires on event (expires_at);

-- Jobs. "sequence" is the order of their commits.
--   lane         jobs of one lane run one after another
--   due_at       business; not_before, first_claimed_at, holds_until: wall
--   open         the job may be claimed: its lane does not block it, or did not when it became open
--   holds        the job blocks the later jobs of its lane
--   holds_until  when the hold must be checked again
--   worker       the claim; session: of worker_session, null if only the lease ends the claim
create table job (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  customer_id text collate "C",
  id text collate "C" not null unique,
  sequence bigint generated always as identity,
  queue text collate "C" not null,
  kind text not null,
  lane text collate "C",
  lane_hold_millis bigint,
  due_at bigint not null,
  payload json not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'parked')),
  attempt int not null default 0,
  not_before bigint not null default 0,
  first_claimed_at bigint,
  worker text,
  session int,
  error text,
  open boolean not null,
  holds boolean not null,
  holds_until bigint,
  primary key (owner_id, id)
) with (fillfactor = 70);
create index job_open on job (queue, platform_id, due_at, sequence) where open and state <> 'parked';
create index job_lane on job (platform_id, queue, lane, sequence) where lane is not null;
create index job_due on job (due_at) where state <> 'parked';
create index job_running on job (queue, platform_id) where state = 'running';
create index job_parked on job (platform_id, id) where state = 'parked';
create index job_alarm on job (queue, holds_until) where holds_until is not null;

-- The processes that run jobs. Each holds the advisory lock of its number as long as it lives.
create table worker_session (session int primary key);

-- The turn that each platform had last in a queue, counted in claimed jobs.
create table job_line (
  queue text collate "C" not null,
  platform_id text collate "C" not null,
  served bigint not null,
  primary key (queue, platform_id)
);

-- The offset of business time from wall time. One row, once time was moved; until held_until (wall) only its mover may
-- move it again.
create table business_time (
  one boolean primary key default true check (one),
  ahead_millis bigint not null,
  mover text not null,
  held_until bigint not null
);

-- Receipts of operations without an idempotency key, so that an operation that is sent again is applied once. Kept
-- until expires_at (wall). The sender knows which accounts and counters the sums belong to.
create table operation (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  id text collate "C" not null,
  sums text not null,
  expires_at bigint not null,
  primary key (owner_id, id)
);
create index operation_expires on operation (expires_at);

-- Stored responses under their idempotency keys, which are also the receipts of their operations. Kept until expires_at
-- (wall).
create table replay (
  platform_id text collate "C" not null,
  key text collate "C" not null,
  fingerprint text not null,
  status int not null,
  answer json not null,
  operation_id text not null,
  shown json,
  sums text,
  expires_at bigint not null,
  primary key (platform_id, key)
);
create index replay_expires on replay (expires_at);

-- Files of the document vault. A file without this row is not complete and does not exist for readers.
create table vault_file (
  key text collate "C" not null primary key,
  size bigint not null,
  sha256 text not null,
  stored_at timestamptz not null default now()
);

-- The bytes of files, in rows of a fixed size. Images and PDF do not shrink, so that compressing them would be wasted.
create table vault_chunk (
  key text collate "C" not null,
  number int not null,
  bytes bytea not null,
  primary key (key, number)
);
alter table vault_chunk alter column bytes set storage external;
