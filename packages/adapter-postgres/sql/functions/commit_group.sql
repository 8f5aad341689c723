-- commit_group: commits many change sets with one statement for each part of all of them.
--
-- The batch is attempted optimistically, because nearly all change sets succeed. When a statement finds a problem, it
-- raises CS002 and everything is undone; the detail names the accounts or counters at fault, when it knows them. With
-- `diagnose_conflicts` the function first looks for sets that cannot succeed. It then changes nothing and returns
-- {"failedSets": [...]}: those go to commit_serial, which decides their outcomes, and the others are sent again. Any
-- other error (an id that is used twice, a lost race) fails the whole batch, whose sets are then sent one by one.
-- Source: architecture, "The Store port" (PostgreSQL: the set-based path).
--
-- `lock_wait_millis` bounds the wait for each lock (55P03); null keeps the session's lock_timeout.
-- The other arguments: one array per column of each part, in the order of src/schema/BatchColumns.ts, where each is
-- described.
-- `x__set_number` is the number of the row's change set, from 1, as the index of the `set__` arrays.
-- Returns what each moved account and counter has after the batch; the process derives each set's own sums from it.
--
-- Every statement looks up rows by their keys. The costs of rows are set high, so that the planner never reads a whole
-- table instead that was small when the plan was made and has grown since (D-436).
--
-- Markers, filled by src/functions/SqlTemplate.ts from the table of stored kinds:
--   -- {{ for each kind }} ... -- {{ end }}         repeats the lines for each kind; this_number, this_table and
--                                                   'this_kind' are its own.
--   -- {{ if it has fields }} ... -- {{ end if }}   keeps the lines for a kind that has columns of its own.
--   /* {{ columns }} */                             its columns, each followed by a comma
--   /* {{ values of X }} */                         the values of these columns from the JSON array X
--   /* {{ assignments of X }} */                    the assignments of these values
--   /* {{ event retention }} */ 1                   the retention of events in milliseconds
--   /* {{ attempts kept }} */ 1                     how many attempts of an event are kept
--   /* cluster: X */                                X in cells on a cluster alone: src/cluster/PhysicalSql.ts

create or replace function countersign.commit_group(
  diagnose_conflicts boolean, observing boolean, lock_wait_millis int,
  set__platform text[], set__agent_customer text[], set__operation text[], set__owner text[], set__decided_at bigint[],
  set__receipt_expires_at bigint[],
  lock__name text[], lock__exclusive boolean[],
  guard__set_number int[], guard__id text[], guard__version int[],
  updated__set_number int[], updated__id text[], updated__version int[], updated__fields text[], updated__data text[],
  inserted__set_number int[], inserted__id text[], inserted__customer text[], inserted__fields text[],
  inserted__data text[],
  guard_range__kind int[], guard_range__last int[],
  updated_range__kind int[], updated_range__last int[],
  inserted_range__kind int[], inserted_range__last int[],
  finished__set_number int[], finished__id text[], finished__attempt int[],
  claim__set_number int[], claim__key text[], claim__scope text[], claim__kind text[], claim__id text[],
  claim__customer text[],
  account__platform text[], account__id text[], account__total bigint[], account__decrease bigint[],
  account__increase bigint[], account__entry_count int[], account__currency text[], account__customer text[],
  observed__platform text[], observed__id text[],
  entry__set_number int[], entry__account int[], entry__amount bigint[], entry__later_total bigint[],
  entry__later_count int[], entry__reference text[], entry__transfer int[],
  counter__platform text[], counter__key text[], counter__customer text[], counter__total bigint[],
  counter__decrease bigint[], counter__increase bigint[], counter__upper_bound bigint[],
  stored_sum__set_number int[], stored_sum__number int[], stored_sum__later_total bigint[],
  stored_sum__later_count int[],
  job__set_number int[], job__id text[], job__queue text[], job__kind text[], job__customer text[], job__lane text[],
  job__lane_hold_millis bigint[], job__due_at bigint[], job__payload text[], job__opens_lane boolean[],
  job__is_first boolean[],
  event__set_number int[], event__id text[], event__type text[], event__customer text[], event__subject text[],
  event__data text[], event__shown text[],
  attempt__set_number int[], attempt__event text[], attempt__data text[],
  replay__set_number int[], replay__key text[], replay__fingerprint text[], replay__status int[], replay__answer text[],
  replay__expires_at bigint[], replay__shown text[],
  receipt__set_number int[]
)
returns text
language plpgsql
set search_path = pg_catalog, pg_temp set jit = off
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
set enable_memoize = off set plan_cache_mode = force_generic_plan
set cpu_tuple_cost = 10 set cpu_index_tuple_cost = 10
as $body$
declare
  kind_number int;
  first_row int;
  last_row int;
  set_sums record;
  failed_sets int[] := '{}';
  conflicting_sets int[];
  affected_rows int;
  numbers int[];
  counter_keys text[];
  stored_sums text[];
  touched_queues text[];
  account_owners text[];
  account_customers text[];
  balances bigint[];
  sequences bigint[];
  counter_values bigint[];
begin
  -- A commit that waited for a lock must see what was committed meanwhile.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'commits need READ COMMITTED; the transaction is %', upper(current_setting('transaction_isolation'))
      using errcode = '0A000';
  end if;
  if lock_wait_millis is not null then
    perform set_config('lock_timeout', lock_wait_millis::text, true);
  end if;

  -- Take all advisory locks first and in one order, as commit_serial does: its comment gives the reasons.
  perform case
      when locks.exclusive then pg_advisory_xact_lock(locks.lock_key)::text
      else pg_advisory_xact_lock_shared(locks.lock_key)::text
    end
  from (
    select needed.lock_key, bool_or(needed.exclusive) as exclusive
    from (
      select hashtextextended(named.name, 0) as lock_key, named.exclusive as exclusive,
        named.name !~ '^(operation|replay) ' as comes_later
      from unnest(lock__name, lock__exclusive) as named (name, exclusive)
      union all
      select hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0), true, true
      from unnest(finished__set_number, finished__id, finished__attempt) as ended (set_number, id, attempt)
      -- "offset 0" and a condition outside look up each job by its id. Otherwise a plan made while few jobs had a lane
      -- reads all that have one, even for a batch that ends none.
      cross join lateral (
        select job.queue, job.platform_id, job.lane from countersign.job as job where job.id = ended.id offset 0
      ) as j
      where j.lane is not null
    ) as needed
    group by needed.lock_key
    order by bool_and(needed.comes_later), needed.lock_key
  ) as locks;

  -- Check guards: records that a decision depends on must still have the version that it read.
  first_row := 1;
  for i in 1..cardinality(guard_range__kind) loop
    kind_number := (guard_range__kind)[i];
    last_row := (guard_range__last)[i];
    case kind_number
      -- {{ for each kind }}
      when this_number then
        select array_agg(guard.set_number) into conflicting_sets
        from unnest(
            guard__set_number[first_row:last_row], guard__id[first_row:last_row], guard__version[first_row:last_row]
          ) as guard (set_number, id, version)
        left join countersign.this_table as r on r.platform_id = set__platform[guard.set_number] and r.id = guard.id
        where r.version is distinct from guard.version
          or (
            set__agent_customer[guard.set_number] is not null
            and r.customer_id is distinct from set__agent_customer[guard.set_number]
          );
      -- {{ end }}
    end case;
    failed_sets := failed_sets || conflicting_sets;
    first_row := last_row + 1;
  end loop;

  if diagnose_conflicts then
    -- Operations that were committed before.
    if cardinality(receipt__set_number) > 0 then
      select array_agg(new_receipt.set_number) into conflicting_sets
      from unnest(receipt__set_number) as new_receipt (set_number)
      join countersign.operation as stored on stored.owner_id = set__owner[new_receipt.set_number]
        and stored.id = set__operation[new_receipt.set_number];
      failed_sets := failed_sets || conflicting_sets;
    end if;
    -- Idempotency keys that have a response, even an expired one: commit_serial puts the new response in its place.
    if cardinality(replay__set_number) > 0 then
      select array_agg(new_replay.set_number) into conflicting_sets
      from unnest(
          replay__set_number, replay__key, replay__fingerprint, replay__status, replay__answer, replay__expires_at,
          replay__shown
        ) as new_replay (set_number, key, fingerprint, status, answer, expires_at, shown)
      join countersign.replay as stored on stored.platform_id = set__platform[new_replay.set_number]
        and stored.key = new_replay.key;
      failed_sets := failed_sets || conflicting_sets;
    end if;
    -- Records that have another version than the update expects.
    first_row := 1;
    for i in 1..cardinality(updated_range__kind) loop
      kind_number := (updated_range__kind)[i];
      last_row := (updated_range__last)[i];
      case kind_number
        -- {{ for each kind }}
        when this_number then
          select array_agg(change.set_number) into conflicting_sets
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          left join countersign.this_table as r on r.platform_id = set__platform[change.set_number] and r.id = change.id
          where r.version is distinct from change.version
            or (
              set__agent_customer[change.set_number] is not null
              and r.customer_id is distinct from set__agent_customer[change.set_number]
            );
        -- {{ end }}
      end case;
      failed_sets := failed_sets || conflicting_sets;
      first_row := last_row + 1;
    end loop;
    -- Jobs that the set cannot finish: the attempt is the fence.
    -- "not in" lets the planner look up the job by its id and not by the index of running jobs.
    if cardinality(finished__set_number) > 0 then
      select array_agg(ended.set_number) into conflicting_sets
      from unnest(finished__set_number, finished__id, finished__attempt) as ended (set_number, id, attempt)
      left join countersign.job as j
        on j.id = ended.id and j.attempt = ended.attempt and j.state not in ('waiting', 'parked')
        and j.platform_id = set__platform[ended.set_number]
        and (
          set__agent_customer[ended.set_number] is null
          or j.customer_id = set__agent_customer[ended.set_number]
        )
      where j.id is null;
      failed_sets := failed_sets || conflicting_sets;
    end if;
    -- Unique keys that a record holds, or that several sets claim.
    if cardinality(claim__set_number) > 0 then
      select array_agg(claimed.set_number) into conflicting_sets
      from (
        select claim.set_number, held.key as held_key,
          count(*) over (partition by claim.key, claim.scope) as claim_count
        from unnest(claim__set_number, claim__key, claim__scope, claim__kind, claim__id, claim__customer)
          as claim (set_number, key, scope, kind, id, customer)
        left join countersign.unique_key as held on held.key = claim.key and held.scope = claim.scope
      ) as claimed
      where claimed.held_key is not null or claimed.claim_count > 1;
      failed_sets := failed_sets || conflicting_sets;
    end if;
  end if;

  if cardinality(failed_sets) > 0 then
    return json_build_object('failedSets', failed_sets)::text;
  end if;

  -- Insert records.
  first_row := 1;
  for i in 1..cardinality(inserted_range__kind) loop
    kind_number := (inserted_range__kind)[i];
    last_row := (inserted_range__last)[i];
    case kind_number
      -- {{ for each kind }}
      when this_number then
        insert into countersign.this_table (
          owner_id, platform_id, customer_id, id, version, created_at, updated_at, /* {{ columns }} */ data
        )
        select coalesce(new_record.customer, set__platform[new_record.set_number]),
          set__platform[new_record.set_number], new_record.customer, new_record.id, 1,
          set__decided_at[new_record.set_number], set__decided_at[new_record.set_number],
          /* {{ values of parsed.field_values }} */ new_record.data::json
        from unnest(
            inserted__set_number[first_row:last_row], inserted__id[first_row:last_row],
            inserted__customer[first_row:last_row], inserted__fields[first_row:last_row],
            inserted__data[first_row:last_row]
          ) as new_record (set_number, id, customer, fields, data)
        -- {{ if it has fields }}
        -- "offset 0" parses the fields once per row.
        cross join lateral (select new_record.fields::jsonb as field_values offset 0) as parsed
        -- {{ end if }}
        ;
      -- {{ end }}
    end case;
    first_row := last_row + 1;
  end loop;

  -- Update records and keep the replaced versions as history. Each record is found once and written where it was found.
  -- Its lock is held; a writer that changes the row all the same (a migration that fills a column) makes it miss here.
  first_row := 1;
  for i in 1..cardinality(updated_range__kind) loop
    kind_number := (updated_range__kind)[i];
    last_row := (updated_range__last)[i];
    case kind_number
      -- {{ for each kind }}
      when this_number then
        with replaced as (
          update countersign.this_table as r
          set version = r.version + 1, updated_at = set__decided_at[change.set_number],
            /* {{ assignments of parsed.field_values }} */ data = change.data::json
          from unnest(
              updated__set_number[first_row:last_row], updated__id[first_row:last_row],
              updated__version[first_row:last_row], updated__fields[first_row:last_row],
              updated__data[first_row:last_row]
            ) as change (set_number, id, version, fields, data)
          join countersign.this_table as before
            on before.platform_id = set__platform[change.set_number] and before.id = change.id
            and before.version = change.version
            and (
              set__agent_customer[change.set_number] is null
              or before.customer_id = set__agent_customer[change.set_number]
            )
          -- {{ if it has fields }}
          cross join lateral (select change.fields::jsonb as field_values offset 0) as parsed
          -- {{ end if }}
          where r.ctid = before.ctid and r.tableoid = before.tableoid
          returning before.owner_id, before.platform_id, before.id, before.version, before.customer_id,
            before.created_at, before.updated_at, before.data
        )
        insert into countersign.record_history (
          owner_id, platform_id, kind, id, version, customer_id, created_at, updated_at, data
        )
        select replaced.owner_id, replaced.platform_id, 'this_kind', replaced.id, replaced.version,
          replaced.customer_id, replaced.created_at, replaced.updated_at, replaced.data
        from replaced;
      -- {{ end }}
    end case;
    get diagnostics affected_rows = row_count;
    if affected_rows <> last_row - first_row + 1 then
      raise exception 'the sets of a batch cannot be committed together'
        using errcode = 'CS002', detail = (json_build_object())::text;
    end if;
    first_row := last_row + 1;
  end loop;

  -- Finish jobs. One that held its lane opens the next jobs, up to and including the first that blocks the rest. Jobs
  -- that this batch finishes are still visible here, and neither block nor open.
  if cardinality(finished__set_number) > 0 then
    with deleted as (
      delete from countersign.job as j
      using (
        select *
        from unnest(finished__set_number, finished__id, finished__attempt) as ended (set_number, id, attempt)
        order by ended.id collate "C"
      ) as ended
      where j.id = ended.id and j.attempt = ended.attempt and j.state not in ('waiting', 'parked')
        and j.platform_id = set__platform[ended.set_number]
        and (
          set__agent_customer[ended.set_number] is null
          or j.customer_id = set__agent_customer[ended.set_number]
        )
      returning j.queue, j.platform_id, j.lane, j.sequence, j.holds
    ),
    opened as (
      update countersign.job as j
      set open = true
      from deleted
      -- "offset 0" looks up the later jobs of each lane, whatever share of all jobs had a lane when the plan was made.
      cross join lateral (
        select later.id from countersign.job as later
        where later.platform_id = deleted.platform_id and later.queue = deleted.queue and later.lane = deleted.lane
          and later.sequence > deleted.sequence and not later.open and later.id <> all (finished__id)
          and later.sequence <= coalesce((
            select holder.sequence from countersign.job as holder
            where holder.platform_id = deleted.platform_id and holder.queue = deleted.queue
              and holder.lane = deleted.lane and holder.sequence > deleted.sequence and holder.holds
              and holder.id <> all (finished__id)
            order by holder.sequence
            limit 1
          ), 9223372036854775807)
        offset 0
      ) as later
      where deleted.holds and j.id = later.id and not j.open
    )
    select count(*), array_agg(distinct deleted.queue) into affected_rows, touched_queues from deleted;
    if affected_rows <> cardinality(finished__id) then
      raise exception 'the sets of a batch cannot be committed together'
        using errcode = 'CS002', detail = (json_build_object())::text;
    end if;
  end if;

  -- Claim unique keys for the records that the batch inserts.
  if cardinality(claim__set_number) > 0 then
    insert into countersign.unique_key (key, scope, kind, id, platform_id, customer_id)
    select claim.key, claim.scope, claim.kind, claim.id, set__platform[claim.set_number], claim.customer
    from unnest(claim__set_number, claim__key, claim__scope, claim__kind, claim__id, claim__customer)
      as claim (set_number, key, scope, kind, id, customer)
    order by claim.key collate "C", claim.scope collate "C";
  end if;

  -- Post to the ledger. One update of an account serves all sets. If the total debit of an account could violate a
  -- bound, or the total credit exceed the range, the result depends on the order of the sets: the batch gives up and
  -- names the accounts. So it does for an account of another currency or customer than the sets say.
  if cardinality(account__platform) > 0 then
    with moved as (
      update countersign.ledger_account as a
      set balance = a.balance + delta.total, sequence = a.sequence + delta.entry_count
      from unnest(
          account__platform, account__id, account__total, account__decrease, account__increase, account__entry_count,
          account__currency, account__customer
        ) with ordinality
        as delta (platform, id, total, decrease, increase, entry_count, currency, customer, number)
      where a.id = delta.id and a.platform_id = delta.platform
        and a.balance + delta.decrease >= coalesce(a.floor, -9007199254740991)
        and a.balance + delta.decrease >= -9007199254740991 and a.balance + delta.increase <= 9007199254740991
        and a.currency = delta.currency and (delta.customer is null or a.customer_id = delta.customer)
      returning delta.number, a.owner_id, a.balance, a.sequence
    )
    select array_agg(moved.number order by moved.number), array_agg(moved.owner_id order by moved.number),
        array_agg(moved.balance order by moved.number), array_agg(moved.sequence order by moved.number)
      into numbers, account_owners, balances, sequences
    from moved;
    if coalesce(cardinality(numbers), 0) < cardinality(account__id) then
      raise exception 'the sets of a batch cannot be committed together'
        using errcode = 'CS002', detail = (json_build_object('accounts', array(
          select number
          from generate_series(1, cardinality(account__id)) as number
          where numbers is null or number <> all (numbers)
        )))::text;
    end if;

    -- Balance and sequence after each entry are those of the account now, less what the later entries add.
    insert into countersign.ledger_entry (
      owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at
    )
    select account_owners[entry.account], set__platform[entry.set_number], account__id[entry.account],
      sequences[entry.account] - entry.later_count, entry.amount, balances[entry.account] - entry.later_total,
      entry.reference, set__operation[entry.set_number], entry.transfer, set__decided_at[entry.set_number]
    from unnest(
        entry__set_number, entry__account, entry__amount, entry__later_total, entry__later_count, entry__reference,
        entry__transfer
      ) as entry (set_number, account, amount, later_total, later_count, reference, transfer);
  end if;

  -- Add to counters; the first addition creates a counter. The result is judged: if all that is added, or all that is
  -- taken, could violate a bound, the result depends on the order of the sets, and the batch gives up.
  -- The rows are returned in the order in which they were written.
  if cardinality(counter__platform) > 0 then
    with moved as (
      insert into countersign.counter as c (owner_id, platform_id, key, value)
      select coalesce(delta.customer, delta.platform), delta.platform, delta.key, delta.total
      from unnest(
          counter__platform, counter__key, counter__customer, counter__total, counter__decrease, counter__increase,
          counter__upper_bound
        ) with ordinality
        as delta (platform, key, customer, total, decrease, increase, upper_bound, number)
      order by number
      on conflict (owner_id, key) do update set value = c.value + excluded.value
      returning c.key, c.value
    )
    select array_agg(moved.key), array_agg(moved.value) into counter_keys, counter_values from moved;
    numbers := array(
      select number
      from unnest(
          counter__platform, counter__key, counter__customer, counter__total, counter__decrease, counter__increase,
          counter__upper_bound
        ) with ordinality
        as delta (platform, key, customer, total, decrease, increase, upper_bound, number)
      where counter_keys[number] is distinct from delta.key
        or counter_values[number] - delta.total + delta.increase > delta.upper_bound
        or counter_values[number] - delta.total + delta.decrease < 0
    );
    if cardinality(numbers) > 0 then
      raise exception 'the sets of a batch cannot be committed together'
        using errcode = 'CS002', detail = (json_build_object('counters', numbers))::text;
    end if;
  end if;

  -- Read the accounts that sets only observe, now that everything is locked. Their numbers follow the moved accounts.
  if cardinality(observed__platform) > 0 then
    select balances || array_agg(coalesce(a.balance, 0) order by number),
        sequences || array_agg(coalesce(a.sequence, 0) order by number)
      into balances, sequences
    from unnest(observed__platform, observed__id) with ordinality as observed (platform, id, number)
    left join countersign.ledger_account as a on a.id = observed.id and a.platform_id = observed.platform;
  end if;
  -- An agent observes accounts that it may not own: an account of another customer reads zero.
  if observing then
    select array_agg(a.customer_id order by number) into account_customers
    from unnest(account__platform || observed__platform, account__id || observed__id)
      with ordinality as named (platform, id, number)
    left join countersign.ledger_account as a on a.id = named.id and a.platform_id = named.platform;
  end if;
  -- The sums that are stored beside a response, an event or a receipt: the values after the set, which are the values
  -- now without what later sets of the batch moved.
  if cardinality(stored_sum__set_number) > 0 then
    stored_sums := array_fill(''::text, array[cardinality(set__platform)]);
    for set_sums in
      select stored_sum.set_number, string_agg(
          case
            when stored_sum.later_count is null
              then (counter_values[stored_sum.number] - stored_sum.later_total)::text
            when set__agent_customer[stored_sum.set_number] is null or account_customers is null
              or account_customers[stored_sum.number] = set__agent_customer[stored_sum.set_number]
              then concat(
                balances[stored_sum.number] - stored_sum.later_total, ',',
                sequences[stored_sum.number] - stored_sum.later_count
              )
            else '0,0'
          end,
          ',' order by row_number
        ) as sums
      from unnest(stored_sum__set_number, stored_sum__number, stored_sum__later_total, stored_sum__later_count)
        with ordinality as stored_sum (set_number, number, later_total, later_count, row_number)
      group by 1
    loop
      stored_sums[set_sums.set_number] := set_sums.sums;
    end loop;
  end if;

  -- Add jobs, after everything that sets of two batches may wait for: so jobs have the order of their commits.
  -- The first job of a lane is open unless an earlier one still holds the lane.
  if cardinality(job__set_number) > 0 then
    insert into countersign.job (
      /* cluster: sequence, */ owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at,
      payload, open, holds
    )
    select /* cluster: countersign.next_sequence(), */
      coalesce(new_job.customer, set__platform[new_job.set_number]), set__platform[new_job.set_number],
      new_job.id, new_job.queue, new_job.kind, new_job.customer, new_job.lane, new_job.lane_hold_millis,
      new_job.due_at, new_job.payload::json,
      new_job.lane is null or (
        new_job.is_first and (new_job.opens_lane or (
          select true from countersign.job as j
          where j.platform_id = set__platform[new_job.set_number] and j.queue = new_job.queue
            and j.lane = new_job.lane and j.holds
          limit 1
        ) is null)
      ),
      new_job.lane is not null
    from unnest(
        job__set_number, job__id, job__queue, job__kind, job__customer, job__lane, job__lane_hold_millis, job__due_at,
        job__payload, job__opens_lane, job__is_first
      ) with ordinality
      as new_job (
        set_number, id, queue, kind, customer, lane, lane_hold_millis, due_at, payload, opens_lane, is_first, row_number
      )
    order by row_number;
  end if;

  -- Add events.
  if cardinality(event__set_number) > 0 then
    insert into countersign.event (
      owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums
    )
    select coalesce(new_event.customer, set__platform[new_event.set_number]), set__platform[new_event.set_number],
      new_event.id, new_event.type, new_event.customer, new_event.subject, new_event.data::json,
      set__decided_at[new_event.set_number],
      set__decided_at[new_event.set_number] + /* {{ event retention }} */ 2592000000,
      new_event.shown::json, case when new_event.shown is not null then stored_sums[new_event.set_number] end
    from unnest(
        event__set_number, event__id, event__type, event__customer, event__subject, event__data, event__shown
      ) as new_event (set_number, id, type, customer, subject, data, shown);
  end if;

  -- Add attempts of deliveries, and delete those of the same events that are too many. Each set has locked its events,
  -- so that no two rows are of one event.
  if cardinality(attempt__set_number) > 0 then
    with inserted as (
      insert into countersign.event_attempt (owner_id, platform_id, event_id, number, data)
      select emitted.owner_id, emitted.platform_id, emitted.id,
        coalesce((
          select max(earlier.number) from countersign.event_attempt as earlier
          where earlier.owner_id = emitted.owner_id and earlier.event_id = emitted.id
        ), 0) + 1,
        new_attempt.data::json
      from unnest(attempt__set_number, attempt__event, attempt__data) as new_attempt (set_number, event, data)
      join countersign.event as emitted on emitted.id = new_attempt.event
        and emitted.platform_id = set__platform[new_attempt.set_number]
        and (
          set__agent_customer[new_attempt.set_number] is null
          or emitted.customer_id = set__agent_customer[new_attempt.set_number]
        )
      returning owner_id, event_id, number
    )
    delete from countersign.event_attempt as outdated using inserted
    where outdated.owner_id = inserted.owner_id and outdated.event_id = inserted.event_id
      and outdated.number <= inserted.number - /* {{ attempts kept }} */ 20;
  end if;

  -- The receipts: stored responses under their idempotency keys, and the operations without a key.
  if cardinality(replay__set_number) > 0 then
    insert into countersign.replay (
      platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at
    )
    select set__platform[new_replay.set_number], new_replay.key, new_replay.fingerprint, new_replay.status,
      new_replay.answer::json, set__operation[new_replay.set_number], new_replay.shown::json,
      case when new_replay.shown is not null then stored_sums[new_replay.set_number] end, new_replay.expires_at
    from unnest(
        replay__set_number, replay__key, replay__fingerprint, replay__status, replay__answer, replay__expires_at,
        replay__shown
      ) as new_replay (set_number, key, fingerprint, status, answer, expires_at, shown);
  end if;
  if cardinality(receipt__set_number) > 0 then
    insert into countersign.operation (owner_id, platform_id, id, sums, expires_at)
    select set__owner[new_receipt.set_number], set__platform[new_receipt.set_number],
      set__operation[new_receipt.set_number], coalesce(stored_sums[new_receipt.set_number], ''),
      set__receipt_expires_at[new_receipt.set_number]
    from unnest(receipt__set_number) as new_receipt (set_number);
  end if;

  return json_build_object(
    'balances', coalesce(balances, '{}'), 'sequences', coalesce(sequences, '{}'),
    'counters', coalesce(counter_values, '{}'), 'owners', coalesce(account_customers, '{}'),
    'queues', coalesce(touched_queues, '{}')
  )::text;
end $body$;
