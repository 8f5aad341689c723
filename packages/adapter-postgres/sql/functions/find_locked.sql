-- find_locked: finds which of the named rows and advisory locks a commit could not lock now, without waiting for them.
--
-- A commit that reached its lock_timeout does not say which lock it waited for. This function tries each: what it gets
-- is released at its end. It returns [[number, holder], ...] for those that it does not get. `holder` changes when
-- another transaction takes the lock; it is '' where the holder cannot be read.
-- Source: src/commit/LockNames.ts, which builds the request; D-318.
--
-- Request: {"locks", "accounts", "counters", "records": [[kind number, rows], ...], "jobs", "keys"}. A row starts with
-- its number.
--   locks              [number, name, exclusive]
--   accounts, records  [number, platform, id]
--   counters           [number, platform, key]
--   jobs               [number, id]: the row and its lane
--   keys               [number, unique key, scope]
--
-- Markers, filled by src/functions/SqlTemplate.ts from the table of stored kinds:
--   -- {{ for each kind }} ... -- {{ end }}   repeats the lines for each kind; this_number and this_table are its own.

create or replace function countersign.find_locked(request jsonb)
returns text
language plpgsql
set search_path = pg_catalog, pg_temp set jit = off
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
set enable_memoize = off set plan_cache_mode = force_generic_plan
-- A lock on a whole table must not block the search: it ends with 55P03.
set lock_timeout = 10
as $body$
declare
  locked jsonb := '[]';
  locked_rows jsonb;
  absent record;
begin
  with named as (
    select (lock_row->>0)::int as number, hashtextextended(lock_row->>1, 0) as lock_key,
      (lock_row->>2)::boolean as exclusive
    from jsonb_array_elements(request->'locks') as lock_row
    union all
    select (job_row->>0)::int, hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true
    from jsonb_array_elements(request->'jobs') as job_row
    join countersign.job as j on j.id = job_row->>1
    where j.lane is not null
  )
  select jsonb_agg(jsonb_build_array(named.number, coalesce((
      select string_agg(held.virtualtransaction, ' ' order by held.virtualtransaction)
      from pg_locks as held
      where held.locktype = 'advisory' and held.granted and held.objsubid = 1
        and held.database = (select oid from pg_database where datname = current_database())
        and held.classid = ((named.lock_key >> 32) & 4294967295)::oid
        and held.objid = (named.lock_key & 4294967295)::oid
    ), '')))
    into locked_rows
  from named
  where not case
    when named.exclusive then pg_try_advisory_xact_lock(named.lock_key)
    else pg_try_advisory_xact_lock_shared(named.lock_key)
  end;
  locked := locked || coalesce(locked_rows, '[]');

  -- The transaction id on a row is that of its holder, or of the group of its holders.
  select jsonb_agg(jsonb_build_array(account_row->0, present.holder)) into locked_rows
  from jsonb_array_elements(request->'accounts') as account_row
  cross join lateral (
    select a.xmax::text as holder from countersign.ledger_account as a
    where a.platform_id = account_row->>1 and a.id = account_row->>2
  ) as present
  left join lateral (
    select true as taken from countersign.ledger_account as a
    where a.platform_id = account_row->>1 and a.id = account_row->>2
    for no key update skip locked
  ) as attempt on true
  where attempt.taken is null;
  locked := locked || coalesce(locked_rows, '[]');

  select jsonb_agg(jsonb_build_array(counter_row->0, present.holder)) into locked_rows
  from jsonb_array_elements(request->'counters') as counter_row
  cross join lateral (
    select c.xmax::text as holder from countersign.counter as c
    where c.platform_id = counter_row->>1 and c.key = counter_row->>2
  ) as present
  left join lateral (
    select true as taken from countersign.counter as c
    where c.platform_id = counter_row->>1 and c.key = counter_row->>2
    for no key update skip locked
  ) as attempt on true
  where attempt.taken is null;
  locked := locked || coalesce(locked_rows, '[]');

  for i in 0..jsonb_array_length(coalesce(request->'records', '[]')) - 1 loop
    case (request->'records'->i->>0)::int
      -- {{ for each kind }}
      when this_number then
        select jsonb_agg(jsonb_build_array(record_row->0, present.holder)) into locked_rows
        from jsonb_array_elements(request->'records'->i->1) as record_row
        cross join lateral (
          select r.xmax::text as holder from countersign.this_table as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
        ) as present
        left join lateral (
          select true as taken from countersign.this_table as r
          where r.platform_id = record_row->>1 and r.id = record_row->>2
          for no key update skip locked
        ) as attempt on true
        where attempt.taken is null;
      -- {{ end }}
    end case;
    locked := locked || coalesce(locked_rows, '[]');
  end loop;

  select jsonb_agg(jsonb_build_array(job_row->0, present.holder)) into locked_rows
  from jsonb_array_elements(request->'jobs') as job_row
  cross join lateral (select j.xmax::text as holder from countersign.job as j where j.id = job_row->>1) as present
  left join lateral (
    select true as taken from countersign.job as j where j.id = job_row->>1 for update skip locked
  ) as attempt on true
  where attempt.taken is null;
  locked := locked || coalesce(locked_rows, '[]');

  select jsonb_agg(jsonb_build_array(key_row->0, present.holder)) into locked_rows
  from jsonb_array_elements(request->'keys') as key_row
  cross join lateral (
    select k.xmax::text as holder from countersign.unique_key as k where k.key = key_row->>1 and k.scope = key_row->>2
  ) as present
  left join lateral (
    select true as taken from countersign.unique_key as k where k.key = key_row->>1 and k.scope = key_row->>2
    for update skip locked
  ) as attempt on true
  where attempt.taken is null;
  locked := locked || coalesce(locked_rows, '[]');

  -- Counters and unique keys that another transaction has inserted and not committed yet are invisible. Inserting the
  -- same waits for that transaction.
  for absent in
    select counter_row->0 as number, counter_row->>1 as platform, counter_row->>2 as key, null as scope
    from jsonb_array_elements(request->'counters') as counter_row
    where not exists (
      select from countersign.counter as c where c.platform_id = counter_row->>1 and c.key = counter_row->>2
    )
    union all
    select key_row->0, '', key_row->>1, key_row->>2
    from jsonb_array_elements(request->'keys') as key_row
    where not exists (select from countersign.unique_key as k where k.key = key_row->>1 and k.scope = key_row->>2)
  loop
    begin
      if absent.scope is null then
        insert into countersign.counter (owner_id, platform_id, key, value)
        values (absent.platform, absent.platform, absent.key, 0);
      else
        insert into countersign.unique_key (key, scope, kind, id, platform_id)
        values (absent.key, absent.scope, '', '', '');
      end if;
      -- Undo the insert.
      raise exception 'refused' using errcode = 'CS003';
    exception
      when sqlstate 'CS003' or unique_violation then null;
      when lock_not_available then locked := locked || jsonb_build_array(jsonb_build_array(absent.number, ''));
    end;
  end loop;

  return locked::text;
end $body$;
