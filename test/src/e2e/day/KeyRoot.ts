/** Where the wallet secret and the webhook key come from: a key in a SoftHSM token, or on a machine without SoftHSM a key service. */
import { execFileSync } from "node:child_process"
import { createHmac, randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { createKey, walletSecretFrom, webhookKeyFrom } from "@countersign/adapter-keys"
import { softHsm } from "../../adapter-keys/SoftHsm.ts"

export interface KeyRoot extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>
  /** The credential, and what the key derives. */
  readonly secrets: ReadonlyArray<string>
}

const rootOf = async (
  source: string,
  credential: string,
  more: Readonly<Record<string, string>>,
  dispose: () => Promise<void>,
): Promise<KeyRoot> => ({
  env: {
    ...more,
    COUNTERSIGN_KEYS_CREDENTIAL: credential,
    COUNTERSIGN_WALLET_SECRET_FROM: source,
    COUNTERSIGN_WEBHOOK_KEY_FROM: source,
  },
  secrets: [
    credential,
    await walletSecretFrom(source, credential),
    ...(await webhookKeyFrom(source, credential)).split("\n").filter((line) => line.length > 40),
  ],
  [Symbol.asyncDispose]: dispose,
})

const tokenRoot = (folder: string): Promise<KeyRoot> => {
  const pin = randomBytes(6).toString("hex")
  const configuration = join(folder, "softhsm2.conf")
  writeFileSync(configuration, `directories.tokendir = ${folder}\nobjectstore.backend = file\nlog.level = ERROR\n`)
  process.env["SOFTHSM2_CONF"] = configuration
  execFileSync("softhsm2-util", ["--init-token", "--free", "--label", "day", "--so-pin", pin, "--pin", pin])
  const source = `pkcs11:token=day;object=root?module-path=${encodeURIComponent(softHsm)}`
  createKey(source, pin)
  return rootOf(source, pin, { SOFTHSM2_CONF: configuration }, async () => undefined)
}

const serviceRoot = async (): Promise<KeyRoot> => {
  const key = randomBytes(32)
  const service = createServer((request, response) => {
    void text(request).then((body) => {
      const input = Buffer.from(String(JSON.parse(body).input), "base64")
      response.end(JSON.stringify({ mac: createHmac("sha256", key).update(input).digest("base64") }))
    })
  })
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve))
  const { port } = service.address() as AddressInfo
  return rootOf(`http://127.0.0.1:${port}/keys/root`, randomBytes(16).toString("hex"), {}, async () => {
    service.closeAllConnections()
    service.close()
  })
}

export const keyRoot = (folder: string): Promise<KeyRoot> => (softHsm === "" ? serviceRoot() : tokenRoot(folder))
