/** The files of an embedding program are encrypted with keys of its wallet secret, and open while it changes. */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { embed } from "@countersign/adapter-http"
import { PostgresStore, PostgresVault } from "@countersign/adapter-postgres"
import { DocumentVault } from "@countersign/core/ports"
import { Sandbox } from "@countersign/core/sandbox"
import { type Effect, Stream } from "effect"
import { expect, it } from "vitest"
import * as TestDatabase from "../adapter-postgres/TestDatabase.ts"

const key = "File-00000000-0000-4000-b000-000000000001"
const secret = () => randomBytes(20).toString("hex")
const webhookKey = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString()

it("a file is stored encrypted, and opens while the wallet secret changes", async () => {
  const { close, pool } = await TestDatabase.create(4)
  const running = <A>(
    secrets: { readonly walletSecret: string; readonly previousWalletSecret?: string },
    use: (vault: DocumentVault["Service"]) => Effect.Effect<A, unknown>,
  ) =>
    embed({
      store: PostgresStore.layerPool({ pool }),
      documents: PostgresVault.layerPool({ pool }),
      documentEncryption: "on",
      ports: Sandbox.layer,
      sandbox: true,
      workers: false,
      webhookKey,
      ...secrets,
    }).then((embedded) => embedded.run(DocumentVault.use(use)).finally(embedded.dispose))
  const text = (vault: DocumentVault["Service"]) => Stream.mkString(Stream.decodeText(vault.read(key)))
  try {
    const [first, second] = [secret(), secret()]
    const bytes = Stream.make(new TextEncoder().encode("passport of Ada Lovelace"))
    await running({ walletSecret: first }, (vault) => vault.store(key, bytes))
    const rows = await pool.query("select encode(bytes, 'escape') as text from countersign.vault_chunk")
    expect(rows.rows.map((row) => String(row.text))).toEqual([expect.not.stringContaining("Lovelace")])
    expect(await running({ walletSecret: second, previousWalletSecret: first }, text)).toBe("passport of Ada Lovelace")
  } finally {
    await close()
  }
})
