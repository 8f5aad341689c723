/**
 * The short benchmark, for each change: commits and transfers over HTTP beside `pgbench`, the start beside a bare server of Node, the check of a
 * signature beside openssl.
 * Source: D-516.
 */
import { prepared } from "./CommitBench.ts"
import { signatureCases } from "./CryptoBench.ts"
import type { DurableServer } from "./DurableServer.ts"
import { type Case, compare, type Ratio, type Settings } from "./Rounds.ts"
import { startCases } from "./StartRatio.ts"
import { transferPath, transferRound, transferService } from "./TransferService.ts"

const base = "pgbench"
const callers = 64
const connections = 128

export const shortBench = async (
  server: DurableServer,
  settings: Settings,
  write: (text: string) => void,
): Promise<ReadonlyArray<Ratio>> => {
  const { seconds } = settings
  const ofSignatures = await compare("Signatures", await signatureCases(settings), settings, write)
  const ofStart = await compare("Start", await startCases(), settings, write)
  const { close, commits, sameCalls } = await prepared(server, "commits", seconds)
  await using running = await transferService(server, { database: "service" })
  const cases: ReadonlyArray<Case> = [
    { name: base, run: sameCalls("transferIn", false) },
    {
      name: `Store.commit, ${callers} callers`,
      bases: [base],
      run: commits({ size: "transferIn", isHot: false, callers }),
    },
    {
      name: `POST ${transferPath}, ${connections} connections`,
      bases: [base],
      run: transferRound(running.target, server.folder, connections, seconds),
    },
  ]
  const ofTransfers = await compare("Transfers", cases, settings, write)
  await close()
  return [...ofTransfers, ...ofStart, ...ofSignatures]
}
