-- due_jobs: the due jobs of a platform that no lane blocks, in the order of their due times, without the skipped ones.
--
-- claim_jobs calls this function. It has no settings of its own, so that the planner makes it part of the query.
-- Source: store/Store.ts (ClaimRequest).

create or replace function countersign.due_jobs(
  due_queue text, due_platform text, business_now bigint, wall_now bigint, job_limit int, skipped_ids text[]
)
returns table (id text, due_at bigint, sequence bigint)
language sql stable as $body$
  select j.id, j.due_at, j.sequence
  from countersign.job as j
  where j.queue = due_queue and j.platform_id = due_platform
    and j.open and j.state <> 'parked' and j.due_at <= business_now and j.not_before <= wall_now
    and j.id <> all (skipped_ids)
    -- No earlier job of its lane blocks it, and none will that this same claim takes first.
    and (j.lane is null or not exists (
      select from countersign.job as earlier
      where earlier.platform_id = j.platform_id and earlier.queue = due_queue and earlier.lane = j.lane
        and earlier.sequence < j.sequence
        and (
          earlier.holds
          or (
            earlier.open and earlier.state <> 'parked'
            and earlier.not_before <= wall_now and earlier.due_at <= j.due_at
          )
        )
    ))
  order by j.due_at, j.sequence
  limit job_limit
$body$;
