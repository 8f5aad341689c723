/**
 * A connection to the server: its host key is compared before anything secret is sent, and every answer has a deadline.
 * Source: RFC 4253 (host keys), draft-ietf-secsh-filexfer-02 (SFTP 3); D-536.
 */
import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { Clock, Duration, Effect } from "effect"
import ssh2, { type ClientErrorExtensions, type SFTPWrapper } from "ssh2"
import { answerMillisDefault, connectMillisDefault, type SftpServer } from "../options/SftpOptions.ts"
import { SftpProblem } from "../options/SftpProblem.ts"

/** Deadlines are real time, whatever clock the service uses. */
const processClock = Clock.Clock.defaultValue()

type Act<A> = (sftp: SFTPWrapper, done: (error: Error | null | undefined, value: A) => void) => void

/** Calls the server once. */
export type Call = <A>(operation: string, act: Act<A>) => Effect.Effect<A, SftpProblem>

const problem = (operation: string, reason: string, status?: number) =>
  new SftpProblem({ operation, reason, ...(status === undefined ? {} : { status }) })

const within = <A>(millis: number, operation: string, effect: Effect.Effect<A, SftpProblem>) =>
  Effect.raceFirst(
    effect,
    Effect.andThen(
      processClock.sleep(Duration.millis(millis)),
      Effect.suspend(() => Effect.fail(problem(operation, `no answer within ${millis} ms`))),
    ),
  )

/** The member of an error that names its kind. */
const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

const secretOf = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => problem("connect", `a file with a secret cannot be read (${String(codeOf(error))})`),
  })

const credentialsOf = Effect.fnUntraced(function* ({ keyFile, passphraseFile, passwordFile }: SftpServer) {
  const withoutLineEnd = (text: string) => text.replace(/\r?\n$/u, "")
  if (keyFile === undefined) return { password: withoutLineEnd(yield* secretOf(passwordFile ?? "")) }
  const privateKey = yield* secretOf(keyFile)
  if (passphraseFile === undefined) return { privateKey }
  return { privateKey, passphrase: withoutLineEnd(yield* secretOf(passphraseFile)) }
})

export const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/u, "")}`

const reasonOf = (error: Error & Partial<ClientErrorExtensions>): string => {
  if (error.level === "client-authentication") return "the server does not accept the credentials"
  if (error.level === "client-timeout") return "the server does not answer"
  const code = codeOf(error)
  return typeof code === "string" ? `the connection failed (${code})` : "the connection failed"
}

const closed = "the connection was closed"

/** Opens a connection, which ends with the scope. */
export const connect = Effect.fnUntraced(function* (server: SftpServer) {
  const { answerMillis = answerMillisDefault, connectMillis = connectMillisDefault } = server
  const credentials = yield* credentialsOf(server)
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new ssh2.Client()),
    (opened) => Effect.sync(() => opened.destroy()),
  )
  /** What every open call fails with when the connection ends. */
  const waiting = new Set<(reason: string) => void>()
  let lost: string | undefined
  const lose = (reason: string) => {
    lost ??= reason
    for (const fail of waiting) fail(lost)
  }
  // Each call waits for its answer: small packets must not wait for each other.
  client.on("connect", () => client.setNoDelay(true))
  client.on("close", () => lose(closed))
  client.on("error", (error) => lose(reasonOf(error)))

  const once = <A>(operation: string, act: (done: (error: Error | null | undefined, value: A) => void) => void) =>
    Effect.callback<A, SftpProblem>((resume) => {
      const fail = (reason: string, status?: number) => {
        waiting.delete(fail)
        resume(Effect.fail(problem(operation, reason, status)))
      }
      if (lost !== undefined) return fail(lost)
      waiting.add(fail)
      act((error, value) => {
        const status = codeOf(error)
        if (error && typeof status === "number") return fail(`the server answers with the status ${status}`, status)
        if (error) return fail(lost ?? closed)
        waiting.delete(fail)
        resume(Effect.succeed(value))
      })
    })

  const opened = Effect.andThen(
    once<void>("connect", (done) => {
      client.on("ready", () => done(undefined, undefined))
      client.connect({
        host: server.host,
        port: server.port ?? 22,
        username: server.username,
        ...credentials,
        readyTimeout: connectMillis,
        hostVerifier: (key: Buffer) => {
          const found = fingerprintOf(key)
          if (server.hostKeys.includes(found)) return true
          lose(`the server has another host key: ${found}`)
          return false
        },
      })
    }),
    once<SFTPWrapper>("connect", (done) => client.sftp(done)),
  )
  const sftp = yield* within(connectMillis, "connect", opened)
  // A server that does not answer one call is asked nothing else.
  const call: Call = <A>(operation: string, act: Act<A>) =>
    within(
      answerMillis,
      operation,
      once<A>(operation, (done) => act(sftp, done)),
    ).pipe(
      Effect.tapError(({ reason, status }) => Effect.sync(() => (status === undefined ? lose(reason) : undefined))),
    )
  return call
})
