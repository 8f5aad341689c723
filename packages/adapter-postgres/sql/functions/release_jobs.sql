-- release_jobs: makes running jobs claimable before their leases expire, and returns their queues as a JSON list.
--
-- A job is released if its worker's session is lost, if the answer to its claim was lost, or if its process must be
-- gone (every_job: a database that serves a single process starts). Attempts stay counted: the attempt is the fence, so
-- a worker that lives after all may finish the job until another one claims it.
-- A job that a commit is just changing is left out; the next call finds it.
-- Source: store/Store.ts (claim); D-323, D-324.

create or replace function countersign.release_jobs(lost_sessions int[], lost_claims text[], every_job boolean)
returns text
language sql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $body$
  with lost as (
    select j.id from countersign.job as j
    where j.state = 'running' and (every_job or j.session = any (lost_sessions) or j.worker = any (lost_claims))
    order by j.id
    for update skip locked
  ),
  released as (
    update countersign.job as j
    set not_before = 0, session = null, worker = null,
      holds_until = case
        when j.holds and j.lane_hold_millis is not null then j.first_claimed_at + j.lane_hold_millis
      end
    from lost
    where j.id = lost.id
    returning j.queue
  )
  select coalesce(json_agg(distinct released.queue), '[]')::text from released
$body$;
