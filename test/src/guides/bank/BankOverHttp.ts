/** A service whose rails are at a bank in any language, and the handler that takes the bank's reports. */
import { embed } from "@countersign/adapter-http"
import { MemoryStore } from "@countersign/adapter-memory"
import { Sandbox } from "@countersign/core/sandbox"
import { httpPorts, portReports } from "@countersign/ports-http"
import { Layer, Redacted } from "effect"

const platforms = [{ clientId: "first", clientSecret: "first-secret" }]

export const startWithBank = async (url: string, secret: string) => {
  const secrets = [Redacted.make(secret)] as const
  const { rails } = httpPorts({ url, secrets })
  // What comes later in a merge wins; `all` has every port that live mode needs.
  const ports = Layer.mergeAll(Sandbox.layer, rails)
  const payments = await embed({ store: MemoryStore.layer, ports, sandbox: true, platforms })
  // Route the paths below the address of the reports to it: (request: Request) => Promise<Response>.
  const reports = portReports({ secrets, run: payments.run })
  return { payments, reports }
}
