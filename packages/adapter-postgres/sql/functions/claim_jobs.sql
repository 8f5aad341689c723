-- claim_jobs: claims due jobs of a queue for a worker and returns them as JSON, with the offset of business time.
--
-- Order of platforms: fewest running jobs first, then the longest wait for a turn. Within a platform the job that was
-- due first comes first. Of each lane the head is claimed, and with a head in its first attempt, if it is of run_kinds,
-- its run: the jobs directly behind it that are due, of its kind and never claimed before, up to run_max with the head.
-- The jobs of runs are returned after all heads and name theirs in "behind".
--
-- A claim waits for the queue's claim lock alone, and not for long. It skips what other transactions have locked: jobs,
-- lanes, and the turns of platforms.
-- Source: architecture, "The Store port" (claim); D-327; store/Store.ts (ClaimRequest); store/Sharing.ts (reserve).
-- Times are Unix milliseconds. business_now decides what is due; wall_now decides leases and holds.

create or replace function countersign.claim_jobs(
  claimed_queue text, claiming_worker text, claiming_session int, business_now bigint, wall_now bigint,
  job_limit int, leaves_reserve boolean, lease_millis bigint, run_kinds text[], run_max int
)
returns text
language plpgsql
set search_path = pg_catalog, pg_temp set jit = off
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_material = off
set enable_memoize = off set plan_cache_mode = force_generic_plan
-- A claim that waits longer ends with 55P03; src/Claims.ts makes it an empty one.
set lock_timeout = 500
as $body$
declare
  lane_row record;
  line_platform text;
  line_ids text[];
  line_running bigint[];
  line_served bigint[];
  line_due bigint[];
  line_sequence bigint[];
  running_max bigint;
  depth bigint;
  level_max bigint;
  level_found bigint;
  jobs_found bigint;
  chosen_ids text[];
  last_turn bigint;
  late_platforms text[] := '{}';
  busy_platforms text[];
  skipped_ids text[] := '{}';
  locked_ids text[];
  looked_at int := 16;
  found_jobs json[];
  found_ids text[];
  head_ids text[] := '{}';
  claimed_jobs json[] := '{}';
begin
  -- One claim at a time per queue keeps the shares and the turns exact. It lasts a few milliseconds. The name has the
  -- schema, so that cells of one database claim beside each other.
  perform pg_advisory_xact_lock(hashtextextended('claim countersign ' || claimed_queue, 0));

  -- From here on nothing waits.
  perform set_config('lock_timeout', '1', true);

  -- Release the lanes whose hold has expired. One that another transaction has locked is left to a later claim.
  for lane_row in
    select j.id, j.platform_id, j.lane, j.sequence from countersign.job as j
    where j.queue = claimed_queue and j.holds_until <= wall_now
    for update skip locked
  loop
    continue when not pg_try_advisory_xact_lock(
      hashtextextended(concat_ws(' ', 'lane', claimed_queue, lane_row.platform_id, lane_row.lane), 0)
    );
    begin
      update countersign.job as j set holds = false, holds_until = null where j.id = lane_row.id;
      perform countersign.open_lane(claimed_queue, lane_row.platform_id, lane_row.lane, lane_row.sequence);
    exception
      when lock_not_available then null;
    end;
  end loop;

  loop
    select coalesce(max(line.served), 0) into last_turn
    from countersign.job_line as line
    where line.queue = claimed_queue;

    -- Choose the platforms: the first job of each precedes its others, so no more than job_limit can get any.
    with recursive
    -- The platforms that have open jobs. Each step jumps through the index to the next platform.
    open_platform as (
      (
        select j.platform_id from countersign.job as j
        where j.queue = claimed_queue and j.open and j.state <> 'parked'
        order by j.platform_id
        limit 1
      )
      union all
      select (
        select j.platform_id from countersign.job as j
        where j.queue = claimed_queue and j.open and j.state <> 'parked' and j.platform_id > previous.platform_id
        order by j.platform_id
        limit 1
      )
      from open_platform as previous
      where previous.platform_id is not null
    ),
    -- For each platform with due jobs: the first of them, the turn that it had last, and how many jobs it has running.
    platform_line as (
      select open_platform.platform_id, head.due_at as first_due, head.sequence as first_sequence,
        case
          when open_platform.platform_id = any (late_platforms) then 9223372036854775807
          else coalesce(line.served, 0)
        end as served, (
          select count(*) from countersign.job as j
          where j.queue = claimed_queue and j.platform_id = open_platform.platform_id
            and j.state = 'running' and j.not_before > wall_now
        ) as running
      from open_platform
      cross join lateral countersign.due_jobs(
        claimed_queue, open_platform.platform_id, business_now, wall_now, 1, skipped_ids
      ) as head
      left join countersign.job_line as line
        on line.queue = claimed_queue and line.platform_id = open_platform.platform_id
      where open_platform.platform_id is not null
    )
    select array_agg(platform_id order by place), array_agg(running order by place), array_agg(served order by place),
        array_agg(first_due order by place), array_agg(first_sequence order by place), max(running)
      into line_ids, line_running, line_served, line_due, line_sequence, running_max
    from (
      select platform_line.*, row_number() over (order by running, served, first_due, first_sequence) as place
      from platform_line
    ) as placed
    where place <= job_limit;

    -- Choose the jobs by level: each job that a platform gets moves it back by one level, as a queue of turns would.
    -- All jobs up to a level are looked at, twice as many levels each time, until they are enough or no more are due.
    chosen_ids := null;
    depth := (job_limit - 1) / coalesce(cardinality(line_ids), 1) + 1;
    while line_ids is not null loop
      level_max := line_running[1] + depth;
      with candidate as (
        select line.*, due.id,
          row_number() over (partition by line.platform_id order by due.due_at, due.sequence) as turn
        from unnest(line_ids, line_running, line_served, line_due, line_sequence)
          as line (platform_id, running, served, first_due, first_sequence)
        cross join lateral countersign.due_jobs(
          claimed_queue, line.platform_id, business_now, wall_now, least(job_limit, level_max - line.running)::int,
          skipped_ids
        ) as due
        where line.running < level_max
      ),
      ranked as (
        select candidate.id, candidate.running + candidate.turn as level,
          row_number() over (
            order by candidate.running + candidate.turn, candidate.running desc, candidate.served,
              candidate.first_due, candidate.first_sequence
          ) as place
        from candidate
      )
      -- The reserve: a platform leaves as many places free as its number of running jobs has binary digits.
      select array_agg(ranked.id order by ranked.place) filter (
            where ranked.place <= job_limit and (
              not leaves_reserve
              or job_limit - ranked.place >= width_bucket(
                ranked.level - 1,
                array[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]::bigint[]
              )
            )
          ),
          count(*), max(ranked.level)
        into chosen_ids, jobs_found, level_found
      from ranked;
      exit when jobs_found >= job_limit or jobs_found > coalesce(cardinality(chosen_ids), 0)
        or (coalesce(level_found, 0) < level_max and running_max < level_max);
      depth := 2 * depth;
    end loop;
    exit when chosen_ids is null;

    -- Lock the turns of their platforms. A platform whose turn cannot be stored comes after its equals: choose again.
    with chosen as (
      select distinct j.platform_id from countersign.job as j where j.id = any (chosen_ids)
    ),
    locked as (
      select line.platform_id from countersign.job_line as line
      where line.queue = claimed_queue and line.platform_id in (select chosen.platform_id from chosen)
      for no key update skip locked
    )
    select array_agg(chosen.platform_id) into busy_platforms
    from chosen
    where chosen.platform_id <> all (late_platforms)
      and not exists (select from locked where locked.platform_id = chosen.platform_id);
    if busy_platforms is not null then
      -- Those that had no turn yet get a row.
      foreach line_platform in array busy_platforms loop
        begin
          insert into countersign.job_line (queue, platform_id, served) values (claimed_queue, line_platform, 0)
          on conflict (queue, platform_id) do nothing;
          if found then
            busy_platforms := array_remove(busy_platforms, line_platform);
          end if;
        exception
          when lock_not_available then null;
        end;
      end loop;
      late_platforms := late_platforms || busy_platforms;
      continue when cardinality(busy_platforms) > 0;
    end if;

    -- Claim them. A chosen job that is locked, or was returned meanwhile to be parked or to wait, is left out.
    with locked as (
      select j.id from countersign.job as j
      where j.id = any (chosen_ids) and j.state <> 'parked' and j.not_before <= wall_now
      for update skip locked
    ),
    claimed as (
      update countersign.job as j
      set state = 'running', attempt = j.attempt + 1, not_before = wall_now + lease_millis, worker = claiming_worker,
        session = claiming_session,
        first_claimed_at = coalesce(j.first_claimed_at, wall_now),
        holds = j.lane is not null,
        holds_until = case
          when j.lane is not null then greatest(
            coalesce(j.first_claimed_at, wall_now) + j.lane_hold_millis,
            case when j.lane_hold_millis is not null then wall_now + lease_millis end
          )
        end
      from locked
      where j.id = locked.id
      returning j.*
    ),
    -- Each platform remembers the turn of its last job.
    served as (
      update countersign.job_line as line set served = last_turn + turn.last
      from (
        select claimed.platform_id, max(array_position(chosen_ids, claimed.id)) as last
        from claimed
        group by claimed.platform_id
      ) as turn
      where line.queue = claimed_queue and line.platform_id = turn.platform_id
        and line.platform_id <> all (late_platforms)
    )
    select array_agg(
        json_strip_nulls(json_build_object(
          'id', claimed.id, 'queue', claimed.queue, 'kind', claimed.kind, 'platformId', claimed.platform_id,
          'lane', claimed.lane, 'dueAt', claimed.due_at, 'attempt', claimed.attempt,
          'firstClaimedAt', claimed.first_claimed_at, 'customerId', claimed.customer_id,
          'payload', claimed.payload::text
        ))
        order by claimed.due_at, claimed.sequence
      ), array_agg(claimed.id order by claimed.due_at, claimed.sequence)
      into found_jobs, found_ids
    from claimed;
    claimed_jobs := claimed_jobs || coalesce(found_jobs, '{}');
    head_ids := head_ids || coalesce(found_ids, '{}');
    job_limit := job_limit - coalesce(cardinality(found_jobs), 0);
    exit when job_limit = 0 or cardinality(found_jobs) = cardinality(chosen_ids);

    -- Some were locked. Choose again without them; look at more jobs of their platforms each time.
    select array_agg(due.id) into locked_ids
    from (select distinct j.platform_id from countersign.job as j where j.id = any (chosen_ids)) as chosen
    cross join lateral countersign.due_jobs(
      claimed_queue, chosen.platform_id, business_now, wall_now, looked_at, skipped_ids
    ) as due
    where not exists (select from countersign.job as j where j.id = due.id for update skip locked);
    skipped_ids := skipped_ids || coalesce(locked_ids, '{}');
    looked_at := 2 * looked_at;
  end loop;

  -- Claim the runs. A job that is locked ends its run, and so does one that must not be run now.
  if run_max > 1 and cardinality(run_kinds) > 0 and cardinality(head_ids) > 0 then
    with behind as (
      select head.id as head_id, later.id, later.place
      from unnest(head_ids) as named (id)
      join countersign.job as head on head.id = named.id
      cross join lateral (
        select next.id, row_number() over lane_order as place, bool_and(next.is_of_run) over lane_order as is_of_run
        from (
          select j.id, j.sequence,
            j.state = 'waiting' and j.attempt = 0 and j.kind = head.kind
              and j.due_at <= business_now and j.not_before <= wall_now as is_of_run
          from countersign.job as j
          where j.platform_id = head.platform_id and j.queue = claimed_queue and j.lane = head.lane
            and j.sequence > head.sequence
          order by j.sequence
          limit run_max - 1
        ) as next
        window lane_order as (order by next.sequence)
      ) as later
      where head.lane is not null and head.attempt = 1 and head.kind = any (run_kinds) and later.is_of_run
    ),
    locked as (
      select j.id from countersign.job as j
      where j.id in (select behind.id from behind) and j.state = 'waiting' and j.attempt = 0
      for update skip locked
    ),
    of_run as (
      select whole.head_id, whole.id, whole.place
      from (
        select behind.*,
          bool_and(locked.id is not null) over (partition by behind.head_id order by behind.place) as is_free
        from behind
        left join locked on locked.id = behind.id
      ) as whole
      where whole.is_free
    ),
    claimed as (
      update countersign.job as j
      set state = 'running', attempt = 1, not_before = wall_now + lease_millis, worker = claiming_worker,
        session = claiming_session, first_claimed_at = wall_now, holds = true,
        holds_until = case
          when j.lane_hold_millis is not null then wall_now + greatest(j.lane_hold_millis, lease_millis)
        end
      from of_run
      where j.id = of_run.id
      returning j.*, of_run.head_id, of_run.place
    )
    select array_agg(
        json_strip_nulls(json_build_object(
          'id', claimed.id, 'queue', claimed.queue, 'kind', claimed.kind, 'platformId', claimed.platform_id,
          'lane', claimed.lane, 'dueAt', claimed.due_at, 'attempt', claimed.attempt,
          'firstClaimedAt', claimed.first_claimed_at, 'customerId', claimed.customer_id,
          'payload', claimed.payload::text, 'behind', claimed.head_id
        ))
        order by array_position(head_ids, claimed.head_id), claimed.place
      )
      into found_jobs
    from claimed;
    claimed_jobs := claimed_jobs || coalesce(found_jobs, '{}');
  end if;

  return json_build_object(
    'ahead', coalesce((select clock.ahead_millis from countersign.business_time as clock), 0),
    'jobs', array_to_json(claimed_jobs)
  )::text;
end $body$;
