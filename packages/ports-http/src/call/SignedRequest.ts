/** The headers of a signed request, and what its answer is signed for. Source: D-527. */
import { randomUUID } from "node:crypto"
import { Clock } from "effect"
import { headerNames, type PortSecrets, sign } from "../signing/Signatures.ts"

/** The clock of the process: deadlines and signatures are real time, whatever clock the service uses. */
export const processClock = Clock.Clock.defaultValue()

export const signedRequest = (secrets: PortSecrets, { pathname: path }: URL, body: Uint8Array) => {
  const timestamp = String(Math.floor(processClock.currentTimeMillisUnsafe() / 1000))
  const of = { path, id: randomUUID(), timestamp }
  const headers = {
    "Content-Type": "application/json",
    [headerNames.id]: of.id,
    [headerNames.timestamp]: timestamp,
    [headerNames.signature]: sign(secrets, { direction: "request", methodOrStatus: "POST", body, ...of }),
  }
  return { headers, of }
}
