/**
 * Measures `POST /agents/me/transfer-in` over HTTP with durable commits in PostgreSQL, beside its layers: the base, `Store.commit` alone, and
 * an echo without storage.
 */
import { part } from "./Child.ts"
import { prepared } from "./CommitBench.ts"
import type { DurableServer } from "./DurableServer.ts"
import { type Case, compare, type Ratio, type Settings } from "./Rounds.ts"
import { transferPath, transferRound, transferService } from "./TransferService.ts"

export interface EndToEndOptions {
  /** The folder for the profile of the service. */
  readonly profile?: string | undefined
}

export const endToEndBench = async (
  server: DurableServer,
  settings: Settings,
  { profile }: EndToEndOptions,
  write: (text: string) => void,
): Promise<ReadonlyArray<Ratio>> => {
  const { seconds } = settings
  const nodeOptions = profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", profile]
  await using running = await transferService(server, { database: "service", nodeOptions })
  await using echoing = await part("ready", "echo", { answer: running.exampleAnswer })
  const echo = { ...running.target, child: echoing, isStored: false }

  const { close, commits, sameCalls } = await prepared(server, "layers", seconds)
  const base = "pgbench"
  const at = (connections: number): ReadonlyArray<Case> => [
    {
      name: `node:http echo, ${connections} connections`,
      bases: [base],
      run: transferRound(echo, server.folder, connections, seconds),
    },
    {
      name: `Store.commit, ${connections} callers`,
      bases: [base],
      run: commits({ size: "transferIn", isHot: false, callers: connections }),
    },
    {
      name: `POST ${transferPath}, ${connections} connections`,
      bases: [base, `node:http echo, ${connections} connections`, `Store.commit, ${connections} callers`],
      run: transferRound(running.target, server.folder, connections, seconds),
    },
  ]
  const cases: ReadonlyArray<Case> = [{ name: base, run: sameCalls("transferIn", false) }, ...at(32), ...at(128)]
  const ratios = await compare("End to end", cases, settings, write)
  await close()
  return ratios
}
