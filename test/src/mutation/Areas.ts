/**
 * The areas of mutation testing: together with the rooms, all sources of the packages but those of tests and of the console in a browser. An area
 * has the sources of one subject that no room has, and the tests named here. A run of all of them takes days: `npm run mutate --
 * --areas`, or a sample of every fiftieth mutant with `--every 50`.
 * Source: D-525.
 */
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type PackageName, type Room, type RoomName, rooms } from "./Rooms.ts"

interface Area {
  /** The score that a run of it must reach, at most what was measured. */
  readonly floor?: number
  readonly package?: PackageName
  /** Under the package's `src`. */
  readonly sources: ReadonlyArray<string>
  /** Folders under `test/src`, and single files without `.test.ts`. */
  readonly folders: ReadonlyArray<string>
  readonly needsProcesses?: boolean
}

/** A sample of thirty mutants may be fifteen points off, and one of fifteen twenty-five: a floor leaves it as much. */
const held = (floor: number, area: Area): Area => ({ ...area, floor })

/** What every operation answers, commits, asks and delivers. */
const transcript = "transcript"

const subject = (name: string, ...more: ReadonlyArray<string>): Area => ({
  sources: [`{model,decision,service}/${name}/**/*.ts`],
  folders: [name, transcript, ...more],
})

/** An area whose sources talk to a database, a device or a server, or are a command. */
const onProcesses = (name: PackageName, sources: ReadonlyArray<string>, ...folders: ReadonlyArray<string>): Area => ({
  package: name,
  sources,
  folders,
  needsProcesses: true,
})

export const areas = {
  accounts: held(
    78,
    subject("account", "transaction/DepositSource", "transaction/DepositDeclarations", "sandbox/MainIdentifier"),
  ),
  agents: held(65, subject("agent", "audit", "hostile/GuessingRaces")),
  approvals: held(
    75,
    subject("approval", "agent", "quote", "hostile/CodesCheckedOnce", "hostile/ConsolePasskeys", "time/SessionShift"),
  ),
  audits: held(75, subject("audit", "operation")),
  imports: held(80, subject("bulk")),
  cards: held(78, subject("card", "conformance/IssuerConformance")),
  customers: held(65, subject("customer", "conformance/VerifierConformance")),
  documents: held(85, subject("document")),
  files: held(85, subject("file", "document")),
  events: held(78, subject("event", "webhook", "trigger", "names/EventElements")),
  invitations: held(75, subject("invitation")),
  books: held(80, subject("ledger")),
  limits: held(
    70,
    subject("limit", "request", "kit", "hostile/CodeSends", "hostile/RequestLimits", "hostile/DailyVolume"),
  ),
  platforms: held(80, subject("platform", "flows/SandboxUma")),
  quotes: held(75, subject("quote", "agent/HeldQuotes", "flows/QuoteFunding")),
  receivers: held(80, subject("receiver", "quote/Uma")),
  records: {
    floor: 75,
    sources: ["{model,decision,service}/{record,inbox,fault,request}/**/*.ts"],
    folders: ["record", "inbox", "fault", "request", transcript, "console/SendAgainPersons"],
  },
  reports: { sources: ["service/report/**/*.ts"], folders: ["ports-http/Reports", "ports-http/ReportEffects"] },
  authentication: held(65, subject("sca", "hostile/CodeSends", "hostile/CodesCheckedOnce")),
  stablecoins: held(85, subject("stablecoin")),
  clocks: held(55, subject("time", "operation")),
  transactions: held(
    84,
    subject(
      "transaction",
      "quote/Quotes",
      "quote/Debts",
      "quote/Fundings",
      "hostile/DailyVolume",
      "card/Authorizations",
    ),
  ),
  wallets: held(82, subject("wallet", "quote/WalletQuotes", "flows/NodeWallet", "hostile/CodesCheckedOnce")),
  worlds: {
    floor: 60,
    sources: ["{model,decision,service}/{world,scenario}/**/*.ts", "sandbox/**/*.ts"],
    folders: [
      "world",
      "scenario",
      "sandbox",
      "trigger",
      transcript,
      "conformance",
      "fault",
      "stablecoin",
      "request/SandboxRequests",
      "flows/SandboxUma",
      "receiver/FailedLookups",
      "account/PaymentInstructions",
      "customer/Verifications",
      "document/Resubmission",
      "sca/Sca",
      "card/Reveals",
      "harness/Report",
    ],
  },
  foundation: {
    floor: 80,
    sources: ["foundation/{kit,names,money,ids,errors}/**/*.ts", "settings/**/*.ts"],
    folders: ["kit", "names", "money", "ids", "proof", "wire/ErrorEnvelope"],
  },
  crypto: { floor: 85, sources: ["foundation/crypto/**/*.ts"], folders: ["crypto"] },
  storage: {
    floor: 65,
    sources: ["store/**/*.ts"],
    folders: ["store", "ledger", "adapter-memory", "operation", "record/TransitionTakers", "guides/PersonalData"],
  },
  operations: {
    floor: 65,
    sources: ["operation/**/*.ts", "ports/**/*.ts", "{decision,model}/*.ts", "*.ts"],
    folders: [
      "operation",
      "ports",
      transcript,
      "store",
      "request",
      "http/RequestOwners",
      "platform/TokenSecrets",
      "agent/{Guards,AgentTokens}",
      "account/{Vasps,RegionalHolds,WalletSignature}",
      "doctor/PortChecks",
      "event/LaneRuns",
      "wallet/{IssuerKeys,Passkeys}",
      "wire/AbsentPorts",
      "embed/{EmbedOptions,Observability}",
      "guides/LimitSettings",
    ],
  },
  memory: {
    floor: 80,
    package: "adapter-memory",
    sources: ["**/*.ts"],
    folders: ["adapter-memory", "store", "ledger", "world", "fault", transcript],
  },
  handlers: {
    floor: 76,
    package: "adapter-http",
    sources: ["{handlers,embed,csv,tape}/**/*.ts", "*.ts"],
    folders: [
      "wire",
      "http",
      "inbox",
      "request",
      "embed",
      "bulk/CsvRows",
      "scenario",
      "platform/UmaDomainProof",
      transcript,
      "names/NamedInterface",
    ],
  },
  middleware: {
    package: "adapter-http",
    sources: ["middleware/**/*.ts"],
    folders: ["wire", "http", "request", "hostile", "document/{Documents,UploadBodies}"],
  },
  servers: {
    package: "adapter-http",
    sources: ["server/**/*.ts"],
    folders: [
      "http",
      "hostile",
      "wire",
      "reference/OfferedCredentials",
      "reference/CodeSamples",
      "names/NamedInterface",
    ],
  },
  ports: {
    floor: 78,
    package: "adapter-http",
    sources: ["{crypto,vault,wallet,webhook}/**/*.ts"],
    folders: ["crypto", "wallet", "webhook", "inbox/InboxTransport", "document/EncryptedVault", "document/FolderVault"],
  },
  bankFiles: {
    floor: 82,
    package: "adapter-bank-files",
    // Without the statements for PostgreSQL, which only a server can judge: a run of mutants has none.
    sources: [
      "*.ts",
      "{calendar,folder,iso20022,nacha,orders,reconciliation,simulator,text,xml}/**/*.ts",
      "store/{MemoryBankFileStore,PostgresBankFileStore}.ts",
    ],
    folders: ["adapter-bank-files"],
  },
  messages: { floor: 72, package: "adapter-messages", sources: ["**/*.ts"], folders: ["adapter-messages"] },
  rates: { floor: 78, package: "adapter-rates", sources: ["**/*.ts"], folders: ["adapter-rates"] },
  client: {
    package: "client",
    sources: ["**/*.ts"],
    folders: ["client", "wire", "http", "interop", "scenario", "harness/{Tape,Scenarios}"],
  },
  portsHttp: { floor: 74, package: "ports-http", sources: ["**/*.ts"], folders: ["ports-http"] },
  keys: onProcesses("adapter-keys", ["**/*.ts"], "adapter-keys"),
  sftp: onProcesses("adapter-sftp", ["**/*.ts"], "adapter-sftp"),
  s3: onProcesses("adapter-s3", ["**/*.ts"], "adapter-s3"),
  commits: onProcesses(
    "adapter-postgres",
    ["{commit,functions}/**/*.ts", "{PostgresStore,TransactionStore}.ts"],
    "adapter-postgres/{Server,CommitEdges,DatabaseFunctions,GroupCommit,BatchedCommits,Transaction,Storm}",
    "adapter-postgres/commit",
    "faults/{ResentCommit,UnknownOutcome,LockTable}",
  ),
  reads: onProcesses(
    "adapter-postgres",
    ["read/**/*.ts", "PostgresVault.ts"],
    "adapter-postgres/{Server,GroupReads,JobReads,JobRows,KeyLookups,DatabaseFunctions,ListPlans,TextArray,WorkerSession}",
    "document/Vaults",
  ),
  connections: onProcesses(
    "adapter-postgres",
    ["{connection,folder,image}/**/*.ts", "{ChangeNotices,WakeUps,WorkerSession,WorkerSessions}.ts"],
    "adapter-postgres/{WorkerSession,Hosts,ConfiguredServer,Images,ImageRows,PgliteFolder,SyncedFiles,NewCluster,Transaction}",
    "adapter-postgres/{PrimaryPool,WatchedPool,Probe}",
    "cells/{LostAnswers,Places,Transaction}",
    "http/ChangeStreamTimes",
    "faults/{PrimaryPool,Database,SessionEnd,UnknownOutcome,Pooler}",
    "e2e/FolderLock",
  ),
  schema: onProcesses(
    "adapter-postgres",
    ["{schema,migrations,preflight}/**/*.ts", "index.ts"],
    "adapter-postgres/{Server,Migrations,NewField,FieldMigrations,SchemaChecks,SqlFiles,Upgrade,ListPlans,KeyLookups}",
    "adapter-postgres/commit",
    "names",
  ),
  cells: onProcesses("adapter-postgres", ["{cells,cluster}/**/*.ts"], "cells", "cluster/{Addresses,PhysicalSql}"),
  serve: onProcesses(
    "cli",
    [
      "{AsOperator,Banner,Checked*,Command*,Countersign,Database*,Documents*,Environment*,ExitCodes,Flag*,Folder*,Limit*}.ts",
      "{main,Migrate,OperatorName,Option*,Platform,Port*,Problems,Secret*,Serve*,Start*,Store*,Templates,TextTable}.ts",
      "{Variables,WallLogger,Webhook*,World*}.ts",
    ],
    "e2e/{Options,StartErrors,Start,ServeJson,Secrets,Stop,Limits,OpeningNotice,PortsOverHttp,UnnamedUser,Documents,CommandHelp,Persistence}",
    "{hostile/UnsafeStarts,cli/*}",
  ),
  commands: onProcesses(
    "cli",
    [
      "{ApprovalPolicyFile,Ledger,Operate*,Rotate*,Wallet*}.ts",
      "{cells,clock,events,faults,jobs,keys,listen,logs,output,reconcile,remote,replay,trigger,world}/**/*.ts",
    ],
    "e2e/*Command",
    "e2e/{ListenThroughInbox,Rotate,WalletSecrets,Ledger,Operate}",
    "{trigger/Triggers,approval/ApprovalPolicyFile,adapter-keys/KeySource,cells/CellsCommand,cli/*}",
  ),
  live: onProcesses("cli", ["{init,doctor}/**/*.ts"], "e2e/{InitCommand,DoctorCommand,Live}", "{doctor,cli}"),
} as const satisfies { readonly [name: string]: Area }

export type AreaName = keyof typeof areas

/** A schema or a table that says something else is noticed where clients and readers would see it. */
const published = ["wire/WirePage", "reference/TablePages"]

const repository = fileURLToPath(new URL("../../../", import.meta.url))

/**
 * What the test runner of mutants has not: other processes, servers of databases, and modules found while it runs. A database that a
 * group or a test opens is no reason: the runner leaves that one out.
 */
const isElsewhere =
  /import \{[^}]*\binject\b|BankProcess|ServerDatabase|ServerProcess|e2e\/Flow\.ts|faults\/FaultServer\.ts|^\S.*await TestDatabase\.create|TestDatabase\.create\(\d+\)\.then|node:child_process|\bawait import\(|scripts\/machines\/MachineLayout|\bbuiltSite\b|\bvi\.wait|\bstoppedTimers\b/mu

/** Random histories of races, floods and grown inputs, which take longer than all other tests of their area, for each mutant that survives them. */
const isExpensive = /^(?:transaction\/(?:MoneyProperty|DebtRaces)|hostile\/(?:CheapFloods|GrownInputs))$/u

const testFilesIn = (folder: string): ReadonlyArray<string> =>
  globSync([`test/src/${folder}/**/*.test.ts`, `test/src/${folder}.test.ts`], { cwd: repository })
    .map((path) => path.slice("test/src/".length, -".test.ts".length))
    .toSorted()

const inMemory = (name: string): boolean =>
  !isElsewhere.test(readFileSync(`${repository}test/src/${name}.test.ts`, "utf8")) && !isExpensive.test(name)

/** The sources of a room, under its package's `src`. A name without a pattern is a file. */
export const filesOf = ({
  package: owner = "core",
  sources,
}: Pick<Room, "package" | "sources">): ReadonlyArray<string> =>
  sources.flatMap((source) =>
    /[*{]/u.test(source) ? globSync(source, { cwd: `${repository}packages/${owner}/src` }) : [source],
  )

/** The rooms of areas that have been looked up: their files are many. */
const known = new Map<AreaName, Room>()

const roomOf = (name: AreaName): Room => {
  const room = known.get(name) ?? newRoomOf(name)
  known.set(name, room)
  return room
}

/** The room of an area. */
const newRoomOf = (name: AreaName): Room => {
  const { folders, needsProcesses = false, package: owner = "core", sources }: Area = areas[name]
  const tests = folders.flatMap(testFilesIn)
  const taken = new Set(owner === "core" ? Object.values<Room>(rooms).flatMap(filesOf) : [])
  return {
    package: owner,
    sources: filesOf({ package: owner, sources })
      .filter((path) => !taken.has(path))
      .toSorted(),
    tests: [...new Set(needsProcesses ? tests : [...tests.filter(inMemory), ...published])],
    needsProcesses,
  }
}

export const isRoom = (name: string): name is RoomName => name in rooms
const isArea = (name: string): name is AreaName => name in areas

/** The least score of an area; none before it is measured. */
export const floorOf = (name: string): number => {
  const area: Area | undefined = isArea(name) ? areas[name] : undefined
  return area?.floor ?? 0
}

/** The room or the area with this name. */
export const roomNamed = (name: string): Room => {
  if (isRoom(name)) return rooms[name]
  if (isArea(name)) return roomOf(name)
  throw new Error(`there is no room ${name}: ${[...Object.keys(rooms), ...Object.keys(areas)].join(", ")}`)
}

/** The files, or ranges of lines of files, of a room among these: `packages/core/src/model/card/Card.ts:3-9`. */
export const ownOf = (room: Room, ranges: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = new Set(filesOf(room).map((path) => `packages/${room.package ?? "core"}/src/${path}`))
  return ranges.filter((range) => own.has(range.replace(/:[\d-]+$/u, "")))
}

/** The rooms and areas with sources among these paths of the repository. */
export const roomsOf = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...Object.keys(rooms), ...Object.keys(areas)].filter((name) => ownOf(roomNamed(name), paths).length > 0)
