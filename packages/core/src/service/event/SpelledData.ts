/**
 * The data of an event in the spelling of the service's name. Events are stored under neutral names and spelled at every attempt, so that a
 * changed name shows in redeliveries, too.
 * Source: wire contract areas 2.5 (stored form); D-371.
 */
import type { Json } from "../../foundation/kit/CanonicalJson.ts"
import { outwards, type Respell } from "../../foundation/names/Respelling.ts"
import { spellingsOf } from "../../foundation/names/Spellings.ts"
import { EventResources } from "../../model/EventResources.ts"
import { type EventType, EventTypes } from "../../model/event/EventTypes.ts"
import { serviceNameOf, type WireNames } from "../../settings/WireNames.ts"

type Spell = (type: EventType, data: Json) => unknown

/** Returns the data as it is under the default name. */
export const spelledData = (names: WireNames): Spell => {
  const spellings = spellingsOf(serviceNameOf(names))
  if (spellings.size === 0) return (_type, data) => data
  const byResource = new Map<string, Respell | undefined>()
  for (const [name, schema] of EventResources.entries) byResource.set(name, outwards(schema, spellings))
  return (type, data) => byResource.get(EventTypes.get(type))?.(data) ?? data
}
