/**
 * Wallets of a live deployment on PostgreSQL: after the complete flow of each credential type, with its failures, no table and no
 * output of the server contains a secret.
 * Source: wire contract 4; D-140, D-141.
 */
import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { oidcProvider } from "../../../packages/test/src/harness/OidcProvider.ts"
import { credentialTypes, type Secrets, walletFlow } from "../wallet/WalletFlow.ts"
import { basic, client } from "./Client.ts"
import { clear, dump } from "./Dump.ts"
import { credentialOptions, credentials } from "./Flow.ts"
import { newFolder } from "./Folder.ts"
import { newDatabase } from "./ServerDatabase.ts"
import { startServer } from "./ServerProcess.ts"

const ports = fileURLToPath(new URL("./WalletPorts.ts", import.meta.url))

/** Returns the last code that was sent to a contact. */
const codeIn = async (file: string, contact: string): Promise<string> => {
  const sent = (await readFile(file, "utf8")).trim().split("\n")
  return sent.findLast((line) => line.startsWith(`${contact} `))?.slice(contact.length + 1) ?? ""
}

/** Returns a secret in each encoding; of a JSON secret, whose quotes are escaped where it is stored, only the ciphertext. */
const forms = ([name, secret]: Secrets[number]): Secrets => {
  if (secret.startsWith("{")) {
    const [, sealed] = /"(?:data|ciphertext)":"([0-9a-f]+)"/u.exec(secret) ?? []
    if (sealed === undefined) throw new Error(`${name} contains no ciphertext`)
    return [[name, sealed]]
  }
  if (!/^[0-9a-f]{64}$/u.test(secret)) return [[name, secret]]
  const bytes = Buffer.from(secret, "hex")
  return [secret, secret.toUpperCase(), bytes.toString("base64"), bytes.toString("base64url")].map((form) => [
    name,
    form,
  ])
}

describe("the secrets of wallets", { timeout: 180_000 }, () => {
  // Proves: SIGN-11
  it("occur neither in the tables nor in the log", async () => {
    await using database = await newDatabase()
    await using folder = await newFolder()
    await using provider = await oidcProvider()
    const codes = join(folder.path, "codes")
    const walletSecret = randomBytes(32).toString("hex")
    const options = [
      ...credentialOptions,
      ...database.options,
      ...["--mode", "live", "--ports", ports, "--wallet-secret", walletSecret, "--oidc-issuer", provider.issuer],
      ...["--log", "json", "--log-level", "all"],
    ]
    await using server = await startServer({ options, env: { CODES_FILE: codes } })
    const authorization = basic(credentials.clientId, credentials.clientSecret)
    const platform = client(server.base, authorization)
    // Long codes with letters do not occur at random.
    const embeddedWalletConfig = { otpLength: 12, alphanumeric: true }
    expect((await platform("PATCH", "/config", { body: { embeddedWalletConfig } })).status).toBe(200)

    const target = {
      baseUrl: server.base,
      fetch,
      headers: { authorization },
      now: () => Effect.runPromise(Clock.currentTimeMillis),
    }
    const flows = []
    for (const type of credentialTypes) {
      flows.push(
        await walletFlow(type, target, {
          seed: `at rest ${type}`,
          codeOf: (contact) => codeIn(codes, contact),
          person: { issuer: provider.issuer },
          tokenOf: provider.token,
        }),
      )
    }
    server.terminate()
    expect(await server.exited).toEqual({ code: 0, signal: null })

    const secrets: Secrets = [
      ...flows.flatMap((flow) => flow.secrets.flatMap(forms)),
      ...forms(["the wallet secret", walletSecret]),
      ["the client secret", credentials.clientSecret],
    ]
    // Each kind has occurred, and none is short enough to occur at random.
    expect([...new Set(secrets.map(([name]) => name))].toSorted()).toEqual([
      "a code",
      "a private key",
      "challenge",
      "encryptedOtpBundle",
      "encryptedSessionSigningKey",
      "encryptedWalletCredentials",
      "oidcToken",
      "the client secret",
      "the wallet secret",
      "the words",
    ])
    expect(secrets.filter(([, secret]) => secret.length < 12)).toEqual([])

    const dumped = await dump(database)
    const known = flows.flatMap(({ device: { accountId, credentials: ids, customerId, session } }) => [
      accountId,
      customerId,
      ...Object.values(ids),
      session?.keys.publicKey.compressed ?? "no session",
    ])
    expect(known.filter((text) => !dumped.includes(text))).toEqual([])
    expect(clear(dumped, secrets)).toEqual([])
    const output = server.stdout() + server.stderr()
    expect(output).toContain("/auth/credentials")
    expect(clear(output, secrets)).toEqual([])
  })
})
