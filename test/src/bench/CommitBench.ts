/** Committed transfers per second through `Store.commit`, beside `pgbench` with the same calls, and beside the bare transfer. */
import { PoolConnection } from "@countersign/adapter-postgres"
import { openAccounts } from "./Accounts.ts"
import { bareScript, clearBare, createBare } from "./BareTransfer.ts"
import { commitLoad, type Load, storeOn } from "./CommitLoad.ts"
import { clearTables, type DurableServer } from "./DurableServer.ts"
import { pgbench, storeScript, type Target } from "./Pgbench.ts"
import { withServer } from "./ProcessorTime.ts"
import { type Case, compare, type Ratio, type Settings } from "./Rounds.ts"

const base = "pgbench"
const hotBase = "pgbench, hot"
const bare = "bare transfer"
const bareHot = "bare transfer, hot"

/** The database of the commits, with its accounts, and the cases that run on it. */
export const prepared = async (server: DurableServer, database: string, seconds: number) => {
  await server.create(database)
  const connection = PoolConnection.make(server.pool(database, 10))
  const store = storeOn(connection)
  await store.runPromise(openAccounts)
  await connection.session(({ script }) => script("vacuum analyze"))
  const target: Target = { folder: server.folder, database, pool: server.pool(database, 8) }
  const commits = (load: Load) => () => commitLoad(store, connection, load, server.folder, seconds)
  const sameCalls = (size: Load["size"], isHot: boolean) => async () => {
    await clearTables(connection)
    const script = await storeScript(connection, size, isHot)
    return withServer(server.folder, () => pgbench(target, script, seconds))
  }
  const bareCalls = (isHot: boolean) => async () => {
    await connection.session(clearBare)
    return withServer(server.folder, () => pgbench(target, bareScript(isHot), seconds))
  }
  await connection.session(createBare)
  return { commits, sameCalls, bareCalls, close: () => store.dispose() }
}

export const commitBench = async (
  server: DurableServer,
  settings: Settings,
  write: (text: string) => void,
): Promise<ReadonlyArray<Ratio>> => {
  const { bareCalls, close, commits, sameCalls } = await prepared(server, "commits", settings.seconds)
  const transferIn = (callers: number, isHot: boolean): Case => ({
    name: `Store.commit, ${callers} callers${isHot ? ", hot" : ""}`,
    bases: isHot ? [hotBase, bareHot] : [base, bare],
    run: commits({ size: "transferIn", isHot, callers }),
  })
  const cases: ReadonlyArray<Case> = [
    { name: base, run: sameCalls("transferIn", false) },
    transferIn(1, false),
    transferIn(8, false),
    transferIn(64, false),
    { name: hotBase, run: sameCalls("transferIn", true) },
    transferIn(1, true),
    transferIn(8, true),
    transferIn(64, true),
    { name: bare, run: bareCalls(false) },
    { name: bareHot, run: bareCalls(true) },
    {
      name: "Store.commit, 64 callers, one of every part",
      bases: [bare],
      run: commits({ size: "full", isHot: false, callers: 64 }),
    },
    {
      name: "Store.commit, 64 callers, only what the bare transfer writes",
      bases: [bare],
      run: commits({ size: "plain", isHot: false, callers: 64 }),
    },
  ]
  const ratios = await compare("Committed transfers", cases, settings, write)
  await close()
  return ratios
}
