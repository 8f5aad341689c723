-- open_lane: opens the jobs of a lane behind `after_sequence`, up to and including the first one that blocks the rest.
--
-- A lane runs its jobs one after another. An open job may be claimed; a job that "holds" blocks the jobs behind it.
-- claim_jobs and commit_serial call this function. It has no settings of its own: setting them again costs more than
-- the statement does.

create or replace function countersign.open_lane(
  lane_queue text, lane_platform text, lane_name text, after_sequence bigint
)
returns void
language plpgsql as $body$
begin
  update countersign.job as j
  set open = true
  where j.platform_id = lane_platform and j.queue = lane_queue and j.lane = lane_name
    and j.sequence > after_sequence and not j.open
    and j.sequence <= coalesce((
      select holder.sequence from countersign.job as holder
      where holder.platform_id = lane_platform and holder.queue = lane_queue and holder.lane = lane_name
        and holder.sequence > after_sequence and holder.holds
      order by holder.sequence
      limit 1
    ), 9223372036854775807);
end $body$;
