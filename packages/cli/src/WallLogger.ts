/**
 * Log lines by real time, whatever a sandbox's clock says: who reads logs reads those of other programs, too.
 * Source: D-101.
 */
import { Clock, Logger } from "effect"

const wallClock = Clock.Clock.defaultValue()

export const make = (logger: Logger.Logger<unknown, void>): Logger.Logger<unknown, void> =>
  Logger.make((options) => logger.log({ ...options, date: new Date(wallClock.currentTimeMillisUnsafe()) }))
