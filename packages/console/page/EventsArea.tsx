/** Emitted events and their deliveries: the list, also of a record that the address names, or the event that it names. */
import { EventList } from "./EventList.tsx"
import { EventView } from "./EventView.tsx"
import { useHashParts } from "./Hash.ts"

export const EventsArea = () => {
  const [first, second = ""] = useHashParts()
  if (first === undefined) return <EventList record="" />
  return first === "record" ? <EventList key={second} record={second} /> : <EventView key={first} eventId={first} />
}
