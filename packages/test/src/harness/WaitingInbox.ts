/** The inbox of a world that can also wait for an event: it runs due jobs and advances the clock. */
import { type EventType, EventTypes } from "@countersign/core/models"
import type { Duration } from "effect"
import { type Inbox, isOfType, type Received, type ReceivedOf } from "./WebhookInbox.ts"
import type { World } from "./World.ts"

/** The world's inbox, which can also wait for an event. */
export interface Webhooks extends Inbox {
  /**
   * Returns the first event that has the type or satisfies the predicate, also one that was received before. It runs due
   * jobs first. With `within`, it then advances the clock by this duration if no such event was received. If none arrives,
   * it rejects with the types of the events that were received.
   */
  readonly waitFor: {
    <Type extends EventType>(type: Type, within?: Duration.Input): Promise<ReceivedOf<Type>>
    (matches: (event: Received) => boolean, within?: Duration.Input): Promise<Received>
  }
}

export const webhooksOf = ({ clock, inbox, settle }: World): Webhooks => {
  const waitFor = async <Event extends Received>(
    name: string,
    matches: (event: Received) => event is Event,
    within: Duration.Input | undefined,
  ): Promise<Event> => {
    await settle()
    if (within !== undefined && !inbox.received.some(matches)) await clock.advance(within)
    const found = inbox.received.find(matches)
    if (found !== undefined) return found
    const types = inbox.received.map(({ type }) => type).join(", ")
    throw new Error(`${name} did not arrive; received: ${types || "nothing"}`)
  }
  function waitForEvent<Type extends EventType>(type: Type, within?: Duration.Input): Promise<ReceivedOf<Type>>
  function waitForEvent(matches: (event: Received) => boolean, within?: Duration.Input): Promise<Received>
  async function waitForEvent(expected: EventType | ((event: Received) => boolean), within?: Duration.Input) {
    if (typeof expected === "function") {
      return waitFor("a matching event", (event): event is Received => expected(event), within)
    }
    if (!EventTypes.has(expected)) {
      throw new Error(`unknown event type ${String(expected)}; known: ${EventTypes.keys.join(", ")}`)
    }
    return waitFor(expected, isOfType(expected), within)
  }
  return { ...inbox, waitFor: waitForEvent }
}
