/** A temporary folder for a test, removed on disposal. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Folder extends AsyncDisposable {
  readonly path: string
}

export const newFolder = async (): Promise<Folder> => {
  const path = await mkdtemp(join(tmpdir(), "countersign-folder-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
