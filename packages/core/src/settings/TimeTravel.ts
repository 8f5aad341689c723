/**
 * Who may advance business time: nobody without a sandbox clock; the one platform of a deployment; or every platform that shares
 * the deployment, for all of them together.
 * Source: D-100, D-103.
 */
import { Context } from "effect"

export const TimeTravel = Context.Reference<"nobody" | "alone" | "shared">("@countersign/core/TimeTravel", {
  defaultValue: () => "nobody",
})
