/**
 * How long an event is kept, and which jobs it waits for.
 * Source: D-056, D-104.
 */

/** An event is kept so long (business ms) after its creation; longer where its delivery is not finished. */
export const eventRetentionMillis = 30 * 24 * 60 * 60 * 1000

/** The lane in which the events of one record are delivered: while a job is in it, none of these events is forgotten. */
export const eventLane = (subject: string): string => `event:${subject}`
