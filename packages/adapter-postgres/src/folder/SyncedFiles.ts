/**
 * The files of a folder's database, which PostgreSQL can write through to the disk: PGlite's own file system ignores its requests.
 * Source: D-505; PostgreSQL manual, "Reliability and the Write-Ahead Log".
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync } from "node:fs"
import type { NodeFS } from "@electric-sql/pglite/nodefs"

/** An open file or folder of PGlite. A folder may have no descriptor. */
interface OpenFile {
  readonly node: object
  readonly nfd?: number
}

type Init = Parameters<NodeFS["init"]>
type BeforeRun = NonNullable<Init[1]["preRun"]>[number]

interface NodeFiles {
  readonly realPath: (node: object) => string
  readonly stream_ops: { fsync?: (file: OpenFile) => number }
}

/** Writes a file or folder through to the disk; throws if it cannot. `descriptor` is absent for a folder. */
export type Sync = (path: string, descriptor?: number) => void

const sync: Sync = (path, descriptor) => {
  if (descriptor !== undefined) return fdatasyncSync(descriptor)
  const folder = openSync(path, "r")
  try {
    return fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** PGlite's number of an input or output error. PostgreSQL then ends, because it cannot know what was written. */
const ioError = 29

const isNodeFiles = (files: object): files is NodeFiles => "realPath" in files && "stream_ops" in files

const addSync =
  (sync: Sync): BeforeRun =>
  ({ NODEFS: files }) => {
    if (!isNodeFiles(files)) throw new TypeError("this PGlite has another file system")
    files.stream_ops.fsync = ({ nfd, node }) => {
      try {
        sync(files.realPath(node), nfd)
        return 0
      } catch {
        return ioError
      }
    }
  }

/** PGlite ignores requests of the default method, fdatasync. */
const syncing = ["-c", "fsync=on", "-c", "wal_sync_method=fsync"]

interface SyncedOptions {
  readonly fs: NodeFS
  /** In addition to PGlite's own. */
  readonly startParams: ReadonlyArray<string>
}

/** Returns the options with which PGlite opens a database in `path` and writes each commit through to the disk before its answer. */
export const options = async (path: string, write: Sync = sync): Promise<SyncedOptions> => {
  const { NodeFS } = await import("@electric-sql/pglite/nodefs")
  class SyncedFiles extends NodeFS {
    override async init(...[database, settings]: Init) {
      const { emscriptenOpts } = await super.init(database, settings)
      const preRun = [...(emscriptenOpts.preRun ?? []), addSync(write)]
      return { emscriptenOpts: { ...emscriptenOpts, preRun } }
    }
  }
  return { fs: new SyncedFiles(path), startParams: syncing }
}
