/**
 * The settings of a new live deployment: `countersign.env`, and `bank.env` of the example bank. Their secrets are generated here, and are in no
 * other file.
 * Source: D-534.
 */
import { generateKeyPairSync, randomBytes } from "node:crypto"
import { environmentFile } from "../EnvironmentFile.ts"
import { isBankServer, type LiveBank } from "./LiveBank.ts"
import type { NewFile } from "./NewFiles.ts"

export interface LiveOptions {
  readonly bank: LiveBank
  readonly port: number
  /** The address of the PostgreSQL database; it may contain a password. */
  readonly store: string
}

/** 256 bits of the system's random numbers. */
const newSecret = (): string => randomBytes(32).toString("hex")

const newKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

/** A value that a shell and Node's reader of such files take for the same text. The value has no quote. */
const quoted = (value: string): string => `'${value}'`

const bankPort = (port: number): number => (port < 65_535 ? port + 1 : port - 1)

const serverSettings = (port: number, secret: string): string => `
# The bank, in a process of its own: bank.env has the same secret. Change both together.
COUNTERSIGN_PORTS_URL=http://127.0.0.1:${bankPort(port)}
COUNTERSIGN_PORTS_SECRET=${secret}
# What the bank answers; ports.ts has the rest.
COUNTERSIGN_PORTS_OF=rails,verifier
`

const fileSettings = `
# The folder that the bank's transfer program empties (bank/out) and fills (bank/in).
BANK_FOLDER=bank
# Your account at the bank. Until it is set, payments wait.
BANK_IBAN=
BANK_BIC=
BANK_HOLDER=
`

const settings = ({ bank, port, store }: LiveOptions, portsSecret: string): string =>
  `# Settings of the commands that run in this folder. Variables of the shell override them. Keep this file secret, and back it up.
COUNTERSIGN_MODE=live

# The PostgreSQL database that has everything but the secrets of this file.
COUNTERSIGN_STORE=${quoted(store)}
# The password of its role, if the address has none.
#PGPASSWORD=
# Only \`npm run migrate\` changes the schema; a process refuses another one.
COUNTERSIGN_MIGRATE=check

# Where the service listens. Let a proxy with TLS pass requests on, and set its address.
COUNTERSIGN_HOST=127.0.0.1
COUNTERSIGN_PORT=${port}
#COUNTERSIGN_PUBLIC_URL=https://pay.example.com
#COUNTERSIGN_TRUSTED_PROXY=127.0.0.1

# The credentials of your platform. \`countersign rotate client-secret\` replaces the secret while servers run.
COUNTERSIGN_CLIENT_ID=${randomBytes(8).toString("hex")}
COUNTERSIGN_CLIENT_SECRET=${newSecret()}
# Opens the keys of wallets and of documents. If you lose it, you lose them.
COUNTERSIGN_WALLET_SECRET=${newSecret()}
# Signs webhooks: a P-256 private key.
COUNTERSIGN_WEBHOOK_KEY="${newKey().trim()}"

# The ports: your providers, as ports.ts composes them.
COUNTERSIGN_PORTS=ports.ts
${isBankServer(bank) ? serverSettings(port, portsSecret) : bank === "files" ? fileSettings : ""}
# The name in messages to customers, and the key of the digests of their codes.
APP_NAME=Payments
CODES_SECRET=${newSecret()}
# The mail server (SMTP) for codes: tls, starttls, or none for a server of this machine.
MAIL_HOST=
MAIL_PORT=
MAIL_SECURITY=starttls
MAIL_USER=
MAIL_PASSWORD=
MAIL_FROM=

# A daily table of exchange rates: xml (euro reference rates) or csv (date,base,currency,rate).
RATES_FILE=
RATES_FORMAT=xml

# Log lines as JSON, for a collector. /metrics is for Prometheus: let no proxy pass it on.
COUNTERSIGN_LOG=json
#COUNTERSIGN_METRICS=true
`

const bankSettings = (port: number, secret: string): string =>
  `# Settings of the bank. Keep this file secret: a process that knows the secret can answer as the bank.
BANK_SECRETS=${secret}
BANK_PORT=${bankPort(port)}
# Its orders, so that a repeated reference has the same answer after a restart.
BANK_DATABASE=bank.sqlite
# The service takes reports below it.
BANK_REPORTS_URL=http://127.0.0.1:${port}/port-reports
# Seconds until the example books a late order.
BANK_BOOKS_AFTER=5
`

export const settingsFiles = (options: LiveOptions): ReadonlyArray<NewFile> => {
  const portsSecret = newSecret()
  const files = [{ name: environmentFile, content: settings(options, portsSecret), mode: 0o600 }]
  return isBankServer(options.bank)
    ? [...files, { name: "bank.env", content: bankSettings(options.port, portsSecret), mode: 0o600 }]
    : files
}
