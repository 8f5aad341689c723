/** The SFTP server of a bank in this process, over files in memory, with a fault at a call that a test chooses. */
import { once } from "node:events"
import ssh2, { type Connection, type ServerConfig, type SFTPWrapper } from "ssh2"

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

/** Opens the locked key. */
export const passphrase = "the passphrase of our key"

const ed25519Pair = () => ssh2.utils.generateKeyPairSync("ed25519")
const lockedPair = () => ssh2.utils.generateKeyPairSync("ed25519", { passphrase, cipher: "aes256-cbc", rounds: 1 })

/** A new pair of keys. The library cuts zeros off a public key that begins with one, and cannot read that pair. */
export const sshKeyPair = (generate = ed25519Pair): ReturnType<typeof ed25519Pair> => {
  for (;;) {
    const pair = generate()
    if (!(ssh2.utils.parseKey(pair.private, passphrase) instanceof Error)) return pair
  }
}

export const hostKey = sshKeyPair()
export const otherHostKey = sshKeyPair()
export const clientKey = sshKeyPair()
/** A key of ours whose file is encrypted. */
export const lockedKey = sshKeyPair(lockedPair)

export interface BankFile {
  bytes: Buffer
  /** Unix seconds. */
  modifiedAt: number
}

/** What the server does with its n-th call, from 1 on. `before` and `after`: the call has not, and has, had its effect. */
export type Fault = "cut before" | "cut after" | "silent before" | "silent after"

export interface BankServer extends AsyncDisposable {
  readonly port: number
  /** The files by their paths. */
  readonly files: Map<string, BankFile>
  /** The names of the calls so far. */
  readonly calls: Array<string>
  /** Every name under which a file became visible in `/inbox`, and its content. */
  readonly arrived: Array<readonly [name: string, text: string]>
  /** How many clients have signed in. */
  readonly signIns: () => number
  /** Runs when a call will have no answer. */
  onSilence: () => void
  /** Runs before each call. */
  onCall: (name: string) => void
  /** Replaces the fault; the number counts from now on, and 0 means none. */
  readonly failAt: (call: number, fault: Fault) => void
  /** Names beside the real ones, such as a bank with a bad intent would list; a folder ends in `/`. */
  readonly listsAlso: Array<string>
  /** Whether a renaming is refused. */
  refusesRename: boolean
  /** Whether a removal is refused. */
  refusesRemove: boolean
  /** Whether what is written is acknowledged and lost, as on a full disk. */
  losesBytes: boolean
  /** Whether the bank collects each file of `/inbox` in the moment in which it has its name. */
  collects: boolean
}

type Path = string

const isVisible = (path: Path) => path.startsWith("/inbox/") && !path.startsWith("/inbox/.")

const attrsOf = ({ bytes, modifiedAt }: BankFile) => ({
  mode: 0o100644,
  uid: 0,
  gid: 0,
  size: bytes.length,
  atime: modifiedAt,
  mtime: modifiedAt,
})

const nameOf = (filename: string, attrs: ReturnType<typeof attrsOf>) => ({ filename, longname: filename, attrs })

export const bankServer = async (config: Partial<ServerConfig> = {}): Promise<BankServer> => {
  const files = new Map<Path, BankFile>()
  const calls: Array<string> = []
  const arrived: Array<readonly [string, string]> = []
  let fault: { at: number; readonly fault: Fault } | undefined
  let signedIn = 0
  const open = new Set<Connection>()

  const serve = (sftp: SFTPWrapper, connection: Connection) => {
    const handles = new Map<string, { readonly path: Path; isListed: boolean }>()
    let opened = 0
    const handleOf = (path: Path) => {
      opened += 1
      handles.set(String(opened), { path, isListed: false })
      return Buffer.from(String(opened))
    }
    const pathOf = (handle: Buffer) => handles.get(handle.toString())?.path ?? ""
    const fileOf = (handle: Buffer) => files.get(pathOf(handle))

    /** Runs a call, which returns its answer, with the fault that is chosen for it. */
    const run = (name: string, act: () => () => void) => {
      calls.push(name)
      server.onCall(name)
      if (fault !== undefined) fault.at -= 1
      const now = fault?.at === 0 ? fault.fault : undefined
      if (now === "silent before") return server.onSilence()
      if (now === "cut before") return void connection.end()
      const answer = act()
      if (now === undefined) answer()
      if (now === "silent after") server.onSilence()
      if (now === "cut after") connection.end()
    }
    const status = (id: number, code: number) => () => sftp.status(id, code)

    sftp.on("OPENDIR", (id, path) => run("opendir", () => () => sftp.handle(id, handleOf(path))))
    sftp.on("READDIR", (id, handle) =>
      run("readdir", () => {
        const listing = handles.get(handle.toString())
        if (listing === undefined || listing.isListed) return status(id, STATUS_CODE.EOF)
        listing.isListed = true
        const inside = [...files].filter(([path]) => path.slice(0, path.lastIndexOf("/")) === listing.path)
        const names = inside.map(([path, file]) => nameOf(path.slice(path.lastIndexOf("/") + 1), attrsOf(file)))
        const bad = attrsOf({ bytes: Buffer.from("bad"), modifiedAt: 1 })
        const also = server.listsAlso.map((name) =>
          name.endsWith("/") && name !== "/"
            ? nameOf(name.slice(0, -1), { ...bad, mode: 0o040755 })
            : nameOf(name, bad),
        )
        return () => sftp.name(id, [...names, ...also])
      }),
    )
    sftp.on("OPEN", (id, path, flags) =>
      run("open", () => {
        const isWrite = (flags & OPEN_MODE.WRITE) !== 0
        if (files.has(path) === isWrite) return status(id, isWrite ? STATUS_CODE.FAILURE : STATUS_CODE.NO_SUCH_FILE)
        if (isWrite) files.set(path, { bytes: Buffer.alloc(0), modifiedAt: 1 })
        return () => sftp.handle(id, handleOf(path))
      }),
    )
    sftp.on("WRITE", (id, handle, offset, data) =>
      run("write", () => {
        const file = fileOf(handle)
        if (file !== undefined && !server.losesBytes) file.bytes = Buffer.concat([file.bytes.subarray(0, offset), data])
        return status(id, STATUS_CODE.OK)
      }),
    )
    sftp.on("READ", (id, handle, offset, length) =>
      run("read", () => {
        const bytes = fileOf(handle)?.bytes.subarray(offset, offset + length) ?? Buffer.alloc(0)
        return bytes.length === 0 ? status(id, STATUS_CODE.EOF) : () => sftp.data(id, bytes)
      }),
    )
    const stat = (name: string, id: number, file: BankFile | undefined) =>
      run(name, () => (file === undefined ? status(id, STATUS_CODE.NO_SUCH_FILE) : () => sftp.attrs(id, attrsOf(file))))
    sftp.on("FSTAT", (id, handle) => stat("fstat", id, fileOf(handle)))
    sftp.on("LSTAT", (id, path) => stat("lstat", id, files.get(path)))
    sftp.on("CLOSE", (id) => run("close", () => status(id, STATUS_CODE.OK)))
    sftp.on("REMOVE", (id, path) =>
      run("remove", () => {
        if (server.refusesRemove) return status(id, STATUS_CODE.FAILURE)
        return status(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE)
      }),
    )
    sftp.on("RENAME", (id, from, to) =>
      run("rename", () => {
        const file = files.get(from)
        if (file === undefined) return status(id, STATUS_CODE.NO_SUCH_FILE)
        if (server.refusesRename || files.has(to)) return status(id, STATUS_CODE.FAILURE)
        files.delete(from)
        if (isVisible(to)) arrived.push([to.slice("/inbox/".length), file.bytes.toString()])
        if (!isVisible(to) || !server.collects) files.set(to, file)
        return status(id, STATUS_CODE.OK)
      }),
    )
  }

  const ssh = new ssh2.Server({ hostKeys: [hostKey.private], ...config }, (connection) => {
    open.add(connection)
    // Small answers must not wait for each other. The types do not know the method.
    if ("setNoDelay" in connection && typeof connection.setNoDelay === "function") connection.setNoDelay(true)
    connection.on("close", () => open.delete(connection))
    // A client that goes away is no fault of the server.
    connection.on("error", () => undefined)
    connection.on("authentication", (context) => {
      const isKey =
        context.method === "publickey" &&
        (clientKey.public + lockedKey.public).includes(context.key.data.toString("base64"))
      const isPassword = context.method === "password" && context.password === "the password of the bank"
      if (isKey || isPassword) context.accept()
      else context.reject(["publickey", "password"])
    })
    connection.on("ready", () => {
      signedIn += 1
      connection.on("session", (accept) => accept().on("sftp", (take) => serve(take(), connection)))
    })
  })
  ssh.listen(0, "127.0.0.1")
  await once(ssh, "listening")
  const address = ssh.address()
  const server: BankServer = {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    files,
    calls,
    arrived,
    signIns: () => signedIn,
    onCall: () => undefined,
    onSilence: () => undefined,
    failAt: (at, chosen) => {
      fault = { at, fault: chosen }
    },
    listsAlso: [],
    refusesRename: false,
    refusesRemove: false,
    losesBytes: false,
    collects: false,
    [Symbol.asyncDispose]: async () => {
      for (const connection of open) connection.end()
      await new Promise<void>((resolve) => {
        ssh.close(() => resolve())
      })
    },
  }
  return server
}
