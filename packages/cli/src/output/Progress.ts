/** Says on standard error what a command waits for, once it takes longer than a second. */
import { Console, Context, Duration, Effect } from "effect"

const noticeAfter = Duration.seconds(1)

/** Whether a notice is due already, or the command prints what it does by itself: then the parts of the work have none. */
const IsAnnounced = Context.Reference<boolean>("@countersign/cli/IsAnnounced", { defaultValue: () => false })

/** Runs work that prints its progress by itself, or that waits by design. */
export const withoutProgress = Effect.provideService(IsAnnounced, true)

export const withProgress =
  (notice: string) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(IsAnnounced, (isAnnounced) =>
      isAnnounced
        ? work
        : Effect.scoped(
            Effect.andThen(
              Effect.forkScoped(Effect.delay(Console.error(`${notice} ...`), noticeAfter)),
              withoutProgress(work),
            ),
          ),
    )
