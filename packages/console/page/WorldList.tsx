/** The saved worlds, each with what can be done with it. */
import type { WorldListResponse, WorldResource } from "@countersign/core/models"
import { aheadText, dateTime, many } from "./Format.ts"

export type WorldVerb = "Load" | "Replace" | "Download" | "Delete"

const verbs: ReadonlyArray<WorldVerb> = ["Load", "Replace", "Download", "Delete"]

interface Props {
  readonly worlds: WorldListResponse
  readonly isAsking: boolean
  readonly onVerb: (verb: WorldVerb, world: WorldResource) => void
}

export const WorldList = ({ isAsking, onVerb, worlds: { current, data } }: Props) =>
  data.length === 0 ? (
    <p class="empty">No world is saved.</p>
  ) : (
    <ul class="worlds">
      {data.map((world) => (
        <li key={world.name}>
          <h3>
            {world.name} {world.name === current ? <span class="badge approved">Continues here</span> : null}
          </h3>
          <p class="soft small">
            Time <time dateTime={world.businessTime}>{dateTime(world.businessTime)}</time> (
            {aheadText(world.aheadMillis)}), saved <time dateTime={world.savedAt}>{dateTime(world.savedAt)}</time>.{" "}
            {many(world.counts.customers, "customer")}, {many(world.counts.transactions, "transaction")},{" "}
            {many(world.counts.events, "event")}, {many(Math.ceil(world.bytes / 1024), "KiB", "KiB")}.
          </p>
          <div class="row">
            {verbs.map((verb) => (
              <button
                key={verb}
                type="button"
                class={verb === "Delete" ? "quiet" : ""}
                disabled={isAsking}
                aria-label={`${verb} ${world.name}`}
                onClick={() => onVerb(verb, world)}
              >
                {verb}
              </button>
            ))}
          </div>
        </li>
      ))}
    </ul>
  )
