/** Says on standard error what a command waits for, once it takes longer than a second. */
import { Console, Duration, Effect } from "effect"

const noticeAfter = Duration.seconds(1)

export const withProgress =
  (notice: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.scoped(Effect.andThen(Effect.forkScoped(Effect.delay(Console.error(`${notice} ...`), noticeAfter)), work))
