/** Reads audit records in tests. */
import type { AuditRecordResource } from "@countersign/core/models"
import type { AgentParts } from "../../../packages/test/src/harness/AgentWorld.ts"
import type { Harness, Reply } from "../../../packages/test/src/harness/Harness.ts"
import { at } from "../customer/CustomerRequests.ts"

export type Pay = Harness & AgentParts

export const records = async (pay: Harness, query = ""): Promise<ReadonlyArray<AuditRecordResource>> =>
  at(await pay.send("GET", `/audit-records?${query}`), "data") as ReadonlyArray<AuditRecordResource>

/** Returns the audit record of the request with this response. */
export const recordOf = async (pay: Harness, reply: Reply): Promise<AuditRecordResource | undefined> =>
  (await records(pay, "limit=100")).find(({ requestId }) => requestId === reply.headers.get("x-request-id"))
