-- release_lost_jobs: releases the jobs of processes whose session has ended, and returns their queues as a JSON list.
--
-- Each process with workers holds the advisory lock of its number on a session of its own (src/WorkerSession.ts). The
-- server frees the lock when that session ends. A lock that can be taken therefore belongs to a process that is gone.
-- Every process calls this function on that session as its heartbeat. Without other processes it reads one row.
-- Source: D-323.

create or replace function countersign.release_lost_jobs(lock_space int, own_session int)
returns text
language plpgsql
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $body$
declare
  lost_sessions int[];
  released_queues text;
begin
  select array_agg(other.session) into lost_sessions
  from countersign.worker_session as other
  where case when other.session <> own_session then pg_try_advisory_xact_lock(lock_space, other.session) end;
  if lost_sessions is null then
    return '[]';
  end if;

  released_queues := countersign.release_jobs(lost_sessions, '{}', false);
  -- A session of which a job was left out stays for the next call.
  delete from countersign.worker_session as gone
  where gone.session = any (lost_sessions)
    and not exists (select from countersign.job as j where j.state = 'running' and j.session = gone.session);
  return released_queues;
end $body$;
