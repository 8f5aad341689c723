/**
 * The published packages, installed in an empty folder: tarballs of the built packages, and of other packages only their declared
 * dependencies, linked from the repository.
 * Source: D-192.
 */
import { execFile } from "node:child_process"
import { existsSync, realpathSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const repository = fileURLToPath(new URL("../../../", import.meta.url))
const binaries = join(repository, "node_modules/.bin")

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly bin?: string | Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

export const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8"))

/** Runs a program to its end with the repository's own Node; rejects with its output. */
export const execute = async (
  program: string,
  words: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> => {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:NODE_|VITEST|npm_|COUNTERSIGN_)/u.test(name))
  const env = { ...Object.fromEntries(own), PATH: `${binaries}:${process.env["PATH"] ?? ""}`, ...options.env }
  try {
    const { stdout } = await promisify(execFile)(program, words, { cwd: options.cwd, env, maxBuffer: 64 * 1024 * 1024 })
    return stdout
  } catch (error) {
    const { stderr = "", stdout = "" } = error as { readonly stderr?: string; readonly stdout?: string }
    throw new Error(`${program} ${words.join(" ")}: ${stdout}${stderr}`)
  }
}

/** Returns the folders of the published packages. */
export const published = async (): Promise<ReadonlyArray<string>> => {
  const folders = (await readdir(join(repository, "packages"))).map((name) => join(repository, "packages", name))
  const manifests = await Promise.all(folders.map(manifestOf))
  return folders.filter((_, index) => manifests[index]?.private !== true)
}

export interface Tarball {
  readonly name: string
  /** The workspace of the package. */
  readonly workspace: string
  readonly path: string
  /** The files in it. */
  readonly files: ReadonlyArray<string>
}

export interface Packed extends AsyncDisposable {
  readonly folder: string
  readonly tarballs: ReadonlyArray<Tarball>
}

/** Builds and packs every published package. */
export const pack = async (): Promise<Packed> => {
  const folder = realpathSync(await mkdtemp(join(tmpdir(), "countersign-packed-")))
  const workspaces = await published()
  // The tests and the site are no part of a package: their types are the business of `npm run check:types`, which takes as long again.
  await execute("tsc", ["-b", ...workspaces], { cwd: repository })
  const folderOf = new Map(await Promise.all(workspaces.map(async (at) => [(await manifestOf(at)).name, at] as const)))
  const words = workspaces.flatMap((workspace) => ["--workspace", workspace])
  const printed = await execute("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...words], {
    cwd: repository,
  })
  const made: ReadonlyArray<{
    readonly name: string
    readonly filename: string
    readonly files: ReadonlyArray<{ readonly path: string }>
  }> = JSON.parse(printed)
  const tarballs = await Promise.all(
    made.map(async ({ filename, files, name }) => ({
      name,
      workspace: folderOf.get(name) ?? "",
      path: join(folder, filename),
      files: files.map(({ path }) => path),
    })),
  )
  await install(folder, tarballs)
  return { folder, tarballs, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Returns the folder of a package that a workspace of the repository uses. */
const installed = (workspace: string, name: string): string | undefined =>
  [workspace, repository].map((folder) => join(folder, "node_modules", name)).find((folder) => existsSync(folder))

/** Links exactly the declared dependencies of a workspace beside its code. */
const link = async (
  workspace: string,
  into: string,
  kinds: ReadonlyArray<"dependencies" | "devDependencies" | "peerDependencies">,
) => {
  const manifest = await manifestOf(workspace)
  const names = kinds.flatMap((kind) => Object.keys(manifest[kind] ?? {}))
  for (const name of names.filter((each) => each !== "effect" && !each.startsWith("@countersign/"))) {
    const at = installed(workspace, name)
    if (at === undefined) throw new Error(`${manifest.name} declares ${name}, which is not installed`)
    const to = join(into, "node_modules", name)
    await mkdir(dirname(to), { recursive: true })
    await symlink(realpathSync(at), to, "dir")
    const { bin = {} } = await manifestOf(at)
    const commands = typeof bin === "string" ? { [name.replace(/^.*\//u, "")]: bin } : bin
    await mkdir(join(into, "node_modules/.bin"), { recursive: true })
    for (const [command, path] of Object.entries(commands)) {
      await symlink(join(realpathSync(at), path), join(into, "node_modules/.bin", command))
    }
  }
}

/** Installs the packed packages in an empty folder as npm does, with peers beside the package that needs them. */
const install = async (folder: string, tarballs: ReadonlyArray<Tarball>): Promise<void> => {
  await Promise.all(
    tarballs.map(async ({ name, path, workspace }) => {
      const into = join(folder, "node_modules", name)
      await mkdir(into, { recursive: true })
      await execute("tar", ["-xzf", path, "-C", into, "--strip-components=1"], { cwd: folder })
      await link(workspace, into, ["dependencies", "peerDependencies"])
    }),
  )
  await symlink(realpathSync(join(repository, "node_modules/effect")), join(folder, "node_modules/effect"), "dir")
}

/** Creates a project among the packed packages: a copy of an example with its own dependencies. */
export const project = async ({ folder }: Packed, name: string): Promise<string> => {
  const source = join(repository, "examples", name)
  const into = join(folder, name)
  if (existsSync(into)) return into
  await cp(source, into, { recursive: true, filter: (path) => !path.includes("node_modules") })
  await link(source, into, ["dependencies", "devDependencies"])
  return into
}
