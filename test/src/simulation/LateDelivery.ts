/** A delivery that is due only after a month, so that the events of one record outlive their retention. Source: D-056. */
import type { EventResource } from "@countersign/core/models"
import { eventLane, Store } from "@countersign/core/store"
import { changeSet } from "../../../packages/test/src/conformance/ChangeSets.ts"
import { id, job } from "../../../packages/test/src/conformance/Examples.ts"
import type { Pay } from "./World.ts"

const dueAfterMillis = 60 * 24 * 60 * 60 * 1000

/** Adds it to the lane of an event. */
export const addLateDelivery = async (pay: Pay, { customerId, subject }: EventResource): Promise<void> => {
  const delivery = job(1, {
    id: id("Job", 1, customerId ?? pay.platformId),
    queue: "webhook",
    kind: "webhook.deliver",
    customerId: customerId ?? null,
    lane: eventLane(subject),
    dueAt: (await pay.clock.now()) + dueAfterMillis,
  })
  await pay.run(Store.use((store) => store.commit(changeSet({ jobs: [delivery] }))))
}
