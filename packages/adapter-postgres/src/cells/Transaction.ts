/** A transaction over several cells. It is rolled back by whatever `work` throws, and its connection is not left inside it. */
import type { Connection, Session } from "../connection/Connection.ts"
import { breaksSession, codeOf, NotConnected } from "../connection/Failure.ts"

const settings = `select set_config(name, value, true) from (values
  -- The server ends a transaction whose process stops between two statements: it would keep its locks.
  ('idle_in_transaction_session_timeout', '5000'),
  -- One that waits for a node that does not answer must not keep the locks of the others.
  ('statement_timeout', '4000'),
  -- Those of functions are shorter.
  ('lock_timeout', '1000')
) as setting (name, value)`

/** A commit that waits longer for a node that does not answer has an outcome that is unknown. */
const commitMillisMax = 4_000

const run = (session: Session, text: string) => session.query({ text, values: [] })

/**
 * Statements that end so wait for a node that does not answer, or have lost it: a rollback would wait for it as well. The server rolls back
 * when the connection ends.
 */
const waitsForNode = (error: unknown): boolean =>
  error instanceof NotConnected || ["57014", "XX000"].includes(codeOf(error) ?? "")

/** Fails as soon as a node that takes part is lost: the others would wait for it. */
const unlessLost = async <A>(lost: AbortSignal, answer: () => Promise<A>): Promise<A> => {
  if (lost.aborted) throw new NotConnected(lost.reason)
  let onLost: () => void = () => undefined
  const ended = new Promise<never>((_, reject) => {
    onLost = () => reject(new NotConnected(lost.reason))
    lost.addEventListener("abort", onLost)
  })
  try {
    return await Promise.race([answer(), ended])
  } finally {
    lost.removeEventListener("abort", onLost)
  }
}

/** Ends a transaction without an effect, and with a result. */
export class RolledBack<A> extends Error {
  readonly result: A
  constructor(result: A) {
    super("the transaction is rolled back")
    this.name = "RolledBack"
    this.result = result
  }
}

/** Rolls back. Of two errors the one is thrown that closes the connection: an error of the commit says what is unknown. */
const rollBack = async (session: Session, error: unknown): Promise<void> => {
  try {
    await run(session, "rollback")
  } catch (lost) {
    throw breaksSession(error) ? error : lost
  }
}

const resultOf = (error: unknown) => {
  if (error instanceof RolledBack) return error.result
  throw error
}

/** Returns the result of `work`, or that with which it was rolled back. `lost` aborts when a node that takes part no longer answers. */
export const transacted = <A>(
  connection: Connection,
  work: (session: Session) => Promise<A>,
  lost?: AbortSignal,
): Promise<A> =>
  (connection.transaction ?? connection.session)(async (own): Promise<A> => {
    const session: Session =
      lost === undefined ? own : { ...own, query: (statement) => unlessLost(lost, () => own.query(statement)) }
    let isCommitting = false
    await run(session, "begin")
    try {
      await run(session, settings)
      const result = await work(session)
      isCommitting = true
      await session.query({ text: "commit", values: [], answerMillisMax: commitMillisMax })
      return result
    } catch (error) {
      if (waitsForNode(error)) {
        if (isCommitting) throw new Error("a node did not answer the commit", { cause: error })
        throw error instanceof NotConnected ? error : new NotConnected(error)
      }
      // The outcome is unknown, and a rollback would wait behind the commit: the caller's connection is closed.
      if (isCommitting && breaksSession(error)) throw error
      await rollBack(session, error)
      // Returned here, because an error would close the connection.
      return resultOf(error)
    }
  }).catch(resultOf)
