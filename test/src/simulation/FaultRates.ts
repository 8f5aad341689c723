/** How often each fault is injected in a simulated run. */

/** Each number `n` means once in `n` opportunities. */
export interface FaultRates {
  readonly crash: number
  readonly defect: number
  readonly delay: number
  readonly conflict: number
  /** A commit that is lost, or whose response is lost. */
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
  /** The provider of stablecoins certainly has not received the request. */
  readonly providerDown: number
  readonly providerUnknown: number
  readonly providerSlow: number
  /** The vault fails, before or after it has done what it was asked. */
  readonly vaultDown: number
  readonly vaultSlow: number
  readonly webhookLost: number
  /** The endpoint begins to refuse several deliveries. */
  readonly endpointDown: number
}

/** Whether to inject a fault now that has a probability of one in `inTimes`. */
export type InjectsFault = (fault: keyof FaultRates, inTimes: number, name?: string) => boolean
