-- register_session: registers the session of a process, so that others notice when it ends (release_lost_jobs).
-- Source: D-323.

create or replace function countersign.register_session(new_session int)
returns text
language sql
set search_path = pg_catalog, pg_temp
as $body$
  insert into countersign.worker_session (session) values (new_session) on conflict do nothing;
  select '';
$body$;
