/** The webhook endpoint of a soak run: it verifies each delivery when it arrives, refuses some, and keeps only the ids of the events. */
import { type Delivery, isSigned, receiver } from "../e2e/Receiver.ts"
import type { Arrivals } from "../faults/CrashAudit.ts"

const deliveriesPerRefusal = 40

export interface SoakReceiver extends AsyncDisposable {
  readonly url: string
  /** Sets the key (SPKI PEM) that must have signed all deliveries, also those that have arrived. */
  readonly verifyWith: (publicKey: string) => void
  /** What has arrived until now. */
  readonly arrivals: () => Arrivals & { readonly deliveries: number; readonly refusals: number }
}

export const soakReceiver = async (randomInt: (below: number) => number): Promise<SoakReceiver> => {
  const ids = new Set<string>()
  const counts = { deliveries: 0, refusals: 0, unsigned: 0 }
  const unverified: Array<Delivery> = []
  let key: string | undefined
  const verify = (delivery: Delivery) => {
    if (key === undefined) unverified.push(delivery)
    else if (!isSigned(delivery, key)) counts.unsigned += 1
  }
  const endpoint = await receiver({
    onDelivery: (delivery) => {
      ids.add(delivery.event.id)
      counts.deliveries += 1
      verify(delivery)
      if (randomInt(deliveriesPerRefusal) !== 0) return
      counts.refusals += 1
      endpoint.answerNext(500)
    },
  })
  return {
    url: endpoint.url,
    verifyWith: (publicKey) => {
      key = publicKey
      for (const delivery of unverified.splice(0)) verify(delivery)
    },
    arrivals: () => ({ ids: new Set(ids), ...counts }),
    [Symbol.asyncDispose]: endpoint[Symbol.asyncDispose],
  }
}
