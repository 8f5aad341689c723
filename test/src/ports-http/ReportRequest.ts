/** A report as a bank sends it, or with a fault that a test chooses. */
import { headerNames } from "../../../packages/ports-http/src/signing/Signatures.ts"
import { serverSecret, signatureOf } from "./PortServer.ts"

/** The time of a report, unless a test names another one. */
export const reportTime = 1_790_000_000_000

export interface Sent {
  readonly path?: string
  readonly signedPath?: string
  readonly id?: string
  readonly at?: number
  readonly secret?: string
  readonly direction?: string
  readonly body?: unknown
  readonly sentBody?: string
}

let count = 0

export const reportOf = (given: Sent) => {
  count += 1
  const {
    at = reportTime,
    direction = "report",
    id = `report-${count}`,
    path = "/port-reports/rails/outcome",
    secret = serverSecret,
  } = given
  const body = typeof given.body === "string" ? given.body : JSON.stringify(given.body ?? {})
  const timestamp = String(Math.floor(at / 1000))
  const signature = signatureOf(secret, [direction, "POST", given.signedPath ?? path, timestamp, id], body)
  const headers = { [headerNames.id]: id, [headerNames.timestamp]: timestamp, [headerNames.signature]: signature }
  const request = new Request(`http://pay.example.com${path}`, {
    method: "POST",
    headers,
    body: given.sentBody ?? body,
  })
  return { request, path, timestamp, id }
}
