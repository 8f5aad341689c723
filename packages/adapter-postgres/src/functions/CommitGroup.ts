/**
 * The set-based commit: many change sets, one statement for each part of all of them. Where sets do not hold whatever their order, it
 * writes nothing and names them. They are left to the serial commit, which tells their outcome, and the others are sent again. What no check foresaw (an id used twice, somebody faster) is an error of the whole
 * batch, whose sets are then sent again one by one.
 * Source: architecture, "The Store port" (PostgreSQL: the set-based path). `Batch.ts` tells what a batch holds.
 */
import { eventRetentionMillis } from "@countersign/core"
import { locksOf } from "./CommitLocks.ts"
import { insertRecords, unlikeVersions, updateRecords } from "./GroupRecords.ts"
import { isClaimed, settings } from "./Settings.ts"

const s = "(e->>0)::int"
/** Accounts and counters have numbers in a batch, in the order of their names. */
const k = "(e->>1)::int"
const overtaken = (what: string): string =>
  `raise exception 'a batch was overtaken: ${what}' using errcode = 'serialization_failure'`
const leaveOut = "bad := bad || fault;"
/** For the rows of each kind, told as [kind, rows]. */
const perKind = (part: string, statement: string, then = ""): string => `
  for i in 0..jsonb_array_length(batch->'${part}') - 1 loop
    k := (batch->'${part}'->i->>0)::int;
    w := batch->'${part}'->i->1;
    ${statement}
    ${then}
  end loop;`

/** The error that gives up a batch for the sets that its detail names. */
export const togetherState = "CS002"

const largest = "9007199254740991"

const receipts = `
  if batch ? 'o' then
    select array_agg(${s}) into fault from jsonb_array_elements(batch->'o') e join operation o on o.owner_id = hs[${s}] and o.id = os[${s}];
    ${leaveOut}
  end if;
  if batch ? 'y' then
    -- Also one that has expired: the serial commit puts the new answer in its place.
    select array_agg(${s}) into fault from jsonb_array_elements(batch->'y') e join replay y on y.platform_id = ps[${s}] and y.key = e->>1;
    ${leaveOut}
  end if;`

const jobsAndKeys = `
  if batch ? 'f' then
    select array_agg(${s}) into fault from jsonb_array_elements(batch->'f') e left join job j on j.id = e->>1 and j.platform_id = ps[${s}]
        and j.attempt = (e->>2)::int and ${isClaimed} and (us[${s}] is null or j.customer_id = us[${s}]) where j.id is null;
    ${leaveOut}
  end if;
  if batch ? 'k' then
    select array_agg(q.s) into fault from (select ${s} s, u.key held, count(*) over (partition by e->>1, e->>2) takers
      from jsonb_array_elements(batch->'k') e left join unique_key u on u.key = e->>1 and u.scope = e->>2) q
      where q.held is not null or q.takers > 1;
    ${leaveOut}
  end if;`

const finishedJobs = `
  if batch ? 'f' then
    wanted := jsonb_array_length(batch->'f');
    for r in with gone as (delete from job j using (select q.e from jsonb_array_elements(batch->'f') q(e) order by q.e->>1) q
        where j.id = q.e->>1 and j.attempt = (q.e->>2)::int and ${isClaimed}
        returning j.queue, j.platform_id, j.lane, j.sequence, j.holds) select * from gone order by sequence loop
      wanted := wanted - 1;
      if not r.queue = any (touched) then touched := touched || r.queue; end if;
      if r.lane is not null and r.holds then perform open_lane(r.queue, r.platform_id, r.lane, r.sequence); end if;
    end loop;
    if wanted <> 0 then ${overtaken("job")}; end if;
  end if;`

const uniqueKeys = `
  if batch ? 'k' then
    insert into unique_key (key, scope, kind, id, platform_id, customer_id)
      select e->>1, e->>2, e->>3, e->>5, ps[${s}], e->>7 from jsonb_array_elements(batch->'k') e order by e->>1, e->>2;
  end if;`

/** Undoes all and names the sets that keep the batch from committing. */
const giveUp = (rows: string): string =>
  `raise exception 'sets of a batch do not hold together' using errcode = '${togetherState}', detail = array_to_json(array(select distinct ${s} from ${rows}))::text`

/**
 * One update of an account serves all sets. An account is in danger when all that leaves it, or all that enters, would pass a bound:
 * then the order would matter. One of another currency or customer than its sets say is left to the serial commit, too. Accounts that move
 * have the numbers from 1.
 */
const ledger = `
  if batch ? 'ta' then
    with moved as (
      update ledger_account a set balance = a.balance + (q.e->>2)::bigint, sequence = a.sequence + (q.e->>5)::int
        from jsonb_array_elements(batch->'accounts') with ordinality q(e, o)
        where a.id = q.e->>1 and a.platform_id = q.e->>0 and a.balance + (q.e->>3)::bigint >= coalesce(a.floor, -${largest})
          and a.balance + (q.e->>3)::bigint >= -${largest} and a.balance + (q.e->>4)::bigint <= ${largest}
          and a.currency = q.e->>6 and (q.e->>7 is null or a.customer_id = q.e->>7)
        returning q.o, a.owner_id, a.id, a.balance, a.sequence)
      select array_agg(m.o order by m.o), array_agg(m.owner_id order by m.o), array_agg(m.id order by m.o), array_agg(m.balance order by m.o),
          array_agg(m.sequence order by m.o)
        into numbers, ah, ai, ab, aq from moved m;
    if coalesce(cardinality(numbers), 0) < jsonb_array_length(batch->'accounts') then
      ${giveUp(`jsonb_array_elements(batch->'ta') e where numbers is null or ${k} <> all (numbers)`)};
    end if;
    insert into ledger_entry (owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at)
      select ah[${k}], ps[${s}], ai[${k}], aq[${k}] - (e->>4)::int, (e->>2)::bigint, ab[${k}] - (e->>3)::bigint, e->>5, os[${s}], (e->>6)::int, ts[${s}]
      from jsonb_array_elements(batch->'lt') e;
  end if;`

/**
 * A counter comes into being with what is first added to it. Bounds are judged by what results: when all that is added, or all that is
 * taken, would pass one, the order would matter. Rows are told in the order in which they were written.
 */
const counters = `
  if batch ? 'counters' then
    with moved as (insert into counter as c (owner_id, platform_id, key, value)
        select coalesce(e->>2, e->>0), e->>0, e->>1, (e->>3)::bigint from jsonb_array_elements(batch->'counters') with ordinality q(e, o) order by o
        on conflict (platform_id, key) do update set value = c.value + excluded.value returning c.key, c.value)
      select array_agg(m.key), array_agg(m.value) into told, cv from moved m;
    narrow := array(select o from jsonb_array_elements(batch->'counters') with ordinality q(e, o) where told[o] is distinct from e->>1
      or cv[o] - (e->>3)::bigint + (e->>5)::bigint > (e->>6)::bigint or cv[o] - (e->>3)::bigint + (e->>4)::bigint < 0);
    if cardinality(narrow) > 0 then ${giveUp(`jsonb_array_elements(batch->'ct') e where ${k} = any (narrow)`)}; end if;
  end if;`

/**
 * What sets only observe is read when everything is held, as others may have moved it until then. A set's sums are what stood after it:
 * the value now, without what the sets after it moved; an account that is not the caller's is zero. They are made here for what keeps
 * them, and by the process for what is told.
 */
const sums = `
  if batch ? 'observed' then
    select ab || array_agg(coalesce(a.balance, 0) order by o), aq || array_agg(coalesce(a.sequence, 0) order by o)
      into ab, aq from jsonb_array_elements(batch->'observed') with ordinality q(e, o)
      left join ledger_account a on a.id = e->>1 and a.platform_id = e->>0;
  end if;
  if batch ? 'looks' then
    select array_agg(a.customer_id order by o) into au
      from jsonb_array_elements(coalesce(batch->'accounts', '[]') || coalesce(batch->'observed', '[]')) with ordinality q(e, o)
      left join ledger_account a on a.id = e->>1 and a.platform_id = e->>0;
  end if;
  if batch ? 'keeps' then
    sums := array_fill(''::text, array[cardinality(ps)]);
    select array_agg(q.s), array_agg(q.told) into keepers, told from (
      select ${s} s, string_agg(case when e->>3 is null then (cv[${k}] - (e->>2)::bigint)::text
          when us[${s}] is null or au is null or au[${k}] = us[${s}] then concat(ab[${k}] - (e->>2)::bigint, ',', aq[${k}] - (e->>3)::int)
          else '0,0' end, ',' order by o) told
      from jsonb_array_elements(batch->'keeps') with ordinality q(e, o) group by 1) q;
    for i in 1..cardinality(keepers) loop sums[keepers[i]] := told[i]; end loop;
  end if;`

// After everything that sets of two batches may wait for: so that jobs are in the order of their commits.
const newJobs = `
  if batch ? 'j' then
    insert into job (owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds)
      select coalesce(e->>4, ps[${s}]), ps[${s}], e->>1, e->>2, e->>3, e->>4, e->>5, (e->>6)::bigint, (e->>7)::bigint, (e->>8)::json,
        e->>5 is null or ((e->>10)::boolean and ((e->>9)::boolean or (select true from job j
          where j.platform_id = ps[${s}] and j.queue = e->>2 and j.lane = e->>5 and j.holds limit 1) is null)), e->>5 is not null
      from jsonb_array_elements(batch->'j') with ordinality q(e, o) order by o;
  end if;`

const rest = `
  if batch ? 'e' then
    insert into event (owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums)
      select coalesce(e->>3, ps[${s}]), ps[${s}], e->>1, e->>2, e->>3, e->>4, (e->>5)::json, ts[${s}], ts[${s}] + ${eventRetentionMillis}, (e->>6)::json,
        case when e->>6 is not null then sums[${s}] end
      from jsonb_array_elements(batch->'e') e;
  end if;
  if batch ? 'y' then
    insert into replay (platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at)
      select ps[${s}], e->>1, e->>2, (e->>3)::int, (e->>4)::json, os[${s}], (e->>6)::json, case when e->>6 is not null then sums[${s}] end, (e->>5)::bigint from jsonb_array_elements(batch->'y') e;
  end if;
  if batch ? 'o' then
    insert into operation (owner_id, platform_id, id, sums, expires_at)
      select hs[${s}], ps[${s}], os[${s}], coalesce(sums[${s}], ''), xs[${s}] from jsonb_array_elements(batch->'o') e;
  end if;`

export const commitGroupFunction = `
create or replace function commit_group_$H(batch jsonb, ps text[], us text[], os text[], hs text[], ts bigint[], xs bigint[]) returns text ${settings} as $body$
declare
  k int; w jsonb; r record;
  bad int[] := '{}'; fault int[]; wanted int; found_rows int; numbers int[]; narrow int[]; keepers int[]; told text[];
  ai text[]; ah text[]; au text[]; ab bigint[]; aq bigint[]; cv bigint[]; sums text[]; touched text[] := '{}';
begin
  ${locksOf("select batch->'l' l, batch->'f' f, null::jsonb b", 1)}
  ${receipts}
  ${perKind("g", unlikeVersions, leaveOut)}
  ${perKind("m", unlikeVersions, leaveOut)}
  ${jobsAndKeys}
  if cardinality(bad) > 0 then return json_build_object('bad', bad)::text; end if;
  ${perKind("i", insertRecords)}
  ${perKind(
    "m",
    `${updateRecords}
     get diagnostics found_rows = row_count;`,
    `if found_rows <> jsonb_array_length(w) then ${overtaken("record")}; end if;`,
  )}
  ${finishedJobs}
  ${uniqueKeys}
  ${ledger}
  ${counters}
  ${sums}
  ${newJobs}
  ${rest}
  return json_build_object('balances', coalesce(ab, '{}'), 'sequences', coalesce(aq, '{}'), 'counters', coalesce(cv, '{}'),
    'owners', coalesce(au, '{}'), 'queues', touched)::text;
end $body$;`
