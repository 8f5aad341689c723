/**
 * Which folder may import which. The path of a file is enough to know: a file imports its own folder and the folders named here.
 * Source: architecture, "Layers are folders"; D-001.
 */

/** For each folder of a package the folders that it may import. */
type Layers = Readonly<Record<string, ReadonlyArray<string>>>

const base = ["foundation", "model"]
const edges = [...base, "store", "settings", "ports"]

/** By package. Files beside the folders assemble them: they import every folder, and no folder imports them. */
const layers: Readonly<Record<string, Layers>> = {
  "packages/core/src": {
    foundation: [],
    model: ["foundation"],
    store: base,
    settings: base,
    ports: base,
    decision: edges,
    operation: [...edges, "decision"],
    service: [...edges, "decision", "operation"],
    sandbox: edges,
  },
  "packages/client/src": {
    api: [],
    call: ["api"],
    signed: ["api"],
    webhook: [],
    tape: ["signed"],
    scenarios: ["api", "call", "signed"],
  },
  "packages/adapter-postgres/src": {
    connection: [],
    schema: ["connection"],
    sql: [],
    functions: ["connection", "schema", "sql"],
    migrations: ["connection", "schema", "functions", "sql"],
    commit: ["connection", "schema", "functions"],
    read: ["connection", "schema", "functions", "commit"],
    folder: ["connection"],
    preflight: ["connection"],
    image: ["connection", "schema"],
    cluster: ["connection"],
    cells: ["connection", "schema", "functions", "migrations", "commit", "read", "cluster"],
  },
  "packages/adapter-http/src": {
    crypto: [],
    wallet: [],
    webhook: ["crypto"],
    middleware: [],
    tape: [],
    handlers: ["middleware", "tape"],
    server: ["middleware"],
    vault: [],
    csv: [],
    embed: ["crypto", "vault", "wallet", "webhook", "middleware", "handlers", "server", "csv"],
  },
  "packages/ports-http/src": {
    signing: [],
    contract: [],
    call: ["contract", "signing"],
    ports: ["contract", "call"],
    report: ["contract", "signing"],
  },
  "packages/adapter-bank-files/src": {
    text: [],
    xml: ["text"],
    calendar: [],
    orders: ["text"],
    iso20022: ["text", "xml", "orders"],
    nacha: ["text", "orders"],
    store: ["orders"],
    folder: [],
    reconciliation: ["text", "orders"],
    simulator: ["text", "xml", "calendar", "orders", "iso20022", "nacha", "folder"],
  },
  "packages/adapter-sftp/src": {
    options: [],
    server: ["options"],
    folder: ["options"],
  },
  "packages/test/src": {
    runner: [],
    random: [],
    harness: ["random"],
    conformance: ["runner", "random"],
    proof: ["runner"],
    arbitraries: ["harness"],
    model: ["harness", "arbitraries"],
  },
}

/** For each package the packages that it may import. */
const packages: Layers = {
  core: [],
  client: ["core"],
  console: ["core"],
  "adapter-memory": ["core"],
  "adapter-postgres": ["core"],
  "adapter-keys": [],
  "adapter-s3": ["core"],
  "ports-http": ["core"],
  "adapter-messages": ["core"],
  "adapter-rates": ["core"],
  "adapter-bank-files": ["core"],
  "adapter-sftp": [],
  "adapter-http": ["core", "client", "adapter-memory"],
  cli: [
    "core",
    "client",
    "console",
    "adapter-memory",
    "adapter-postgres",
    "adapter-s3",
    "adapter-keys",
    "adapter-http",
    "ports-http",
  ],
  test: ["core", "client", "adapter-memory", "adapter-http"],
}

/** The source folder of a package's file, and the layer of the file below it; `""` for a file beside the layers. */
const placeOf = (path: string): { readonly root: string; readonly layer: string } => {
  const [packages = "", name = "", src = "", ...rest] = path.split("/")
  return { root: [packages, name, src].join("/"), layer: rest.length > 1 ? (rest[0] ?? "") : "" }
}

/** The layers of the core, lowest first. */
export const coreLayers: ReadonlyArray<string> = Object.keys(layers["packages/core/src"] ?? {})

/** The layer of a file of the core; `undefined` elsewhere and beside the layers. */
export const layerOf = (path: string): string | undefined => {
  const { layer, root } = placeOf(path)
  return root === "packages/core/src" && layer !== "" ? layer : undefined
}

/** The layers that a layer of the package with this source folder may import. */
export const allowedIn = (root: string, layer: string): ReadonlyArray<string> => layers[root]?.[layer] ?? []

/** Whether a layer of the package with this source folder may import another one. */
export const isAllowedLayer = (root: string, from: string, to: string): boolean => allowedIn(root, from).includes(to)

/** Whether a package may import another one. */
export const isAllowedPackage = (from: string, to: string): boolean => packages[from]?.includes(to) === true

/** Why a file must not import another file of its package; empty when it may. */
export const problemsOfLayer = (path: string, to: string): ReadonlyArray<string> => {
  const { layer, root } = placeOf(path)
  const target = placeOf(to).layer
  const table = layers[root]
  if (table === undefined || layer === "" || layer === target) return []
  if (table[layer] === undefined) return [`${path}: ${root} has no layer ${layer}`]
  if (target === "") return [`${path}: imports ${to}, which assembles the layers`]
  return isAllowedLayer(root, layer, target) ? [] : [`${path}: ${layer} imports ${target}, by ${to}`]
}

/** Why a package must not import another one; empty when it may. */
export const problemsOfPackage = (path: string, from: string): ReadonlyArray<string> => {
  const [, own = ""] = path.split("/")
  const [, name = "", ...inside] = from.split("/")
  if (inside.length > 1) return [`${path}: imports the inside of a package, ${from}`]
  return isAllowedPackage(own, name) ? [] : [`${path}: the package ${own} imports ${from}`]
}
