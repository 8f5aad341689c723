/** How often each fault strikes in a simulated run. */

/** Each number: once in so many passages. */
export interface Climate {
  readonly crash: number
  readonly defect: number
  readonly delay: number
  readonly conflict: number
  /** A commit that did not arrive, or whose answer did not. */
  readonly lostCommit: number
  readonly lostRead: number
  readonly railUnknown: number
  readonly railSlow: number
  readonly issuerUnknown: number
  readonly issuerSlow: number
  readonly verifierUnknown: number
  readonly verifierSlow: number
  readonly rateUnknown: number
  readonly rateSlow: number
  readonly rateMoved: number
  readonly webhookLost: number
}

/** Whether a fault happens now that happens once in so many times. */
export type Strikes = (fault: keyof Climate, inTimes: number, name?: string) => boolean
