/**
 * Writes the dump of the present schema with the rows of a short history: `npm run schema`. An existing dump belongs to a released schema
 * and is not changed; `--again` replaces it, which is allowed before its release only.
 */
import { existsSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Migrations, PoolConnection } from "@countersign/adapter-postgres"
import { AgentActions } from "@countersign/core"
import { Effect } from "effect"
import { agentWorld } from "../../packages/test/src/harness/AgentWorld.ts"
import { dump } from "../src/adapter-postgres/SchemaDump.ts"
import { faultServer, worldStoreOn } from "../src/faults/FaultServer.ts"

const { name, version } = Migrations.migrations.at(-1) ?? { name: "none", version: 0 }
const file = new URL(`../../packages/adapter-postgres/schema/${String(version).padStart(4, "0")}.sql`, import.meta.url)
if (existsSync(file) && !process.argv.includes("--again")) {
  console.log(`${fileURLToPath(file)} exists`)
} else {
  await using server = await faultServer()
  const database = await server.create()
  const pool = database.pool()
  await using pay = await agentWorld(
    { approvalThresholds: { currency: "USD", amount: 1000 } },
    { store: worldStoreOn(database, pool), suffixes: ["000", "002"] },
  )
  const submit = (key: string, suffix: string, amount: number) => {
    const request = {
      sourceAccountId: pay.sources[suffix] ?? "",
      destinationAccountId: pay.accountId,
      amount,
    }
    const keyed = { key, method: "POST", path: "/agents/me/transfer-in", body: request }
    return pay.run(Effect.result(AgentActions.use((actions) => actions.submitTransferIn(request, keyed))), pay.agent)
  }
  await submit("executed", "000", 100)
  await submit("refused by the bank", "002", 200)
  await submit("refused", "000", 1_000_000)
  await pay.settle()
  // A pending action and a waiting transfer, for the next release to continue.
  await submit("held", "000", 2000)
  await submit("waiting", "000", 300)
  writeFileSync(file, await dump(PoolConnection.make(pool), `Schema ${version} (${name}), as it was released.`))
  console.log(`written: ${fileURLToPath(file)}`)
}
