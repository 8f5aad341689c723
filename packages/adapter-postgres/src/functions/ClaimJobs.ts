/**
 * Claiming due jobs: holds of lanes that lapsed are lifted, then whoever has the fewest running jobs comes first, then whoever waits
 * longest for a turn; of one platform the longest due first, and only what its lane lets through.
 * Source: architecture, "The Store port" (claim); ports/Store.ts (ClaimRequest).
 */
import { eventLane } from "@countersign/core/store"
import { aheadText } from "../schema/BusinessTime.ts"
import { settings } from "./Settings.ts"

/**
 * Lets the jobs of a lane that come after `after` through, up to and including the first that holds the others. It runs with the settings
 * of the functions that call it: to set them again would cost more than it does.
 */
export const openLaneFunction = `
create or replace function open_lane(q text, p text, l text, after bigint) returns void language plpgsql as $body$
begin
  update job j set open = true where j.platform_id = p and j.queue = q and j.lane = l and j.sequence > after and not j.open
    and j.sequence <= coalesce((select h.sequence from job h where h.platform_id = p and h.queue = q and h.lane = l and h.sequence > after and h.holds
      order by h.sequence limit 1), 9223372036854775807);
end $body$;`

// The lock of a queue's claims makes the bound per platform and the turns exact; it is held for a few milliseconds.
export const claimJobsFunction = `
create or replace function claim_jobs(q text, who text, business bigint, wall bigint, most int, per_platform int, lease bigint)
returns text ${settings} as $body$
declare r record; taken text[]; base bigint; answer text;
begin
  perform pg_advisory_xact_lock(hashtextextended('claim ' || q, 0));

  if exists (select from job j where j.queue = q and j.holds_until <= wall) then
    for r in select distinct hashtextextended(concat_ws(' ', 'lane', j.queue, j.platform_id, j.lane), 0) h from job j where j.queue = q and j.holds_until <= wall order by h loop
      perform pg_advisory_xact_lock(r.h);
    end loop;
    for r in update job j set holds = false, holds_until = null where j.queue = q and j.holds_until <= wall
        returning j.platform_id, j.lane, j.sequence loop
      perform open_lane(q, r.platform_id, r.lane, r.sequence);
    end loop;
  end if;

  select coalesce(max(l.served), 0) into base from job_line l where l.queue = q;

  -- The platforms that have open jobs, found by jumps through the index.
  with recursive platform as (
    (select j.platform_id from job j where j.queue = q and j.open and j.state <> 'parked' order by j.platform_id limit 1)
    union all
    select (select j.platform_id from job j where j.queue = q and j.open and j.state <> 'parked' and j.platform_id > b.platform_id
      order by j.platform_id limit 1) from platform b where b.platform_id is not null),
  line as (
    select b.platform_id, coalesce(l.served, 0) served,
      (select count(*) from job n where n.queue = q and n.platform_id = b.platform_id and n.state = 'running' and n.not_before > wall) running
    from platform b left join job_line l on l.queue = q and l.platform_id = b.platform_id where b.platform_id is not null),
  candidate as (
    select n.running, n.served, c.*, row_number() over (partition by n.platform_id order by c.due_at, c.sequence) turn,
      first_value(c.due_at) over (partition by n.platform_id order by c.due_at, c.sequence) first_due,
      first_value(c.sequence) over (partition by n.platform_id order by c.due_at, c.sequence) first_sequence
    from line n, lateral (
      select j.id, j.due_at, j.sequence from job j
      where j.queue = q and j.platform_id = n.platform_id and j.open and j.state <> 'parked' and j.due_at <= business and j.not_before <= wall
        -- Nobody before it in its lane keeps it back, nor will somebody whom this claim takes before it.
        and (j.lane is null or not exists (select from job h where h.platform_id = j.platform_id and h.queue = q and h.lane = j.lane and h.sequence < j.sequence
          and (h.holds or (h.open and h.state <> 'parked' and h.not_before <= wall and h.due_at <= j.due_at))))
      order by j.due_at, j.sequence limit greatest(0, least(most, per_platform - n.running))) c),
  -- A platform's jobs move it back one place each: the order in which a queue of turns would take them.
  chosen as (select c.id, c.running + c.turn as level, c.running, c.served, c.first_due, c.first_sequence from candidate c
    order by c.running + c.turn, c.running desc, c.served, c.first_due, c.first_sequence limit most)
  select array_agg(c.id order by c.level, c.running desc, c.served, c.first_due, c.first_sequence) into taken from chosen c;

  -- Since they were chosen one may have been given back, to be parked or to wait.
  with locked as (select j.id from job j where j.id = any (taken) and j.state <> 'parked' and j.not_before <= wall for update skip locked),
  claimed as (
    update job j set state = 'running', attempt = j.attempt + 1, not_before = wall + lease, worker = who,
      first_claimed_at = coalesce(j.first_claimed_at, wall), holds = j.lane is not null,
      holds_until = case when j.lane is not null then greatest(coalesce(j.first_claimed_at, wall) + j.lane_hold_millis, case when j.lane_hold_millis is not null then wall + lease end) end
    from locked k where j.id = k.id returning j.*),
  served as (
    insert into job_line as l (queue, platform_id, served)
      select q, c.platform_id, base + max(array_position(taken, c.id)) from claimed c group by c.platform_id order by c.platform_id
      on conflict (queue, platform_id) do update set served = excluded.served)
  select coalesce(json_agg(json_strip_nulls(json_build_object('id', c.id, 'queue', c.queue, 'kind', c.kind, 'platformId', c.platform_id, 'lane', c.lane,
      'dueAt', c.due_at, 'attempt', c.attempt, 'firstClaimedAt', c.first_claimed_at, 'customerId', c.customer_id, 'payload', c.payload::text))
      order by c.due_at, c.sequence), '[]')::text
    into answer from claimed c;
  return json_build_object('ahead', ${aheadText}, 'jobs', answer::json)::text;
end $body$;`

/** Forgets receipts and events that are old enough, a bounded number at a time; an event not before its delivery is finished. */
export const forgetFunction = `
create or replace function forget(wall bigint, business bigint, most int) returns text ${settings} as $body$
declare gone int; more int; told int;
begin
  delete from operation o where (o.owner_id, o.id) in (select d.owner_id, d.id from operation d where d.expires_at <= wall order by d.expires_at limit most for update skip locked);
  get diagnostics gone = row_count;
  delete from replay y where (y.platform_id, y.key) in (select d.platform_id, d.key from replay d where d.expires_at <= wall order by d.expires_at limit most for update skip locked);
  get diagnostics more = row_count;
  delete from event v where (v.owner_id, v.id) in (select d.owner_id, d.id from event d where d.expires_at <= business
    and not exists (select from job j where j.platform_id = d.platform_id and j.queue = 'webhook' and j.lane = '${eventLane("")}' || d.subject)
    order by d.expires_at limit most for update skip locked);
  get diagnostics told = row_count;
  return (gone + more + told)::text;
end $body$;`
