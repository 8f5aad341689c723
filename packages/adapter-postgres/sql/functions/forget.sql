-- forget: deletes receipts, events and counters of limits whose retention has ended, at most `row_limit` of each, and
-- returns how many.
--
-- An event is kept until its delivery is finished; its attempts are deleted with it. Rows that another process has
-- locked are left for the next sweep.
-- Source: architecture, "Load, ask, decide, commit" (idempotency record); D-056.
-- Receipts and stored responses expire by wall time, events and limits by business time, both in Unix milliseconds. The
-- key of a limit's counter begins with the end of its window, so that the keys sort by it.
--
-- Marker, filled by src/functions/SqlTemplate.ts:
--   /* {{ event lane }} */ 'x'        the prefix of the lanes in which events are delivered
--   /* {{ limit retention }} */ 1     how long the counter of a limit is kept after its window, in milliseconds

create or replace function countersign.forget(wall_now bigint, business_now bigint, row_limit int)
returns text
language plpgsql
set search_path = pg_catalog, pg_temp set jit = off
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
set enable_memoize = off set plan_cache_mode = force_generic_plan
as $body$
declare
  deleted_receipts int;
  deleted_replays int;
  deleted_events int;
  deleted_limits int;
begin
  delete from countersign.operation as receipt
  where (receipt.owner_id, receipt.id) in (
    select expired.owner_id, expired.id from countersign.operation as expired
    where expired.expires_at <= wall_now
    order by expired.expires_at
    limit row_limit
    for update skip locked
  );
  get diagnostics deleted_receipts = row_count;

  delete from countersign.replay as stored
  where (stored.platform_id, stored.key) in (
    select expired.platform_id, expired.key from countersign.replay as expired
    where expired.expires_at <= wall_now
    order by expired.expires_at
    limit row_limit
    for update skip locked
  );
  get diagnostics deleted_replays = row_count;

  with deleted as (
    delete from countersign.event as emitted
    where (emitted.owner_id, emitted.id) in (
      select expired.owner_id, expired.id from countersign.event as expired
      where expired.expires_at <= business_now
        and not exists (
          select from countersign.job as delivery
          where delivery.platform_id = expired.platform_id and delivery.queue = 'webhook'
            and delivery.lane = /* {{ event lane }} */ 'event:' || expired.subject
        )
      order by expired.expires_at
      limit row_limit
      for update skip locked
    )
    returning emitted.owner_id, emitted.id
  ),
  deleted_attempts as (
    delete from countersign.event_attempt as attempt using deleted
    where attempt.owner_id = deleted.owner_id and attempt.event_id = deleted.id
  )
  select count(*) into deleted_events from deleted;

  delete from countersign.counter as ended
  where (ended.platform_id, ended.key) in (
    select expired.platform_id, expired.key from countersign.counter as expired
    where expired.key >= 'limit:' and expired.key < 'limit;'
      and expired.key < 'limit:' || lpad((business_now - /* {{ limit retention }} */ 3600000)::text, 13, '0')
    order by expired.key
    limit row_limit
    for update skip locked
  );
  get diagnostics deleted_limits = row_count;

  return (deleted_receipts + deleted_replays + deleted_events + deleted_limits)::text;
end $body$;
