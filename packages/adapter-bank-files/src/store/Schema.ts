/**
 * The schema of bank files in PostgreSQL, as migrations: each is applied once, in its order, and is never changed.
 * Source: D-530.
 */

export const schemaName = "countersign_bank_files"

export const migrations: ReadonlyArray<string> = [
  `create table ${schemaName}.sequence (
     name text primary key,
     last bigint not null
   );
   create table ${schemaName}.lock (name text primary key);
   create table ${schemaName}.bank_order (
     reference text primary key,
     bank text not null,
     state text not null,
     accepted_at bigint not null,
     settles_at bigint,
     end_to_end_id text not null unique,
     individual_id text not null unique,
     trace_number text,
     batch_id text,
     is_reported boolean not null,
     data jsonb not null
   );
   create index bank_order_waiting on ${schemaName}.bank_order (bank, accepted_at, reference) where state = 'ACCEPTED';
   create index bank_order_settling on ${schemaName}.bank_order (bank, settles_at) where state = 'BATCHED';
   create index bank_order_unreported on ${schemaName}.bank_order (accepted_at, reference) where not is_reported;
   create index bank_order_accepted on ${schemaName}.bank_order (bank, accepted_at);
   create index bank_order_batch on ${schemaName}.bank_order (batch_id);
   create index bank_order_trace on ${schemaName}.bank_order (trace_number);
   create table ${schemaName}.batch (
     id text primary key,
     bank text not null,
     cut_off bigint not null,
     kind text not null,
     part integer not null,
     state text not null,
     data jsonb not null,
     unique (bank, cut_off, kind, part)
   );
   create index batch_unwritten on ${schemaName}.batch (bank, cut_off, id) where state <> 'WRITTEN';
   create table ${schemaName}.file (
     bank text not null,
     digest text not null,
     data jsonb not null,
     primary key (bank, digest)
   );
   create table ${schemaName}.line (
     key text primary key,
     bank text not null,
     booked_on text not null,
     data jsonb not null
   );
   create index line_booked on ${schemaName}.line (bank, booked_on);`,
]

/** Serializes processes that migrate at the same time. */
export const migrationLock = 5_307_014_530
