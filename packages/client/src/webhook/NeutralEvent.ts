/**
 * A received event with the names of the contract, whatever name the deployment has.
 * Source: wire contract areas 2.5 (clients of ours); D-371.
 */
import { EventResources, EventTypes, inwards, spellingsOf } from "@countersign/core/models"

type Members = Readonly<Record<string, unknown>>

/** Returns the renaming of events, whose types have proven to be texts. Events of a later version's types stay as they are. */
export const neutralEvents = (serviceName: string): ((event: Members) => Members) => {
  const spellings = spellingsOf(serviceName)
  return (event) => {
    const resource = EventTypes.find(String(event["type"]))
    const respell = resource === undefined ? undefined : inwards(EventResources.get(resource), spellings)
    return respell === undefined ? event : { ...event, data: respell(event["data"]) }
  }
}
