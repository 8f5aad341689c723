/**
 * Agents that keep connections for the next deliveries.
 * Source: D-510.
 */
import http from "node:http"
import type { Duplex } from "node:stream"

/** A process sends at most 128 deliveries at once, and all of them may go to one host: as many connections are kept for it. */
export const agentOptions = {
  keepAlive: true,
  maxFreeSockets: 128,
  // Closes idle connections after this time. It does not limit a request.
  timeout: 15_000,
  // The default is too short for distant hosts.
  autoSelectFamilyAttemptTimeout: 1_000,
}

/** How many connections an agent keeps for all hosts. What is beyond closes after its answer, so that no host waits for another. */
const idleMax = 256

export const hasIdleRoom = ({ freeSockets }: http.Agent): boolean =>
  Object.values(freeSockets).reduce((sum, sockets) => sum + (sockets?.length ?? 0), 0) < idleMax

/** The agent for http. */
export class KeepingAgent extends http.Agent {
  override keepSocketAlive(socket: Duplex): boolean {
    const isKept: unknown = super.keepSocketAlive(socket)
    return isKept !== false && hasIdleRoom(this)
  }
}
