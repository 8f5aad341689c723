/**
 * A day of a live deployment: two processes, PostgreSQL, banks by files, a mail server and a key in a token. Processes die and the database
 * crashes, and at the end everything must agree.
 * Source: D-535.
 */
import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PostgresBankFileStore } from "@countersign/adapter-bank-files"
import { Effect } from "effect"
import { startMailReceiver } from "../../adapter-messages/MailReceiver.ts"
import { xmlOf } from "../../adapter-rates/Tables.ts"
import type { FaultServer } from "../../faults/FaultServer.ts"
import { basic, client, type Reply, type Send, textAt } from "../Client.ts"
import { credentialOptions, credentials } from "../Flow.ts"
import { newFolder } from "../Folder.ts"
import { receiver } from "../Receiver.ts"
import { type BankSide, bankSide, dateOf } from "./BankSide.ts"
import { type DayCustomer, documentMark, newDayCustomer, signInByMail, uploadDocument } from "./DayCustomers.ts"
import { deathOf } from "./DayFaults.ts"
import { paid, pulled } from "./DayPayments.ts"
import {
  type Arrival,
  bankProblems,
  bookProblems,
  eventProblems,
  reconciliationProblems,
  secretProblems,
  transactionProblems,
} from "./DayProblems.ts"
import { type DayProcesses, dayProcesses } from "./DayProcesses.ts"
import { type DaySettings, type PlantedFault, settingsFile } from "./DaySettings.ts"
import type { KeyRoot } from "./KeyRoot.ts"
import { patiently } from "./Patience.ts"

const ports = fileURLToPath(new URL("./DayPorts.ts", import.meta.url))
/** The mail server of the tests knows no other one. */
const mailPassword = "the-password-of-the-mail-server"

export interface DayOptions {
  readonly server: FaultServer
  readonly root: KeyRoot
  /** Whether processes die and the database crashes. */
  readonly isRough: boolean
  readonly faults?: ReadonlyArray<PlantedFault>
}

const authorization = basic(credentials.clientId, credentials.clientSecret)

interface Moved {
  readonly id: string
  readonly amount: number
}

const created = (reply: Reply, field = "id"): string => {
  if (reply.status >= 300) throw new Error(`${reply.status}: ${reply.text}`)
  return textAt(reply, field)
}

const pull = async (send: Send, from: string, to: string, amount: number): Promise<Moved> => {
  const body = { source: { accountId: from }, destination: { accountId: to }, amount }
  return { id: created(await send("POST", "/transfer-in", { body })), amount }
}

const push = async (send: Send, from: string, to: string, amount: number): Promise<Moved> => {
  const destination = { accountId: to, paymentRail: "SEPA" }
  return {
    id: created(await send("POST", "/transfer-out", { body: { source: { accountId: from }, destination, amount } })),
    amount,
  }
}

/** Converts euros into dollars, which leave by the other bank. */
const convert = async (send: Send, { euros, outside }: DayCustomer): Promise<Moved> => {
  const quote = await send("POST", "/quotes", {
    body: {
      source: { sourceType: "ACCOUNT", accountId: euros },
      destination: { destinationType: "ACCOUNT", accountId: outside.dollars, paymentRail: "ACH" },
      lockedCurrencySide: "RECEIVING",
      lockedCurrencyAmount: paid.converted,
    },
  })
  const executed = await send("POST", `/quotes/${created(quote)}/execute`, { body: {} })
  return { id: created(executed, "transactionId"), amount: paid.converted }
}

const completed = async (send: Send, moved: ReadonlyArray<Moved>): Promise<void> => {
  for (const each of moved) {
    await patiently(
      `the end of the transaction of ${each.amount}`,
      () => transactionProblems(send, [each]),
      (problems) => problems.length === 0,
    )
  }
}

interface Running {
  readonly processes: DayProcesses
  readonly banks: BankSide
  readonly options: DayOptions
  readonly folder: string
}

/** The days at the banks, from Monday on. */
const banking = async (
  { banks, folder, options, processes }: Running,
  [first, second, third]: readonly [DayCustomer, DayCustomer, DayCustomer],
): Promise<ReadonlyArray<Moved>> => {
  const { faults = [], isRough, server } = options
  const { kill, send } = processes
  const die = async (step: "published" | "taken") => {
    if (isRough) await writeFile(join(folder, deathOf(step)), "")
  }
  const killing = (n: 0 | 1) => {
    if (isRough) kill(n)
  }

  const all = [
    pull(send, first.outside.euros, first.euros, pulled.first),
    pull(send, second.outside.euros, second.euros, pulled.second),
    pull(send, third.outside.euros, third.euros, pulled.third),
  ]
  killing(0)
  const pulls = await Promise.all(all)
  await die("published")
  await die("taken")
  await banks.closeDay({ day: 0, payments: { euros: 3, dollars: 0 }, faults: ["duplicate", "reordered"] })
  await completed(send, pulls)

  await banks.moveTo(1, "08:00")
  const out = ([amount, customer]: readonly [number, DayCustomer]) =>
    push(send, customer.euros, customer.outside.euros, amount)
  const crash = isRough ? server.restart("immediate") : Promise.resolve()
  const pushes = await Promise.all(
    (
      [
        [paid.booked, first],
        [paid.rejected, second],
        [paid.returned, third],
        [paid.returnedLate, first],
        [paid.batchedTwice, second],
        [paid.notReported, third],
      ] as const
    ).map(out),
  )
  await crash
  killing(1)
  const inDollars = [
    await convert(send, first),
    await pull(send, second.outside.dollars, second.dollars, pulled.dollars),
    await pull(send, third.outside.dollars, third.dollars, pulled.bounced),
  ]
  await die("published")
  await banks.closeDay({ day: 1, payments: { euros: 9, dollars: 3 }, faults: ["foreign"] })

  await banks.moveTo(2, "08:00")
  const repeated = faults.includes("batched twice") ? 1 : 0
  await banks.closeDay({
    day: 2,
    payments: { euros: 9, dollars: 3 },
    repeated,
    faults: isRough ? ["half", "wrongTotals"] : [],
    meanwhile: () => killing(0),
  })

  await banks.moveTo(3, "08:00")
  const late = await push(send, first.euros, first.outside.euros, paid.statementLost)
  const payments = { euros: 10, dollars: 3 }
  await banks.closeDay({ day: 3, payments, repeated, losesStatement: faults.includes("statement lost") })
  for (const day of [4, 7, 8]) await banks.closeDay({ day, payments, repeated })
  await banks.moveTo(14, "08:00")
  return [...pulls, ...pushes, ...inDollars, late]
}

export interface DayFound {
  readonly problems: ReadonlyArray<string>
  readonly ends: number
  readonly deliveries: number
}

export const day = async (options: DayOptions): Promise<DayFound> => {
  const { faults = [], root, server } = options
  await using folder = await newFolder()
  await using mail = await startMailReceiver()
  const received: Array<Arrival> = []
  let lost: string | undefined
  await using hooks = await receiver({
    onDelivery: (delivery) => {
      const { id, type } = delivery.event
      if (faults.includes("webhook lost") && type === "OUTGOING_PAYMENT.COMPLETED") lost ??= id
      if (id !== lost) received.push({ ...delivery, at: Date.now() })
    },
  })
  const { pool: poolOf, url } = await server.create()
  const pool = poolOf({ max: 2 })
  await Effect.runPromise(PostgresBankFileStore.migrate(pool))
  const codeSecret = randomBytes(24).toString("hex")
  const settings: DaySettings = { database: url, smtpPort: mail.port, mailPassword, codeSecret, faults }
  await writeFile(join(folder.path, settingsFile), JSON.stringify(settings), { mode: 0o600 })
  await writeFile(join(folder.path, "rates.xml"), xmlOf(dateOf(Date.now()), { USD: "1.10" }))
  const accepted = async () => {
    const text = "select count(*)::int as n from countersign_bank_files.bank_order"
    // The database restarts.
    const found = await pool.query<{ readonly n: number }>(text).catch(() => ({ rows: [] }))
    return found.rows[0]?.n ?? 0
  }
  const banks = await bankSide(folder.path, accepted)

  await using processes = await dayProcesses(
    [
      ...credentialOptions,
      ...["--store", url, "--mode", "live", "--ports", ports, "--documents", "postgres"],
      ...["--webhook-url", hooks.url, "--webhook-allow", "127.0.0.1", "--log", "json", "--log-level", "all"],
    ],
    { ...root.env, DAY_FOLDER: folder.path },
  )
  const { output, send } = processes
  const { origin } = new URL(processes.base())
  const publicKey = (await client(origin, authorization)("GET", "/webhooks/public-key")).text
  const customers = [
    await newDayCustomer(send, 0),
    await newDayCustomer(send, 1),
    await newDayCustomer(send, 2),
  ] as const
  const documentId = await uploadDocument(send, customers[0])
  const code = await signInByMail(send, customers[0], mail.mails)

  const moved = await banking({ processes, banks, options, folder: folder.path }, customers)
  // Without its outcome or its statement a payment has no end.
  const isStuck = ({ amount }: Moved) =>
    (faults.includes("not reported") && amount === paid.notReported) ||
    (faults.includes("statement lost") && amount === paid.statementLost)
  await completed(
    send,
    moved.filter((each) => !isStuck(each)),
  )
  await processes.settled()
  await patiently(
    "the events",
    async () => (await eventProblems(send, received, publicKey)).filter((problem) => problem.includes("never arrived")),
    (problems) => problems.length <= (lost === undefined ? 0 : 1),
  )
  const stored = await pool.query<{ readonly n: number }>(
    "select count(*)::int as n from countersign.vault_chunk where position($1::bytea in bytes) > 0",
    [Buffer.from(documentMark)],
  )
  const document = await send("GET", `/documents/${documentId}`)
  const problems = [
    ...(await reconciliationProblems(send, dateOf(Date.now()), banks.dateOn(14))),
    ...(await bookProblems(send)),
    ...bankProblems(banks, [...Object.values(paid), ...Object.values(pulled)]),
    ...(await transactionProblems(send, moved)),
    ...(await eventProblems(send, received, publicKey)),
    ...secretProblems(output(), {
      "a code": [code],
      "a secret of the deployment": [credentials.clientSecret, codeSecret, mailPassword, ...root.secrets],
    }),
    ...(stored.rows[0]?.n === 0 ? [] : ["a document is stored in clear"]),
    ...(document.status === 200 ? [] : [`the document answers ${document.status}`]),
    ...(await banks.left()).map((name) => `the file ${name} was not taken`),
  ]
  return { problems, ends: processes.ends(), deliveries: received.length }
}
