/** The tables. Columns have the names of the port's fields, so that rows need no mapping. Bodies are JSON texts. */
import { Kinds } from "@countersign/core/store"

const tables = `
create table if not exists record (
  kind text not null, id text not null, platformId text not null, customerId text, version int not null,
  createdAt int not null, updatedAt int not null, data text not null, fields text not null, primary key (kind, id)) strict;
create index if not exists recordList on record (kind, platformId, createdAt, id);
create index if not exists recordOwner on record (kind, platformId, customerId, createdAt, id);
create table if not exists earlierVersion (
  kind text not null, id text not null, version int not null, updatedAt int not null, data text not null,
  primary key (kind, id, version)) strict, without rowid;
-- scope: the platform's id, or empty for a global key
create table if not exists uniqueKey (
  scope text not null, key text not null, kind text not null, id text not null, primary key (scope, key)) strict, without rowid;
create table if not exists ledgerAccount (
  id text primary key, platformId text not null, customerId text, currency text not null, floor int,
  balance int not null default 0, sequence int not null default 0) strict;
create index if not exists ledgerAccountOwner on ledgerAccount (platformId, id);
-- balanceAfter is real: between two entries of one set, a balance may leave the safe integers
create table if not exists ledgerEntry (
  account text not null, sequence int not null, amount int not null, balanceAfter real not null, reference text not null,
  operationId text not null, transfer int not null, counterAccount text not null, at int not null,
  primary key (account, sequence)) strict, without rowid;
create index if not exists ledgerEntryReference on ledgerEntry (reference);
create table if not exists counter (
  platformId text not null, key text not null, value int not null, primary key (platformId, key)) strict, without rowid;
create table if not exists event (
  id text primary key, platformId text not null, customerId text, type text not null, subject text not null,
  data text not null, facts text not null, createdAt int not null, expiresAt int not null) strict;
create index if not exists eventList on event (platformId, createdAt, id);
create index if not exists eventExpiry on event (expiresAt);
create table if not exists deliveryAttempt (
  eventId text not null references event (id) on delete cascade, number int not null, data text not null,
  primary key (eventId, number)) strict, without rowid;
-- autoincrement: the order of commits must survive the deletion of the last job
create table if not exists job (
  sequence integer primary key autoincrement, id text not null unique, queue text not null, platformId text not null,
  customerId text, kind text not null, lane text, laneHoldMillis int, dueAt int not null, payload text not null,
  state text not null default 'waiting', attempt int not null default 0, notBefore int not null default 0,
  firstClaimedAt int, worker text, error text) strict;
create index if not exists jobDue on job (queue, platformId, dueAt, sequence) where state <> 'parked';
create index if not exists jobLane on job (queue, platformId, lane, sequence);
-- served: the number of the claim that was the platform's last turn
create table if not exists turn (
  queue text not null, platformId text not null, served int not null, primary key (queue, platformId)) strict, without rowid;
create table if not exists operation (
  platformId text not null, id text not null, facts text not null, expiresAt int not null,
  primary key (platformId, id)) strict, without rowid;
create index if not exists operationExpiry on operation (expiresAt);
create table if not exists answer (
  platformId text not null, key text not null, operationId text not null, fingerprint text not null, status int not null,
  answer text not null, facts text not null, expiresAt int not null, primary key (platformId, key)) strict, without rowid;
create index if not exists answerExpiry on answer (expiresAt);
create table if not exists state (
  one int primary key check (one = 1), aheadMillis int not null default 0, mover text not null default '',
  heldUntil int not null default 0, claims int not null default 0, listFields text not null default '') strict;
insert or ignore into state (one) values (1);
`

/** The names of the fields by which a kind is listed. */
const listFields = JSON.stringify(Kinds.entries.map(([kind, { fields }]) => [kind, Object.keys(fields)]))

/** An index for each field whose value selects a list. The planner uses it for queries that name the kind literally. */
const listIndexes = Kinds.entries.flatMap(([kind, { indexed }]) =>
  indexed.map(
    (field) =>
      `create index if not exists record_${kind}_${field} on record (platformId, fields -> '$.${field}', createdAt, id) where kind = '${kind}';`,
  ),
)

export const Schema = { text: [tables, ...listIndexes].join("\n"), listFields }
