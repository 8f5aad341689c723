/**
 * The page of the limits of use: a row for each limit, and what a 429 contains.
 * Source: D-335.
 */
import { type UseLimit, UseLimits } from "@countersign/core/models"
import { code, page, table } from "./Markdown.ts"

const windowOf = ({ windowSeconds }: UseLimit): string => {
  if (windowSeconds === 24 * 60 * 60) return "UTC day"
  return windowSeconds === 60 ? "minute" : `${windowSeconds / 60} minutes`
}

const keptIn = {
  commit: "commit of the attempt",
  process: "process",
  both: "process, and added up in the store every second",
} satisfies Record<UseLimit["kept"], string>

export const limitsOfUsePage = (): string =>
  page(
    "Limits of use",
    "`UseLimits`",
    "A request beyond a limit answers 429 `RATE_LIMITED`. `details.reason` names the limit; `Retry-After`, `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` are headers, with times in seconds. Nothing else happens: no code is sent, no answer is checked. A source is an IPv4 address or the /64 network of an IPv6 address.",
    table(
      ["Limit", "Counts", "Per", "At most", "Within", "Counted in"],
      UseLimits.entries.map(([name, row]) => [
        code(name),
        row.counts,
        row.per,
        row.count === null ? "off; the deployment sets it" : String(row.count),
        windowOf(row),
        keptIn[row.kept],
      ]),
    ),
    "Five wrong answers close a one-time code, and the lockout of strong authentication locks the customer for longer after each further failure. `UseLimitSettings` sets other counts, and the prices of codes by the prefix of the telephone number.",
  )
