/** Asks a bank that notifies nobody for what it has booked since the last call, and reports each booking. */
import type { Embedded } from "@countersign/adapter-http"
import { type Notification, notified } from "./Notifications.ts"

export interface Bookings {
  /** Returns bookings after `cursor`, oldest first, and the cursor behind them. */
  readonly since: (cursor: string) => Promise<{ readonly bookings: ReadonlyArray<Notification>; readonly next: string }>
}

/** Where the cursor is kept: a row of your database. */
export interface CursorStore {
  readonly read: () => Promise<string>
  readonly write: (cursor: string) => Promise<void>
}

/** Call it every minute, in one process or in all of them: a repeated report changes nothing. */
export const pollBookings = async (payments: Pick<Embedded, "run">, bank: Bookings, cursor: CursorStore) => {
  const { bookings, next } = await bank.since(await cursor.read())
  for (const booking of bookings) await notified(payments, booking)
  // Only when all are reported: a process that dies before it reports them again.
  await cursor.write(next)
}
