/**
 * The daily volume that a deployment allows its platforms and their customers. The default is no limit. A platform cannot change it.
 * Source: wire contract 8.2 (`DAILY_VOLUME_LIMIT_EXCEEDED`); D-339.
 */
import { Context } from "effect"
import type { DailyVolumeLimits } from "../model/limit/DailyVolume.ts"

/** The limits of every platform, and those of single ones. */
export interface DailyVolumeSettings extends DailyVolumeLimits {
  /** The limits of single platforms, by id, in place of the general ones. */
  readonly platforms?: { readonly [platformId: string]: DailyVolumeLimits }
}

export const DailyVolume = Context.Reference<DailyVolumeSettings | undefined>("@countersign/core/DailyVolume", {
  defaultValue: () => undefined,
})
