/** Whether the certificate of the public address is trusted, and for how long. Source: D-534. */
import { Clock, Effect, Option } from "effect"
import type { ServeOptions } from "../../ServeFlags.ts"
import { type Finding, ok, problem, warning } from "../Finding.ts"
import { reach } from "../Reach.ts"

const dayMillis = 86_400_000
const daysMin = 14

export const certificateFinding = (host: string, found: number | string, now: number): Finding => {
  if (typeof found === "string") {
    return problem("certificate", `${host}: ${found}`, "let the proxy show a certificate that clients trust")
  }
  const days = Math.floor((found - now) / dayMillis)
  return days >= daysMin
    ? ok("certificate", `that of ${host} is trusted for ${days} more days`)
    : warning("certificate", `that of ${host} ends in ${days} days`, "renew it")
}

export const checkCertificate = Effect.fnUntraced(function* ({ publicUrl }: Pick<ServeOptions, "publicUrl">) {
  if (Option.isNone(publicUrl)) return []
  const url = new URL(publicUrl.value)
  if (url.protocol !== "https:") return []
  const found = yield* Effect.match(reach(url), {
    onSuccess: (certificate) => certificate?.validTo ?? Number.NaN,
    onFailure: (reason) => reason,
  })
  return [certificateFinding(url.hostname, found, yield* Clock.currentTimeMillis)]
})
