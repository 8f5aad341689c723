/**
 * Measures `POST /agents/me/transfer-in` of this checkout beside the same of another commit: two servers on one PostgreSQL, in alternating
 * rounds, so that other load on the machine disturbs both.
 */
import { checkout } from "./Checkout.ts"
import type { DurableServer } from "./DurableServer.ts"
import { type Case, compare, type Settings } from "./Rounds.ts"
import { transferPath, transferRound, transferService } from "./TransferService.ts"

export const againstBench = async (
  server: DurableServer,
  settings: Settings,
  commit: string,
  write: (text: string) => void,
): Promise<void> => {
  await using other = await checkout(commit)
  await using before = await transferService(server, { database: "before", checkout: other.folder })
  await using now = await transferService(server, { database: "now" })
  const at = (connections: number): ReadonlyArray<Case> => {
    const base = `${other.name}, ${connections} connections`
    const round = ({ target }: typeof now) => transferRound(target, server.folder, connections, settings.seconds)
    return [
      { name: base, run: round(before) },
      { name: `now, ${connections} connections`, bases: [base], run: round(now) },
    ]
  }
  await compare(`POST ${transferPath} against ${other.name}`, [...at(32), ...at(128)], settings, write)
}
