/**
 * Who may move business time: nobody, unless a sandbox's clock is laid over the services; a platform that has the deployment
 * alone; or any of those that share it, which all travel together.
 * Source: D-100, D-103.
 */
import { Context } from "effect"

export const TimeTravel = Context.Reference<"nobody" | "alone" | "shared">("@countersign/core/TimeTravel", {
  defaultValue: () => "nobody",
})
