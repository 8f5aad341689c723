/** Emitted events and their deliveries: the list, or the event that the address names. */
import { useEffect, useState } from "preact/hooks"
import { EventList } from "./EventList.tsx"
import { EventView } from "./EventView.tsx"

const eventGiven = (): string | undefined => /^#events\/(.+)$/u.exec(location.hash)?.[1]

export const EventsArea = () => {
  const [eventId, setEventId] = useState(eventGiven())
  useEffect(() => {
    const turn = () => setEventId(eventGiven())
    window.addEventListener("hashchange", turn)
    return () => window.removeEventListener("hashchange", turn)
  }, [])
  return eventId === undefined ? <EventList /> : <EventView key={eventId} eventId={decodeURIComponent(eventId)} />
}
