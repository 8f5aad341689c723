/**
 * The server of a bank, its folders, and ours.
 * Source: D-536.
 */

export interface SftpServer {
  readonly host: string
  /** Default: 22. */
  readonly port?: number
  readonly username: string
  /** The fingerprints of its host key: `SHA256:` and base64, as `ssh-keygen -lf` prints them. Two while it changes. */
  readonly hostKeys: ReadonlyArray<string>
  /** The path of a file with the private key, read at each connection. */
  readonly keyFile?: string
  /** The path of a file with the passphrase of the key. */
  readonly passphraseFile?: string
  /** The path of a file with the password. */
  readonly passwordFile?: string
  /** How long the connection may take, in milliseconds. Default: 20,000. */
  readonly connectMillis?: number
  /** How long one answer of the server may take, in milliseconds. Default: 30,000. */
  readonly answerMillis?: number
}

export interface SftpOptions {
  /** The name of the bank, for messages. */
  readonly name: string
  /** The path of the folder with `in` and `out`, which is that of the bank's files. */
  readonly folder: string
  readonly server: SftpServer
  /** The folder of the server that takes our files. Temporary names there begin with a dot. */
  readonly remoteOut: string
  /** The folder of the server that has files for us. */
  readonly remoteIn: string
  /** What becomes of a file of the server that was received. Default: it stays, and is remembered. */
  readonly received?: "keep" | "delete" | { readonly moveTo: string }
  /** A larger file is left alone, on both sides. Default: 32 MiB. */
  readonly bytesMax?: number
}

export const bytesDefault = 32 * 1024 * 1024
export const connectMillisDefault = 20_000
export const answerMillisDefault = 30_000

const isFolder = (path: string): boolean => path !== "" && !path.includes("\u0000")

/** Returns the first problem; `undefined`: the options can be used. */
export const problemOfOptions = ({
  folder,
  received,
  remoteIn,
  remoteOut,
  server,
}: SftpOptions): string | undefined => {
  const { hostKeys, keyFile, passwordFile } = server
  if (hostKeys.length === 0) return "`hostKeys` must have the fingerprint of the server's host key."
  if (!hostKeys.every((key) => /^SHA256:[A-Za-z0-9+/]{43}$/u.test(key))) {
    return "`hostKeys` must be fingerprints like `SHA256:` and 43 characters of base64, as `ssh-keygen -lf` prints them."
  }
  if ((keyFile === undefined) === (passwordFile === undefined)) return "one of `keyFile` and `passwordFile` is needed."
  const folders = [folder, remoteIn, remoteOut, typeof received === "object" ? received.moveTo : "/"]
  if (!folders.every(isFolder)) return "`folder`, `remoteIn`, `remoteOut` and `received.moveTo` must be paths."
  return remoteIn === remoteOut ? "`remoteIn` and `remoteOut` must be two folders." : undefined
}
