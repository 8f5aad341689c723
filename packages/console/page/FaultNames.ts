/** The faults of a sandbox's ports as people read them, with what can be set. Source: D-480. */
import type { FaultPort } from "./Wire.ts"

interface PortName {
  readonly title: string
  readonly short: string
  /** Each kind, with what it does. */
  readonly kinds: Readonly<Record<string, string>>
}

const calls = {
  REJECT: "Refuses",
  UNKNOWN: "Does it, and the answer is lost",
  SLOW: "Knows the outcome later",
  ERROR: "Breaks off, and is tried again",
}

export const portNames: Readonly<Record<FaultPort, PortName>> = {
  rail: { title: "Rail", short: "rail", kinds: calls },
  issuer: { title: "Card issuer", short: "issuer", kinds: calls },
  webhooks: {
    title: "Webhooks",
    short: "webhooks",
    kinds: { STATUS: "The endpoint answers with a status", TIMEOUT: "The endpoint does not answer" },
  },
  store: {
    title: "Store",
    short: "store",
    kinds: {
      CONFLICT: "Something else changed the same",
      FAIL_BEFORE: "The connection breaks before it is stored",
      FAIL_AFTER: "The connection breaks after it was stored",
    },
  },
}

export const faultPorts = Object.keys(portNames) as ReadonlyArray<FaultPort>

interface NumberField {
  readonly member: "percent" | "slowSeconds" | "status" | "commits"
  readonly label: string
  readonly min: number
  readonly max: number
  readonly initial: number
}

const percent: NumberField = { member: "percent", label: "Percent of calls", min: 1, max: 100, initial: 100 }
const slow: NumberField = { member: "slowSeconds", label: "Seconds later", min: 1, max: 2_592_000, initial: 60 }
const status: NumberField = { member: "status", label: "Status", min: 300, max: 599, initial: 503 }
const commits: NumberField = { member: "commits", label: "Next commits", min: 1, max: 1000, initial: 10 }

/** What can be set for a kind of fault of a port. */
export const fieldsOf = (port: FaultPort, kind: string): ReadonlyArray<NumberField> => {
  if (port === "store") return [commits]
  if (kind === "SLOW") return [percent, slow]
  return kind === "STATUS" ? [percent, status] : [percent]
}
