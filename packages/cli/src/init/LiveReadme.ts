/** The page of a new live deployment: the first commands, what is the operator's to write, and how it is operated. Source: D-534. */
import { isBankServer, type LiveBank } from "./LiveBank.ts"
import type { LiveOptions } from "./LiveSettings.ts"

const bankNames: Readonly<Record<LiveBank, string>> = {
  typescript: "`bank.ts`, an example that books orders in a file and moves no money",
  python: "`bank.py`, an example that books orders in a file and moves no money",
  files: "`ports/BankFiles.ts`, which writes payment files into `bank/out` and reads `bank/in`",
  none: "`ports/Bank.ts`, which is empty",
}

const firstCommands = (bank: LiveBank): string =>
  isBankServer(bank)
    ? `
npm install
npm run migrate     # makes the schema in the database of COUNTERSIGN_STORE
npm run bank        # in a terminal of its own: the example bank
npm start           # in a terminal of its own: the service
npm run doctor      # checks everything, and lists what is missing
npm run pay         # a customer, money from its bank, and a beneficiary who is paid
`
    : `
npm install
npm run migrate     # makes the schema in the database of COUNTERSIGN_STORE
npm run doctor      # checks everything, and lists what is missing
npm start           # in a terminal of its own: the service
npm run pay         # a customer, money from its bank, and a beneficiary who is paid
`

const firstNote = (bank: LiveBank): string => {
  if (isBankServer(bank)) return "The last command ends with `200.00 to Charles Babbage: COMPLETED`."
  return bank === "files"
    ? "`npm run pay` answers 503 until `ports/Verification.ts` is written and `BANK_IBAN` is set. Its account is one in the USA: for a bank that takes\nISO 20022, change it to yours. A file is in `bank/out` after the next cut-off."
    : "`npm run pay` answers 503 until `ports/Verification.ts` and `ports/Bank.ts` are written."
}

const toWrite = (bank: LiveBank): ReadonlyArray<readonly [what: string, where: string, until: string]> => {
  const own: ReadonlyArray<readonly [string, string, string]> = isBankServer(bank)
    ? [
        ["your bank", bankServersFile(bank), "no money moves"],
        ["who verifies customers and names", `${bankServersFile(bank)}, \`/verifier/...\``, "everybody is approved"],
      ]
    : [
        ["your bank", bank === "files" ? "`BANK_IBAN` in `countersign.env`" : "`ports/Bank.ts`", "payments wait"],
        ["who verifies customers and names", "`ports/Verification.ts`", "no customer is created: 503"],
      ]
  return [
    ...own,
    ["e-mails with codes", "`MAIL_HOST`", "a code fails with 500"],
    ["text messages with codes", "`ports/Codes.ts`", "a code fails with 500"],
    ["exchange rates", "`RATES_FILE`", "quotes between currencies are refused"],
    ["strong authentication", "`ports/StrongAuthentication.ts`", "503, in regions that require it"],
    ["TLS", "a proxy, and `COUNTERSIGN_PUBLIC_URL`", "only this machine reaches the service"],
  ]
}

const bankServersFile = (bank: LiveBank): string => (bank === "python" ? "`bank.py`" : "`bank.ts`")

export const liveReadme = ({ bank }: LiveOptions): string => `# A live deployment of Countersign

Real money needs real providers. This folder runs as it is; the bank is ${bankNames[bank]}.

## First commands

You need Node 22.19 or later, and PostgreSQL 14 or later. Make a database, and name it in \`countersign.env\`: its address in \`COUNTERSIGN_STORE\`,
its password in \`PGPASSWORD\`.

\`\`\`
createuser --pwprompt countersign && createdb --owner countersign countersign
\`\`\`

Then, in this folder:

\`\`\`${firstCommands(bank)}\`\`\`

${firstNote(bank)}

## Yours to write

\`npm run doctor\` lists what is missing. Until it is written, the service answers with an error, and never with a success${isBankServer(bank) ? "; the example bank alone approves everybody" : ""}.

| What | Where | Until then |
|---|---|---|
${toWrite(bank)
  .map((row) => `| ${row.join(" | ")} |`)
  .join("\n")}

\`ports.ts\` composes the ports: a layer of your own replaces one of them.${
  isBankServer(bank)
    ? " The bank answers `rails` and `verifier` over signed HTTP, in any language;\nthe contract is in `docs/guides/ports-over-http.md` of Countersign's repository, and as a schema in\n`node_modules/@countersign/ports-http/schema/openapi.json`. Name more of its ports in `COUNTERSIGN_PORTS_OF`."
    : ""
}

## Operation

- \`countersign.env\`${isBankServer(bank) ? " and `bank.env` have" : " has"} the secrets, which only you can read. Back them up apart from the database, and never commit them.
- \`systemd/\` has units: \`sudo cp systemd/*.service /etc/systemd/system/ && sudo systemctl enable --now countersign\`.
- A new release: \`npm install\`, \`npm run migrate\`, then restart the processes one after the other.
- More processes: the same folder on each machine, with \`COUNTERSIGN_ROLE=api\` or \`worker\`.
- \`npx countersign --help\` lists the commands; \`npx countersign ledger\` shows whether the books balance.
`
