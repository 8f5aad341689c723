-- read_points: answers many reads by key in one trip. One statement per kind of record, and one each for balances,
-- counters, stored responses and events, serves all callers. The function is stable: all rows are of one moment.
--
-- Source: architecture, "The Store port" (read: many in one trip). src/read/KeyLookups.ts builds the request and
-- distributes the answer.
-- Request: {"records": [[kind number, rows], ...], "holders", "keys", "owners", "balances", "counters", "replays",
-- "events"}.
-- Each row is [read number, platform, customer of the agent or null, key, ...]; a row of another tenant is not found.
--   owners   the key is that of an account, internal or external, whose customer is read
--   holders  [read number, global unique key]
--   keys     [read number, global unique key], for the name of the record that holds it
--   counters [read number, platform, key]
--   replays  [read number, platform, key, wall time]
--
-- Markers, filled by src/functions/SqlTemplate.ts from the table of stored kinds:
--   -- {{ for each kind }} ... -- {{ end }}   repeats the lines for each kind; this_number and this_table are its own.
--   /* {{ kind names }} */                    becomes the names of all kinds, by number.

create or replace function countersign.read_points(request jsonb)
returns text
stable
language plpgsql
set search_path = pg_catalog, pg_temp set jit = off
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
set enable_memoize = off set plan_cache_mode = force_generic_plan
as $body$
declare
  kinds constant text[] := array[/* {{ kind names }} */];
  requested_records jsonb := coalesce(request->'records', '[]');
  kind_number int;
  kind_rows jsonb;
  found_rows text;
  records text;
  owners text;
  balances text;
  counters text;
  replays text;
  events text;
  keys text;
begin
  -- A read by a global unique key becomes a read of the record that holds it.
  if request ? 'holders' then
    select requested_records || coalesce(jsonb_agg(jsonb_build_array(holder.kind_index, holder.lookups)), '[]')
      into requested_records
    from (
      select array_position(kinds, unique_key.kind) - 1 as kind_index,
        jsonb_agg(jsonb_build_array(lookup->0, unique_key.platform_id, null, unique_key.id)) as lookups
      from jsonb_array_elements(request->'holders') as lookup
      join countersign.unique_key as unique_key on unique_key.key = lookup->>1 and unique_key.scope = ''
      group by 1
    ) as holder;
  end if;

  -- Records, kind by kind.
  for i in 0..jsonb_array_length(requested_records) - 1 loop
    kind_number := (requested_records->i->>0)::int;
    kind_rows := requested_records->i->1;
    case kind_number
      -- {{ for each kind }}
      when this_number then
        select json_agg(json_build_array(
            lookup->0, stored.id, stored.platform_id, stored.customer_id, stored.version,
            stored.created_at, stored.updated_at, stored.data
          ))::text
          into found_rows
        from jsonb_array_elements(kind_rows) as lookup
        join countersign.this_table as stored on stored.id = lookup->>3
          and stored.platform_id = lookup->>1 and (lookup->>2 is null or stored.customer_id = lookup->>2);
      -- {{ end }}
    end case;
    if found_rows is not null then
      records := concat_ws(',', records, concat('[', kind_number, ',', found_rows, ']'));
    end if;
  end loop;

  if request ? 'owners' then
    select json_agg(json_build_array(
        lookup->0, owner.id, owner.platform_id, owner.customer_id, owner.version,
        owner.created_at, owner.updated_at, owner.data, lookup->3
      ))::text
      into owners
    from jsonb_array_elements(request->'owners') as lookup
    cross join lateral (
      select own.customer_id from countersign.internal_account as own
      where own.id = lookup->>3 and own.platform_id = lookup->>1
      union all
      select named.customer_id from countersign.external_account as named
      where named.id = lookup->>3 and named.platform_id = lookup->>1
    ) as account
    join countersign.customer as owner on owner.id = account.customer_id
      and owner.platform_id = lookup->>1 and (lookup->>2 is null or owner.customer_id = lookup->>2);
  end if;

  if request ? 'keys' then
    select json_agg(json_build_array(lookup->0, unique_key.kind, unique_key.id, unique_key.platform_id))::text
      into keys
    from jsonb_array_elements(request->'keys') as lookup
    join countersign.unique_key as unique_key on unique_key.key = lookup->>1 and unique_key.scope = '';
  end if;

  if request ? 'balances' then
    select json_agg(json_build_array(lookup->0, account.id, account.balance, account.sequence))::text
      into balances
    from jsonb_array_elements(request->'balances') as lookup
    join countersign.ledger_account as account on account.id = lookup->>3
      and account.platform_id = lookup->>1 and (lookup->>2 is null or account.customer_id = lookup->>2);
  end if;

  if request ? 'counters' then
    select json_agg(json_build_array(lookup->0, counter.key, counter.value))::text
      into counters
    from jsonb_array_elements(request->'counters') as lookup
    join countersign.counter as counter on counter.platform_id = lookup->>1 and counter.key = lookup->>2;
  end if;

  if request ? 'replays' then
    select json_agg(json_build_array(
        lookup->0, stored.fingerprint, stored.status, stored.answer, stored.shown, stored.sums
      ))::text
      into replays
    from jsonb_array_elements(request->'replays') as lookup
    join countersign.replay as stored on stored.platform_id = lookup->>1 and stored.key = lookup->>2
      and (lookup->>3)::bigint < stored.expires_at;
  end if;

  if request ? 'events' then
    select json_agg(json_build_array(
        lookup->0, emitted.id, emitted.platform_id, emitted.customer_id, emitted.type, emitted.subject, emitted.data,
        emitted.created_at, emitted.shown, emitted.sums
      ))::text
      into events
    from jsonb_array_elements(request->'events') as lookup
    join countersign.event as emitted on emitted.id = lookup->>3
      and emitted.platform_id = lookup->>1 and (lookup->>2 is null or emitted.customer_id = lookup->>2);
  end if;

  return concat(
    '{"ahead":', coalesce((select clock.ahead_millis from countersign.business_time as clock), 0),
    ',"records":[', records,
    '],"owners":', coalesce(owners, '[]'),
    ',"keys":', coalesce(keys, '[]'),
    ',"balances":', coalesce(balances, '[]'),
    ',"counters":', coalesce(counters, '[]'),
    ',"replays":', coalesce(replays, '[]'),
    ',"events":', coalesce(events, '[]'), '}'
  );
end $body$;
