-- commit_serial: commits change sets one after another in one transaction and returns the outcome of each, as JSON.
--
-- A set is applied part by part. When a part is refused (SQLSTATE CS003), everything that the set has written is rolled
-- back to its savepoint, and the refusal becomes its outcome. A change set that no decision may make raises CS001.
-- Source: architecture, "Load, ask, decide, commit"; ports/ChangeSet.ts.
--
-- `lock_wait_millis` bounds the wait for each lock (55P03); null keeps the session's lock_timeout.
-- `change_sets` is an array of objects that src/commit/EncodedChangeSet.ts builds. Empty parts are left out.
--   platform, agentCustomer (null unless the caller is an agent), operation, operationOwner
--   decidedAt, wallNow, receiptExpiresAt   Unix milliseconds
--   isLate                                 true: the decision has expired and must not be committed
--   locks           [name, exclusive]
--   inserts         [kind number, id, customer, fields, data]
--   updates         [kind number, id, version, fields, data, erases history]
--   guards          [kind number, id, version]
--   finishes        [job, attempt]
--   returns         [job, attempt, state, not before, error, payload]; or [job, attempt, resumed or dropped]
--   releases,claims [key, scope, kind, kind number, id, inserted by this set, customer]
--   ledgerAccounts  [account, currency, floor, customer]
--   balanceDeltas   [account, total, number of entries, currency]
--   entries         [account, amount, total of later entries, number of later entries, reference, transfer]
--   assertions      [account, sequence]
--   counterChanges  [key, running total, upper bound, expected value, delta]
--   counterDeltas   [key, total, customer]
--   observed        account: its balance and sequence are part of the stored sums
--   events          [id, type, customer, subject, data, shown, sums of the whole set or null]
--   attempts        [event, attempt]
--   jobs            [id, queue, kind, customer, lane, lane hold, due at, payload, opens lane]
--   replay          [key, fingerprint, status, answer, expires at, shown, sums of the whole set or null]
--
-- Markers, filled by src/functions/SqlTemplate.ts from the table of stored kinds:
--   -- {{ for each kind }} ... -- {{ end }}   repeats the lines for each kind; this_number, this_table and 'this_kind'
--                                             are its own.
--   /* {{ columns }} */                       its columns, each followed by a comma
--   /* {{ values of X }} */                   the values of these columns from the JSON array X
--   /* {{ assignments of X }} */              the assignments of these values
--   /* {{ kind names }} */                    the names of all kinds, by number
--   /* {{ event retention }} */ 1             the retention of events in milliseconds
--   /* {{ attempts kept }} */ 1               how many attempts of an event are kept
--   /* cluster: X */                          X in cells on a cluster alone: src/cluster/PhysicalSql.ts
--
-- The version and customer of a record are looked up in four places by the same lines: a function would cost more than
-- the lookup. `coalesce(row->>'', platform)` is always the platform: `row` is an array or a string and has no members.
-- Written so, the planner cannot evaluate it before the join, and looks up each row by its whole key even in a table of
-- which it has no statistics; with the plain variable it would read all rows of the platform first.

create or replace function countersign.commit_serial(change_sets jsonb, lock_wait_millis int)
returns text
language plpgsql
set search_path = pg_catalog, pg_temp set jit = off
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
set enable_memoize = off set plan_cache_mode = force_generic_plan
as $body$
-- Columns are always written with their table, so a bare name is a variable even if a kind gets such a column.
#variable_conflict use_variable
declare
  kinds constant text[] := array[/* {{ kind names }} */];
  outcomes jsonb[] := '{}';
  outcome jsonb;
  stored_sums text;
  violation jsonb;
  change_set jsonb;
  item jsonb;
  found_row record;
  head_version int;
  head_customer text;
  platform text;
  agent_customer text;
  decided_at bigint;
  wall_now bigint;
  owner_customer text;
  missing_id text;
  mistake text;
  refusal text;
  touched_queues text[];
begin
  -- A commit that waited for a lock must see what was committed meanwhile.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'commits need READ COMMITTED; the transaction is %', upper(current_setting('transaction_isolation'))
      using errcode = '0A000';
  end if;
  if lock_wait_millis is not null then
    perform set_config('lock_timeout', lock_wait_millis::text, true);
  end if;

  -- Take all advisory locks first and in one order, so that commits queue and never deadlock. A shared lock guards a
  -- record without writing its row; it also covers what does not exist yet (a key, a lane, a stored response).
  -- Operations and stored responses come first: a set that is sent again waits for its first attempt before all else.
  perform case
      when locks.exclusive then pg_advisory_xact_lock(locks.lock_key)::text
      else pg_advisory_xact_lock_shared(locks.lock_key)::text
    end
  from (
    select needed.lock_key, bool_or(needed.exclusive) as exclusive
    from (
      select hashtextextended(named.name, 0) as lock_key, named.exclusive as exclusive,
        named.name !~ '^(operation|replay) ' as comes_later
      from jsonb_array_elements(change_sets) as element, jsonb_array_elements(element->'locks') as lock_row,
        lateral (select lock_row->>0 as name, (lock_row->>1)::boolean as exclusive) as named
      union all
      select hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true, true
      from jsonb_array_elements(change_sets) as element,
        jsonb_array_elements(coalesce(element->'finishes', '[]') || coalesce(element->'returns', '[]')) as job_row,
        -- "offset 0" and a condition outside look up each job by its id, as in commit_group.
        lateral (
          select job.queue, job.platform_id, job.lane from countersign.job as job where job.id = job_row->>0 offset 0
        ) as j
      where j.lane is not null
    ) as needed
    group by needed.lock_key
    order by bool_and(needed.comes_later), needed.lock_key
  ) as locks;

  -- Several sets: lock the rows that they change in the order of a single set, so that two calls take them alike.
  if jsonb_array_length(change_sets) > 1 then
    perform 1
    from countersign.job as j
    where j.id = any (array(
      select job_row->>0
      from jsonb_array_elements(change_sets) as element,
        jsonb_array_elements(coalesce(element->'finishes', '[]') || coalesce(element->'returns', '[]')) as job_row
    ))
    order by j.id
    for update;

    -- The sorted names drive the join, whatever the planner assumes about the tables.
    perform 1
    from (
      select distinct (element->>'platform') collate "C" as platform_id, (account_row->>0) collate "C" as id
      from jsonb_array_elements(change_sets) as element,
        jsonb_array_elements(
          coalesce(element->'balanceDeltas', '[]') || coalesce(element->'assertions', '[]')
        ) as account_row
      order by 1, 2
    ) as named
    cross join lateral (
      select from countersign.ledger_account as a
      where a.platform_id = named.platform_id and a.id = named.id
      for no key update
    ) as account;

    perform 1
    from (
      select distinct (element->>'platform') collate "C" as platform_id, (counter_row->>0) collate "C" as key
      from jsonb_array_elements(change_sets) as element,
        jsonb_array_elements(element->'counterDeltas') as counter_row
      order by 1, 2
    ) as named
    cross join lateral (
      select from countersign.counter as c
      where c.platform_id = named.platform_id and c.key = named.key
      for no key update
    ) as counter;
  end if;

  for change_set in select element from jsonb_array_elements(change_sets) as element loop
    platform := change_set->>'platform';
    agent_customer := change_set->>'agentCustomer';
    decided_at := (change_set->>'decidedAt')::bigint;
    wall_now := (change_set->>'wallNow')::bigint;
    outcome := null;
    touched_queues := '{}';

    -- Was the operation, or its idempotency key, committed before? With a key, the stored response is the receipt.
    if change_set ? 'replay' then
      select case
          when stored.operation_id = change_set->>'operation' then
            jsonb_build_object('_tag', 'Committed', 'sums', stored.sums)
          else
            jsonb_build_object('_tag', 'Replayed', 'stored', jsonb_build_object(
              'fingerprint', stored.fingerprint, 'status', stored.status, 'answer', stored.answer::text,
              'shown', stored.shown, 'sums', stored.sums
            ))
        end
        into outcome
      from countersign.replay as stored
      where stored.platform_id = platform and stored.key = change_set->'replay'->>0 and wall_now < stored.expires_at;
    else
      select jsonb_build_object('_tag', 'Committed', 'sums', receipt.sums)
        into outcome
      from countersign.operation as receipt
      where receipt.owner_id = change_set->>'operationOwner' and receipt.id = change_set->>'operation';
    end if;
    if outcome is null and (change_set->>'isLate')::boolean then
      outcome := jsonb_build_object('_tag', 'Conflict', 'on', 'validUntil');
    end if;
    if outcome is not null then
      outcomes := outcomes || outcome;
      continue;
    end if;

    -- This block is the set's savepoint.
    begin
      -- Insert records. An id that is in use is a conflict.
      for item in select element from jsonb_array_elements(change_set->'inserts') as element loop
        case (item->>0)::int
          -- {{ for each kind }}
          when this_number then
            insert into countersign.this_table (
              owner_id, platform_id, customer_id, id, version, created_at, updated_at, /* {{ columns }} */ data
            )
            values (
              coalesce(item->>2, platform), platform, item->>2, item->>1, 1, decided_at, decided_at,
              /* {{ values of item->3 }} */ (item->>4)::json
            )
            on conflict do nothing;
          -- {{ end }}
        end case;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', kinds[(item->>0)::int + 1] || ' ' || (item->>1))
          )::text;
        end if;
      end loop;

      -- Update records: keep the present version as history and write the next one. Another version is a conflict.
      for item in select element from jsonb_array_elements(change_set->'updates') as element loop
        case (item->>0)::int
          -- {{ for each kind }}
          when this_number then
            with history as (
              insert into countersign.record_history (
                owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
              )
              select r.owner_id, r.platform_id, 'this_kind', r.id, r.version, r.customer_id, r.created_at, r.updated_at,
                r.data
              from countersign.this_table as r
              where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
                and (agent_customer is null or r.customer_id = agent_customer)
            )
            update countersign.this_table as r
            set version = r.version + 1, updated_at = decided_at, /* {{ assignments of item->3 }} */
              data = (item->>4)::json
            where r.platform_id = platform and r.id = item->>1 and r.version = (item->>2)::int
              and (agent_customer is null or r.customer_id = agent_customer);
          -- {{ end }}
        end case;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', kinds[(item->>0)::int + 1] || ' ' || (item->>1))
          )::text;
        end if;
        -- Erase the earlier versions, too, where the update says so.
        if (item->>5)::boolean then
          case (item->>0)::int
            -- {{ for each kind }}
            when this_number then
              select r.version, r.customer_id into head_version, head_customer
              from countersign.this_table as r where r.platform_id = platform and r.id = item->>1;
            -- {{ end }}
          end case;
          delete from countersign.record_history as history
          where history.owner_id = coalesce(head_customer, platform) and history.id = item->>1
            and history.kind = kinds[(item->>0)::int + 1];
        end if;
      end loop;

      -- Check guards: records that the decision depends on must still have the version that it read.
      for item in select element from jsonb_array_elements(change_set->'guards') as element loop
        case (item->>0)::int
          -- {{ for each kind }}
          when this_number then
            select r.version, r.customer_id into head_version, head_customer
            from countersign.this_table as r where r.platform_id = platform and r.id = item->>1;
          -- {{ end }}
        end case;
        if head_version is distinct from (item->>2)::int
          or (agent_customer is not null and head_customer is distinct from agent_customer)
        then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', kinds[(item->>0)::int + 1] || ' ' || (item->>1))
          )::text;
        end if;
      end loop;

      -- Finish jobs: the attempt is the fence. A job that held its lane opens the next ones.
      -- "not in" lets the planner look up the job by its id and not by the index of running jobs.
      for item in select element from jsonb_array_elements(change_set->'finishes') as element loop
        delete from countersign.job as j
        where j.id = item->>0 and j.platform_id = platform
          and (agent_customer is null or j.customer_id = agent_customer)
          and j.attempt = (item->>1)::int and j.state not in ('waiting', 'parked')
        returning j.queue, j.lane, j.sequence, j.holds into found_row;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || (item->>0))
          )::text;
        end if;
        touched_queues := touched_queues || found_row.queue;
        if found_row.lane is not null and found_row.holds then
          perform countersign.open_lane(found_row.queue, platform, found_row.lane, found_row.sequence);
        end if;
      end loop;

      -- Apply an operator's decisions on parked jobs: drop the job, or make it due and let its retries begin again.
      for item in
        select element from jsonb_array_elements(change_set->'returns') as element
        where element->>2 in ('resumed', 'dropped')
      loop
        if item->>2 = 'dropped' then
          delete from countersign.job as j
          where j.id = item->>0 and j.platform_id = platform
            and (agent_customer is null or j.customer_id = agent_customer)
            and j.attempt = (item->>1)::int and j.state = 'parked'
          returning j.queue, j.lane, j.sequence, j.holds into found_row;
        else
          update countersign.job as j
          set state = 'waiting', not_before = 0, error = null, first_claimed_at = wall_now
          where j.id = item->>0 and j.platform_id = platform
            and (agent_customer is null or j.customer_id = agent_customer)
            and j.attempt = (item->>1)::int and j.state = 'parked'
          returning j.queue, null as lane, j.sequence, false as holds into found_row;
        end if;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || (item->>0))
          )::text;
        end if;
        touched_queues := touched_queues || found_row.queue;
        if found_row.lane is not null and found_row.holds then
          perform countersign.open_lane(found_row.queue, platform, found_row.lane, found_row.sequence);
        end if;
      end loop;

      -- Return jobs to be tried again or parked. A job blocks its lane no longer than its lane hold.
      for item in
        select element from jsonb_array_elements(change_set->'returns') as element
        where element->>2 not in ('resumed', 'dropped')
      loop
        update countersign.job as j
        set state = item->>2, not_before = (item->>3)::bigint, error = item->>4,
          payload = coalesce((item->>5)::json, j.payload),
          holds = j.lane is not null and (
            j.lane_hold_millis is null
            or (item->>2 <> 'parked' and j.first_claimed_at + j.lane_hold_millis > wall_now)
          ),
          holds_until = case
            when j.lane is not null and item->>2 <> 'parked' and j.first_claimed_at + j.lane_hold_millis > wall_now
              then j.first_claimed_at + j.lane_hold_millis
          end
        where j.id = item->>0 and j.platform_id = platform
          and (agent_customer is null or j.customer_id = agent_customer)
          and j.attempt = (item->>1)::int and j.state not in ('waiting', 'parked')
        returning j.queue, j.lane, j.sequence, j.holds into found_row;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || (item->>0))
          )::text;
        end if;
        touched_queues := touched_queues || found_row.queue;
        if found_row.lane is not null and not found_row.holds then
          perform countersign.open_lane(found_row.queue, platform, found_row.lane, found_row.sequence);
        end if;
      end loop;

      -- Release unique keys. A record that this set inserts brings its customer with it.
      for item in select element from jsonb_array_elements(change_set->'releases') as element loop
        if (item->>5)::boolean then
          owner_customer := item->>6;
        else
          case (item->>3)::int
            -- {{ for each kind }}
            when this_number then
              select r.version, r.customer_id into head_version, head_customer
              from countersign.this_table as r where r.platform_id = platform and r.id = item->>4;
            -- {{ end }}
          end case;
          if head_version is null or (agent_customer is not null and head_customer is distinct from agent_customer) then
            raise exception 'refused' using errcode = 'CS003', detail = (
              jsonb_build_object('_tag', 'Conflict', 'on', (item->>2) || ' ' || (item->>4))
            )::text;
          end if;
          owner_customer := head_customer;
        end if;
        delete from countersign.unique_key as k
        where k.key = item->>0 and k.scope = item->>1 and k.kind = item->>2 and k.id = item->>4;
        if not found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', (item->>2) || ' ' || (item->>4))
          )::text;
        end if;
      end loop;

      -- Claim unique keys. A key that another record holds is refused as taken.
      for item in select element from jsonb_array_elements(change_set->'claims') as element loop
        if (item->>5)::boolean then
          owner_customer := item->>6;
        else
          case (item->>3)::int
            -- {{ for each kind }}
            when this_number then
              select r.version, r.customer_id into head_version, head_customer
              from countersign.this_table as r where r.platform_id = platform and r.id = item->>4;
            -- {{ end }}
          end case;
          if head_version is null or (agent_customer is not null and head_customer is distinct from agent_customer) then
            raise exception 'refused' using errcode = 'CS003', detail = (
              jsonb_build_object('_tag', 'Conflict', 'on', (item->>2) || ' ' || (item->>4))
            )::text;
          end if;
          owner_customer := head_customer;
        end if;
        loop
          insert into countersign.unique_key (key, scope, kind, id, platform_id, customer_id)
          values (item->>0, item->>1, item->>2, item->>4, platform, owner_customer)
          on conflict do nothing;
          exit when found;
          -- Lock a key that the record holds already: another transaction may be releasing it.
          perform 1
          from countersign.unique_key as k
          where k.key = item->>0 and k.scope = item->>1 and k.kind = item->>2 and k.id = item->>4
          for key share;
          exit when found;
          if exists (select from countersign.unique_key as k where k.key = item->>0 and k.scope = item->>1) then
            raise exception 'refused' using errcode = 'CS003', detail = (
              jsonb_build_object('_tag', 'Taken', 'claim', jsonb_build_object(
                'scope', case item->>1 when '' then 'global' else 'platform' end, 'key', item->>0
              ))
            )::text;
          end if;
        end loop;
      end loop;

      -- Open ledger accounts. Opening one again with the same properties changes nothing.
      if change_set ? 'ledgerAccounts' then
        insert into countersign.ledger_account (owner_id, platform_id, id, currency, floor, customer_id)
        select coalesce(element->>3, platform), platform, element->>0, element->>1, (element->>2)::bigint, element->>3
        from jsonb_array_elements(change_set->'ledgerAccounts') as element
        order by (element->>0) collate "C"
        on conflict do nothing;
        for found_row in
          select element->>0 as id
          from jsonb_array_elements(change_set->'ledgerAccounts') as element
          where not exists (
            select from countersign.ledger_account as a
            where a.id = element->>0 and a.platform_id = platform and a.customer_id is not distinct from element->>3
              and a.currency = element->>1 and a.floor is not distinct from (element->>2)::bigint
          )
        loop
          raise exception '%', 'change set: ' || 'ledger account ' || found_row.id || ' is open with other properties'
            using errcode = 'CS001';
        end loop;
      end if;

      -- Post to the ledger: lock the accounts, check bounds and assertions, then move balances and add entries.
      if change_set ? 'balanceDeltas' or change_set ? 'assertions' then
        violation := null;
        perform 1
        from countersign.ledger_account as a
        where a.platform_id = platform and a.id = any (array(
          select element->>0
          from jsonb_array_elements(
            coalesce(change_set->'balanceDeltas', '[]') || coalesce(change_set->'assertions', '[]')
          ) as element
        ))
        order by a.id
        for no key update;

        for found_row in
          select delta.item->>0 as id, (delta.item->>1)::numeric as total, delta.item->>3 as currency, a.id as found,
            a.customer_id, a.currency as own_currency, a.floor, a.balance
          from jsonb_array_elements(change_set->'balanceDeltas') with ordinality as delta (item, position)
          left join countersign.ledger_account as a
            on a.platform_id = coalesce(delta.item->>'', platform) and a.id = delta.item->>0
          order by delta.position
        loop
          if found_row.found is null then
            raise exception '%', 'change set: ' || 'ledger account ' || found_row.id || ' is not open'
              using errcode = 'CS001';
          end if;
          if agent_customer is not null and found_row.customer_id is distinct from agent_customer then
            raise exception '%', 'change set: ' || 'ledger account ' || found_row.id || ' belongs to another tenant'
              using errcode = 'CS001';
          end if;
          if found_row.own_currency is distinct from found_row.currency then
            raise exception '%', 'change set: ' || 'another currency moved on ledger account ' || found_row.id
              using errcode = 'CS001';
          end if;
          -- The first violated bound is the outcome.
          if violation is null and found_row.total < 0 and found_row.balance + found_row.total < found_row.floor then
            violation := jsonb_build_object(
              '_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Floor', 'account', found_row.id)
            );
          elsif violation is null and abs(found_row.balance + found_row.total) > 9007199254740991 then
            violation := jsonb_build_object(
              '_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Range', 'account', found_row.id)
            );
          end if;
        end loop;

        for found_row in
          select assertion.item->>0 as id
          from jsonb_array_elements(change_set->'assertions') with ordinality as assertion (item, position)
          left join countersign.ledger_account as a
            on a.platform_id = coalesce(assertion.item->>'', platform) and a.id = assertion.item->>0
            and (agent_customer is null or a.customer_id = agent_customer)
          where coalesce(a.sequence, 0) <> (assertion.item->>1)::bigint
          order by assertion.position
          limit 1
        loop
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'ledger account ' || found_row.id)
          )::text;
        end loop;
        if violation is not null then
          raise exception 'refused' using errcode = 'CS003', detail = (violation)::text;
        end if;

        update countersign.ledger_account as a
        set balance = a.balance + delta.total, sequence = a.sequence + delta.entry_count
        from (
          select coalesce(element->>'', platform) as platform_id, element->>0 as id, (element->>1)::bigint as total,
            (element->>2)::int as entry_count
          from jsonb_array_elements(change_set->'balanceDeltas') as element
        ) as delta
        where a.platform_id = delta.platform_id and a.id = delta.id;

        -- Balance and sequence after each entry are those of the account now, less what the later entries add.
        insert into countersign.ledger_entry (
          owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at
        )
        select a.owner_id, platform, a.id, a.sequence - (element->>3)::int, (element->>1)::bigint,
          a.balance - (element->>2)::numeric, element->>4, change_set->>'operation', (element->>5)::int, decided_at
        from jsonb_array_elements(change_set->'entries') as element
        join countersign.ledger_account as a on a.platform_id = coalesce(element->>'', platform) and a.id = element->>0;
      end if;

      -- Counters: create missing ones with 0, lock all, judge each change in its order, then add the totals.
      if change_set ? 'counterDeltas' then
        insert into countersign.counter (owner_id, platform_id, key, value)
        select coalesce(element->>2, platform), platform, element->>0, 0
        from jsonb_array_elements(change_set->'counterDeltas') as element
        where not exists (
          select from countersign.counter as c
          where c.platform_id = coalesce(element->>'', platform) and c.key = element->>0
        )
        order by (element->>0) collate "C"
        on conflict do nothing;
        perform 1
        from countersign.counter as c
        where c.platform_id = platform and c.key = any (array(
          select element->>0 from jsonb_array_elements(change_set->'counterDeltas') as element
        ))
        order by c.key
        for no key update;

        violation := null;
        mistake := null;
        for found_row in
          select change.item->>0 as key, (change.item->>1)::numeric as running_total,
            (change.item->>2)::numeric as upper_bound, (change.item->>3)::numeric as expected, c.value
          from jsonb_array_elements(change_set->'counterChanges') with ordinality as change (item, position)
          join countersign.counter as c
            on c.platform_id = coalesce(change.item->>'', platform) and c.key = change.item->>0
          order by change.position
        loop
          if found_row.expected <> found_row.value then
            raise exception 'refused' using errcode = 'CS003', detail = (
              jsonb_build_object('_tag', 'Conflict', 'on', 'counter ' || found_row.key)
            )::text;
          end if;
          continue when violation is not null or mistake is not null;
          if found_row.value + found_row.running_total > found_row.upper_bound then
            violation := jsonb_build_object(
              '_tag', 'BoundViolated', 'bound', jsonb_build_object('_tag', 'Counter', 'key', found_row.key)
            );
          elsif found_row.value + found_row.running_total < 0 then
            mistake := 'counter ' || found_row.key || ' gives back more than was taken';
          end if;
        end loop;
        if violation is not null then
          raise exception 'refused' using errcode = 'CS003', detail = (violation)::text;
        end if;
        if mistake is not null then
          raise exception '%', 'change set: ' || mistake using errcode = 'CS001';
        end if;
        update countersign.counter as c
        set value = c.value + delta.total
        from (
          select coalesce(element->>'', platform) as platform_id, element->>0 as key, (element->>1)::bigint as total
          from jsonb_array_elements(change_set->'counterDeltas') as element
        ) as delta
        where c.platform_id = delta.platform_id and c.key = delta.key and delta.total <> 0;
      end if;

      -- The sums that only the commit knows: balance and sequence of each observed account, then each counter's value.
      select concat_ws(',',
          (
            select string_agg(concat(coalesce(a.balance, 0), ',', coalesce(a.sequence, 0)), ',' order by position)
            from jsonb_array_elements(change_set->'observed') with ordinality as observed (account, position)
            left join countersign.ledger_account as a
              on a.platform_id = coalesce(observed.account->>'', platform) and a.id = observed.account#>>'{}'
              and (agent_customer is null or a.customer_id = agent_customer)
          ),
          (
            select string_agg(c.value::text, ',' order by position)
            from jsonb_array_elements(change_set->'counterDeltas') with ordinality as delta (item, position)
            join countersign.counter as c
              on c.platform_id = coalesce(delta.item->>'', platform) and c.key = delta.item->>0
          )
        )
        into stored_sums;

      -- Add jobs. The first job of a lane is open unless an earlier one still holds the lane.
      if change_set ? 'jobs' then
        with inserted as (
          insert into countersign.job (
            /* cluster: sequence, */ owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis,
            due_at, payload, open, holds
          )
          select /* cluster: countersign.next_sequence(), */
            coalesce(element->>3, platform), platform, element->>0, element->>1, element->>2, element->>3,
            element->>4, (element->>5)::bigint, (element->>6)::bigint, (element->>7)::json,
            element->>4 is null or (
              row_number() over (partition by element->>1, element->>4 order by position) = 1
              and ((element->>8)::boolean or (
                select true from countersign.job as j
                where j.platform_id = platform and j.queue = element->>1 and j.lane = element->>4 and j.holds
                limit 1
              ) is null)
            ),
            element->>4 is not null
          from jsonb_array_elements(change_set->'jobs') with ordinality as new_job (element, position)
          order by position
          on conflict do nothing
          returning id
        )
        select element->>0 into missing_id
        from jsonb_array_elements(change_set->'jobs') with ordinality as new_job (element, position)
        where element->>0 not in (select inserted.id from inserted)
        order by position
        limit 1;
        if found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'job ' || missing_id)
          )::text;
        end if;
        touched_queues := touched_queues || array(
          select distinct element->>1 from jsonb_array_elements(change_set->'jobs') as element
        );
      end if;

      -- Add events.
      if change_set ? 'events' then
        with inserted as (
          insert into countersign.event (
            owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums
          )
          select coalesce(element->>2, platform), platform, element->>0, element->>1, element->>2, element->>3,
            (element->>4)::json, decided_at, decided_at + /* {{ event retention }} */ 2592000000,
            (element->>5)::json, case when element->>5 is not null then coalesce(element->>6, stored_sums) end
          from jsonb_array_elements(change_set->'events') as element
          on conflict do nothing
          returning id
        )
        select element->>0 into missing_id
        from jsonb_array_elements(change_set->'events') with ordinality as new_event (element, position)
        where element->>0 not in (select inserted.id from inserted)
        order by position
        limit 1;
        if found then
          raise exception 'refused' using errcode = 'CS003', detail = (
            jsonb_build_object('_tag', 'Conflict', 'on', 'event ' || missing_id)
          )::text;
        end if;
      end if;

      -- Add attempts of deliveries, and delete those of the same events that are too many.
      -- The set has locked the events.
      if change_set ? 'attempts' then
        with inserted as (
          insert into countersign.event_attempt (owner_id, platform_id, event_id, number, data)
          select emitted.owner_id, emitted.platform_id, emitted.id,
            coalesce((
              select max(earlier.number) from countersign.event_attempt as earlier
              where earlier.owner_id = emitted.owner_id and earlier.event_id = emitted.id
            ), 0) + 1,
            (element->>1)::json
          from jsonb_array_elements(change_set->'attempts') as element
          join countersign.event as emitted on emitted.id = element->>0 and emitted.platform_id = platform
            and (agent_customer is null or emitted.customer_id = agent_customer)
          returning owner_id, event_id, number
        )
        delete from countersign.event_attempt as outdated using inserted
        where outdated.owner_id = inserted.owner_id and outdated.event_id = inserted.event_id
          and outdated.number <= inserted.number - /* {{ attempts kept }} */ 20;
      end if;

      -- The receipt: the stored response under the idempotency key, or else the operation itself.
      if change_set ? 'replay' then
        insert into countersign.replay as stored (
          platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at
        )
        values (
          platform, change_set->'replay'->>0, change_set->'replay'->>1, (change_set->'replay'->>2)::int,
          (change_set->'replay'->>3)::json, change_set->>'operation', (change_set->'replay'->>5)::json,
          case
            when change_set->'replay'->>5 is not null then coalesce(change_set->'replay'->>6, stored_sums)
          end,
          (change_set->'replay'->>4)::bigint
        )
        on conflict (platform_id, key) do update set
          fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
          operation_id = excluded.operation_id, shown = excluded.shown, sums = excluded.sums,
          expires_at = excluded.expires_at;
      else
        insert into countersign.operation (owner_id, platform_id, id, sums, expires_at)
        values (
          change_set->>'operationOwner', platform, change_set->>'operation', stored_sums,
          (change_set->>'receiptExpiresAt')::bigint
        );
      end if;

      outcomes := outcomes || jsonb_build_object(
        '_tag', 'Committed', 'sums', stored_sums, 'queues', to_jsonb(touched_queues)
      );
    exception when sqlstate 'CS003' then
      get stacked diagnostics refusal = pg_exception_detail;
      outcomes := outcomes || refusal::jsonb;
    end;
  end loop;
  return array_to_json(outcomes)::text;
end $body$;
