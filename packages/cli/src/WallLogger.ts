/**
 * Stamps log lines with real time, whatever a sandbox's clock shows, so that they can be compared with those of other programs.
 * Source: D-101.
 */
import { Clock, Logger } from "effect"

const wallClock = Clock.Clock.defaultValue()

export const make = (logger: Logger.Logger<unknown, void>): Logger.Logger<unknown, void> =>
  Logger.make((options) => logger.log({ ...options, date: new Date(wallClock.currentTimeMillisUnsafe()) }))
