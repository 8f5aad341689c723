/** How the page names the delivery of an event. */
import { expect, it } from "vitest"
import { type Attempt, shownOf } from "../../../packages/console/page/DeliveryShown.ts"

const attempt = (isAcknowledged: boolean): Attempt => ({ ...JSON.parse("{}"), isAcknowledged })

it.each([
  ["RUNNING", undefined, "Sending", "sandbox"],
  ["RUNNING", attempt(false), "Sending", "sandbox"],
  ["PARKED", attempt(false), "Given up", "failed"],
  ["WAITING", undefined, "Waiting", "sandbox"],
  ["WAITING", attempt(false), "Retrying", "sandbox"],
  ["DONE", undefined, "Not sent", "rejected"],
  ["DONE", attempt(true), "Delivered", "approved"],
  ["DONE", attempt(false), "Not acknowledged", "failed"],
] as const)("a delivery that is %s after %j is %s", (delivery, last, label, tone) => {
  expect(shownOf(delivery, last)).toEqual({ label, tone })
})
