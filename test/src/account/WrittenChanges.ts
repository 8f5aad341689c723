/** The context of decisions about accounts, and what they write. */
import { tenant } from "@countersign/core"
import type { DecisionContext } from "../../../packages/core/src/decision/Decision.ts"
import type { Changes } from "../../../packages/core/src/store/Changes.ts"

export const now = Date.parse("2026-03-02T08:00:00Z")
export const owner = { platformId: "Platform:1", customerId: "Customer:1" }
export const ofPlatform = { ...owner, customerId: null }
export const ids = (type: string) => `${type}:new`
export const context: DecisionContext = {
  now,
  ids,
  caller: tenant(owner.platformId),
  requestId: "Request:1",
  rejections: [],
}
export const dated = { ...owner, version: 3, createdAt: 1, updatedAt: 2 }

export const dataOf = ({ updates = [] }: Changes) => updates.map(({ data }) => data)
export const eventsOf = ({ events = [] }: Changes) =>
  events.map(({ customerId, subject, type }) => [type, subject, customerId])
export const jobsOf = ({ jobs = [] }: Changes) => jobs.filter(({ kind }) => !kind.startsWith("webhook"))
