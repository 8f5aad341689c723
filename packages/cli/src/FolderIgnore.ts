/**
 * Keeps a store's folder, which contains secrets, out of version control: it writes a `.gitignore` unless there is one.
 * Source: D-341.
 */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"

const content = "# Written by countersign: this folder contains secrets and a database.\n*\n"

/** Leaves an existing file as it is. */
export const writeFolderIgnore = async (folder: string): Promise<void> => {
  try {
    await writeFile(join(folder, ".gitignore"), content, { flag: "wx" })
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
  }
}
