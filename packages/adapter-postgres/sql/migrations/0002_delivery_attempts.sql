-- Migration 2, delivery attempts: what was sent of an event, and what came back. They are deleted with their event.
--
-- The attempts of an event are numbered from 1; the latest of them are kept. The indexes by which events are listed are
-- created while processes work: src/migrations/EventIndexes.ts.
-- Source: architecture, "The Store port" (PostgreSQL); D-450. A released migration is never edited.

create table event_attempt (
  owner_id text collate "C" not null,
  platform_id text collate "C" not null,
  event_id text collate "C" not null,
  number int not null,
  data json not null,
  primary key (owner_id, event_id, number)
);
