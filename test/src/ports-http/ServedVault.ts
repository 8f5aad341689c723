/** A vault behind the contract, as a server in another language would keep it: pieces in order, complete files, and the keys of erased ones. */
import { createHash } from "node:crypto"
import type { PortCall } from "./PortServer.ts"

interface VaultRequest {
  readonly key: string
  readonly position: number
  readonly length: number
  readonly content: string
  readonly size: number
  readonly sha256: string
}

const none: VaultRequest = { key: "", position: 0, length: 0, content: "", size: 0, sha256: "" }

interface KeptFile {
  bytes: Buffer
  isComplete: boolean
}

export interface ServedVault {
  readonly answer: (call: Pick<PortCall, "path" | "request">) => object
  /** The keys of the files of which the vault has bytes, complete or not. */
  readonly keys: () => ReadonlyArray<string>
}

const digestOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")

export const servedVault = (): ServedVault => {
  const files = new Map<string, KeptFile>()
  const erased = new Set<string>()

  const append = ({ content, key, position }: VaultRequest) => {
    if (erased.has(key)) return { result: 0 }
    const file = files.get(key) ?? { bytes: Buffer.alloc(0), isComplete: false }
    const bytes = Buffer.from(content, "base64")
    // A piece that arrives again changes nothing; one that would leave a gap is not taken.
    if (!file.isComplete && position === file.bytes.length) file.bytes = Buffer.concat([file.bytes, bytes])
    files.set(key, file)
    return { result: Math.min(file.bytes.length, position + bytes.length) }
  }

  const complete = ({ key, sha256, size }: VaultRequest) => {
    const empty = { bytes: Buffer.alloc(0), isComplete: false }
    const file = erased.has(key) ? undefined : (files.get(key) ?? empty)
    if (file?.bytes.length !== size || digestOf(file.bytes) !== sha256) return { outcome: "Refused" }
    files.set(key, { ...file, isComplete: true })
    return { outcome: "Stored" }
  }

  const read = ({ key, length, position }: VaultRequest) => {
    const file = files.get(key)
    if (file?.isComplete !== true) return { outcome: "Missing" }
    const content = file.bytes.subarray(position, position + length).toString("base64")
    return { outcome: "Bytes", size: file.bytes.length, content }
  }

  const erase = ({ key }: VaultRequest) => {
    if (files.delete(key)) erased.add(key)
    return {}
  }

  const operations = new Map<string, (request: VaultRequest) => object>([
    ["append", append],
    ["complete", complete],
    ["read", read],
    ["erase", erase],
  ])
  return {
    answer: ({ path, request }) => {
      const operation = operations.get(path.replace("/ports/document-vault/", ""))
      if (operation === undefined) throw new Error(`there is no ${path}`)
      return operation({ ...none, ...request })
    },
    keys: () => [...files.keys()],
  }
}
