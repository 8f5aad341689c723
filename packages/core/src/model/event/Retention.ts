/**
 * How long events are stored, and which jobs delay their deletion.
 * Source: D-056, D-104.
 */

/** The retention of an event after its creation, in milliseconds of business time; longer while its delivery is unfinished. */
export const eventRetentionMillis = 30 * 24 * 60 * 60 * 1000

/** The lane in which the events of one record are delivered: while it contains a job, none of these events is deleted. */
export const eventLane = (subject: string): string => `event:${subject}`
