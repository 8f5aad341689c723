/**
 * Files of worlds in the browser: offers one for download, and reads a chosen one.
 * Source: D-471.
 */
import { Refused } from "./Api.ts"

/** A request has at most 1 MiB, so a larger file is no world. */
const fileBytesMax = 1024 * 1024

/** Lets the browser save a file. */
export const download = (name: string, file: object): void => {
  const address = URL.createObjectURL(new Blob([`${JSON.stringify(file)}\n`], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = address
  link.download = `${name}.world.json`
  link.click()
  URL.revokeObjectURL(address)
}

/** Reads a chosen file, whose content the service checks. */
export const worldIn = async (file: File): Promise<object> => {
  if (file.size > fileBytesMax) throw new Refused(0, "The file is larger than 1 MiB, so it is not the file of a world.")
  try {
    const value: unknown = JSON.parse(await file.text())
    if (typeof value === "object" && value !== null) return value
  } catch {
    // The same as for any other file.
  }
  throw new Refused(0, "The file is not the file of a world.")
}
