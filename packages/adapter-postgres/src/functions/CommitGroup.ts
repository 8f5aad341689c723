/**
 * The set-based commit: many change sets, one statement for each part of all of them. It is tried without looking first, since nearly
 * all sets hold; where something does not, everything is undone, and it is tried again with a look that names the sets that are in the
 * way. They are left to the serial commit, which tells their outcome, and the others are sent again. What no look foresaw (an id used
 * twice, somebody faster) is an error of the whole batch, whose sets are then sent again one by one.
 * Source: architecture, "The Store port" (PostgreSQL: the set-based path). `BatchParts.ts` tells what a batch holds.
 */
import { eventRetentionMillis } from "@countersign/core/store"
import { declared, has, rowsOf } from "../schema/BatchParts.ts"
import { locksOf } from "./CommitLocks.ts"
import { insertRecords, perKind, unlikeVersions, updateRecords } from "./GroupRecords.ts"
import { isClaimed, readCommitted, settings } from "./Settings.ts"

const leaveOut = "bad := bad || fault;"

/** The error that gives up a batch. Its detail names accounts and counters by number, or nothing: then a look may tell. */
export const togetherState = "CS002"

const giveUp = (detail: string): string =>
  `raise exception 'sets of a batch do not hold together' using errcode = '${togetherState}', detail = (${detail})::text`
const expect = (rows: string): string => `if ${rows} then ${giveUp("json_build_object()")}; end if;`

const largest = "9007199254740991"

/** Of a row `j` of the jobs: whether `e` finishes it. */
const isFinished = `j.id = e.id and j.attempt = e.attempt and ${isClaimed} and j.platform_id = set__platform[e.nr]
  and (set__caller[e.nr] is null or j.customer_id = set__caller[e.nr])`

const guards = perKind("guarded", `${unlikeVersions("guard")} ${leaveOut}`)

const look = `
  if ${has("receipt")} then
    select array_agg(e.nr) into fault from ${rowsOf("receipt")} join operation o on o.owner_id = set__owner[e.nr] and o.id = set__operation[e.nr];
    ${leaveOut}
  end if;
  if ${has("answer")} then
    -- Also one that has expired: the serial commit puts the new answer in its place.
    select array_agg(e.nr) into fault from ${rowsOf("answer")} join replay y on y.platform_id = set__platform[e.nr] and y.key = e.key;
    ${leaveOut}
  end if;
  ${perKind("changed", `${unlikeVersions("change")} ${leaveOut}`)}
  if ${has("finish")} then
    select array_agg(e.nr) into fault from ${rowsOf("finish")} left join job j on ${isFinished} where j.id is null;
    ${leaveOut}
  end if;
  if ${has("claim")} then
    select array_agg(q.nr) into fault from (select e.nr, u.key held, count(*) over (partition by e.key, e.scope) takers
      from ${rowsOf("claim")} left join unique_key u on u.key = e.key and u.scope = e.scope) q
      where q.held is not null or q.takers > 1;
    ${leaveOut}
  end if;`

const changes = perKind(
  "changed",
  `${updateRecords}
    get diagnostics found_rows = row_count;
    ${expect("found_rows <> hi - lo + 1")}`,
)

/** A finished job lets the ones behind it in its lane through, up to and including the first that holds the others. */
const finishedJobs = `
  if ${has("finish")} then
    with gone as (
      delete from job j using (select * from ${rowsOf("finish")} order by e.id collate "C") e where ${isFinished}
        returning j.queue, j.platform_id, j.lane, j.sequence, j.holds),
    opened as (
      update job j set open = true from gone g
        where g.holds and j.platform_id = g.platform_id and j.queue = g.queue and j.lane = g.lane and j.sequence > g.sequence and not j.open
          and j.sequence <= coalesce((select h.sequence from job h where h.platform_id = g.platform_id and h.queue = g.queue and h.lane = g.lane
            and h.sequence > g.sequence and h.holds order by h.sequence limit 1), 9223372036854775807))
    select count(*), array_agg(distinct g.queue) into found_rows, touched from gone g;
    ${expect("found_rows <> cardinality(finish__id)")}
  end if;`

const uniqueKeys = `
  if ${has("claim")} then
    insert into unique_key (key, scope, kind, id, platform_id, customer_id)
      select e.key, e.scope, e.kind, e.id, set__platform[e.nr], e.customer from ${rowsOf("claim")} order by e.key collate "C", e.scope collate "C";
  end if;`

/**
 * One update of an account serves all sets. An account is in danger when all that leaves it, or all that enters, would pass a bound:
 * then the order would matter. One of another currency or customer than its sets say is left to the serial commit, too.
 */
const ledger = `
  if ${has("account")} then
    with moved as (
      update ledger_account a set balance = a.balance + e.total, sequence = a.sequence + e.count
        from ${rowsOf("account", { ordered: true })}
        where a.id = e.id and a.platform_id = e.platform and a.balance + e.low >= coalesce(a.floor, -${largest})
          and a.balance + e.low >= -${largest} and a.balance + e.high <= ${largest}
          and a.currency = e.currency and (e.customer is null or a.customer_id = e.customer)
        returning e.o, a.owner_id, a.balance, a.sequence)
      select array_agg(m.o order by m.o), array_agg(m.owner_id order by m.o), array_agg(m.balance order by m.o), array_agg(m.sequence order by m.o)
        into numbers, owners, balances, sequences from moved m;
    if coalesce(cardinality(numbers), 0) < cardinality(account__id) then
      ${giveUp("json_build_object('accounts', array(select n from generate_series(1, cardinality(account__id)) n where numbers is null or n <> all (numbers)))")};
    end if;
    insert into ledger_entry (owner_id, platform_id, account_id, sequence, amount, balance_after, reference, operation_id, transfer, at)
      select owners[e.account], set__platform[e.nr], account__id[e.account], sequences[e.account] - e.later_count, e.amount,
        balances[e.account] - e.later, e.reference, set__operation[e.nr], e.transfer, set__at[e.nr]
      from ${rowsOf("entry")};
  end if;`

/**
 * A counter comes into being with what is first added to it. Bounds are judged by what results: when all that is added, or all that is
 * taken, would pass one, the order would matter. Rows are told in the order in which they were written.
 */
const counters = `
  if ${has("counter")} then
    with moved as (insert into counter as c (owner_id, platform_id, key, value)
        select coalesce(e.customer, e.platform), e.platform, e.key, e.total from ${rowsOf("counter", { ordered: true })} order by o
        on conflict (owner_id, key) do update set value = c.value + excluded.value returning c.key, c.value)
      select array_agg(m.key), array_agg(m.value) into told, counts from moved m;
    numbers := array(select o from ${rowsOf("counter", { ordered: true })} where told[o] is distinct from e.key
      or counts[o] - e.total + e.high > e.most or counts[o] - e.total + e.low < 0);
    if cardinality(numbers) > 0 then ${giveUp("json_build_object('counters', numbers)")}; end if;
  end if;`

/**
 * What sets only observe is read when everything is held, as others may have moved it until then. A set's sums are what stood after it:
 * the value now, without what the sets after it moved; an account that is not the caller's is zero. They are made here for what keeps
 * them, and by the process for what is told.
 */
const sums = `
  if ${has("observed")} then
    select balances || array_agg(coalesce(a.balance, 0) order by o), sequences || array_agg(coalesce(a.sequence, 0) order by o)
      into balances, sequences from ${rowsOf("observed", { ordered: true })}
      left join ledger_account a on a.id = e.id and a.platform_id = e.platform;
  end if;
  if observing then
    select array_agg(a.customer_id order by o) into customers
      from unnest(account__platform || observed__platform, account__id || observed__id) with ordinality e(platform, id, o)
      left join ledger_account a on a.id = e.id and a.platform_id = e.platform;
  end if;
  if ${has("keep")} then
    kept := array_fill(''::text, array[cardinality(set__platform)]);
    for r in select e.nr, string_agg(case when e.later_count is null then (counts[e.number] - e.later)::text
          when set__caller[e.nr] is null or customers is null or customers[e.number] = set__caller[e.nr]
            then concat(balances[e.number] - e.later, ',', sequences[e.number] - e.later_count)
          else '0,0' end, ',' order by o) told
        from ${rowsOf("keep", { ordered: true })} group by 1 loop
      kept[r.nr] := r.told;
    end loop;
  end if;`

// After everything that sets of two batches may wait for: so that jobs are in the order of their commits.
const newJobs = `
  if ${has("job")} then
    insert into job (owner_id, platform_id, id, queue, kind, customer_id, lane, lane_hold_millis, due_at, payload, open, holds)
      select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.id, e.queue, e.kind, e.customer, e.lane, e.hold, e.due, e.payload::json,
        e.lane is null or (e.first and (e.opens or (select true from job j
          where j.platform_id = set__platform[e.nr] and j.queue = e.queue and j.lane = e.lane and j.holds limit 1) is null)), e.lane is not null
      from ${rowsOf("job", { ordered: true })} order by o;
  end if;`

const rest = `
  if ${has("event")} then
    insert into event (owner_id, platform_id, id, type, customer_id, subject, data, created_at, expires_at, shown, sums)
      select coalesce(e.customer, set__platform[e.nr]), set__platform[e.nr], e.id, e.type, e.customer, e.subject, e.data::json,
        set__at[e.nr], set__at[e.nr] + ${eventRetentionMillis}, e.shown::json, case when e.shown is not null then kept[e.nr] end
      from ${rowsOf("event")};
  end if;
  if ${has("answer")} then
    insert into replay (platform_id, key, fingerprint, status, answer, operation_id, shown, sums, expires_at)
      select set__platform[e.nr], e.key, e.fingerprint, e.status, e.body::json, set__operation[e.nr], e.shown::json,
        case when e.shown is not null then kept[e.nr] end, e.until
      from ${rowsOf("answer")};
  end if;
  if ${has("receipt")} then
    insert into operation (owner_id, platform_id, id, sums, expires_at)
      select set__owner[e.nr], set__platform[e.nr], set__operation[e.nr], coalesce(kept[e.nr], ''), set__until[e.nr] from ${rowsOf("receipt")};
  end if;`

export const commitGroupFunction = `
create or replace function commit_group_$H(looking boolean, observing boolean, ${declared}) returns text ${settings} as $body$
declare
  k int; lo int; hi int; r record; bad int[] := '{}'; fault int[]; found_rows int; numbers int[]; told text[]; kept text[]; touched text[];
  owners text[]; customers text[]; balances bigint[]; sequences bigint[]; counts bigint[];
begin
  ${readCommitted}
  ${locksOf(rowsOf("lock"), rowsOf("finish"))}
  ${guards}
  if looking then
    ${look}
  end if;
  if cardinality(bad) > 0 then return json_build_object('bad', bad)::text; end if;
  ${perKind("recorded", insertRecords)}
  ${changes}
  ${finishedJobs}
  ${uniqueKeys}
  ${ledger}
  ${counters}
  ${sums}
  ${newJobs}
  ${rest}
  return json_build_object('balances', coalesce(balances, '{}'), 'sequences', coalesce(sequences, '{}'), 'counters', coalesce(counts, '{}'),
    'owners', coalesce(customers, '{}'), 'queues', coalesce(touched, '{}'))::text;
end $body$;`
