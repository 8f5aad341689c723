/** The files of the repository that the site is made from. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

export const readText = (path: string): string => readFileSync(root + path, "utf8")

export const readBytes = (path: string): Buffer => readFileSync(root + path)

export const isFile = (path: string): boolean => existsSync(root + path) && statSync(root + path).isFile()

export const isFolder = (path: string): boolean => existsSync(root + path) && statSync(root + path).isDirectory()

/** The paths of all files below a folder, sorted; installed and built files are left out. */
export const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(root + folder, { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "dist"].includes(name) && !name.endsWith(".tsbuildinfo"))
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : entry.isFile() ? [`${folder}/${entry.name}`] : [],
    )
    .toSorted()

export const isPicture = (path: string): boolean => /\.(?:svg|png)$/u.test(path)
