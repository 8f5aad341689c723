/** Builds the site into the assets of the HTTP adapter, which shows it at `/docs/site/`, when its sources have changed. */
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants } from "node:zlib"
import { licencesText } from "./Licences.ts"
import { llmsText } from "./Llms.ts"
import { type SitePages, sitePages } from "./Pages.ts"
import { filesBelow, isPicture, readBytes, readText } from "./Repository.ts"

const site = fileURLToPath(new URL("../", import.meta.url))
const target = fileURLToPath(new URL("../../packages/adapter-http/assets/site/", import.meta.url))

const write = (path: string, content: string | Buffer): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const pictures = () => filesBelow("docs").filter(isPicture)

/** Changes when any file does from which the site is made. */
const versionOf = ({ pages, sources }: SitePages): string => {
  const hash = createHash("sha256")
  for (const [path, text] of [...pages, ...sources]) hash.update(`${path}\n${text}\n`)
  for (const path of [
    ...filesBelow("site/src"),
    "site/package.json",
    "site/.vitepress/config.ts",
    "site/.vitepress/theme/site.css",
  ])
    hash.update(readText(path))
  for (const path of pictures()) hash.update(readBytes(path))
  return hash.digest("base64url")
}

const walk = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)],
  )

/** The hashes of the scripts within the pages, for the server's content security policy. */
const scriptHashes = (built: ReadonlyArray<string>): ReadonlyArray<string> => {
  const scripts = built
    .filter((path) => path.endsWith(".html"))
    .flatMap((path) => [...readFileSync(path, "utf8").matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/gu)])
  return [
    ...new Set(scripts.map(([, text = ""]) => `sha256-${createHash("sha256").update(text).digest("base64")}`)),
  ].toSorted()
}

const compressed = (bytes: Buffer): Buffer =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })

/** Writes the pages and pictures that the generator reads. */
const stage = (pages: ReadonlyMap<string, string>, folder: string): void => {
  for (const [path, text] of pages) write(join(folder, `${path}.md`), text)
  for (const path of pictures()) cpSync(join(site, "..", path), join(folder, path.replace(/^docs\//u, "")))
  // The settings of the first page name it by its address.
  cpSync(join(site, "../docs/workbench.png"), join(folder, "public/workbench.png"))
}

/** Compresses what was built into the assets, in one step: a reader finds the old site or the new one. */
const publish = (built: string, work: string, version: string): void => {
  const files = walk(built)
  const made = join(work, "compressed")
  for (const path of files) write(join(made, `${relative(built, path)}.br`), compressed(readFileSync(path)))
  const names = files.map((path) => relative(built, path)).toSorted()
  write(join(made, "site.json"), `${JSON.stringify({ version, scriptHashes: scriptHashes(files), files: names })}\n`)
  if (existsSync(target)) renameSync(target, join(work, "replaced"))
  renameSync(made, target)
}

/** Returns whether it built the site: not when the present one has the same sources. */
export const buildSite = async (): Promise<boolean> => {
  const made = sitePages()
  const version = versionOf(made)
  const present = join(target, "site.json")
  if (existsSync(present) && JSON.parse(readFileSync(present, "utf8")).version === version) return false
  // Of this process alone, because two may build at once.
  const work = mkdtempSync(join(site, ".work-"))
  try {
    stage(made.pages, join(work, "pages"))
    process.env["COUNTERSIGN_SITE_WORK"] = relative(site, work)
    const { build } = await import("vitepress")
    await build(site)
    const built = join(work, "built")
    for (const [path, text] of made.pages) write(join(built, `${path}.md`), text)
    for (const [path, text] of made.sources) write(join(built, path), text)
    write(join(built, "llms.txt"), llmsText())
    write(join(built, "LICENSES.txt"), licencesText())
    publish(built, work, version)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return true
}
