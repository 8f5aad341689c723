/**
 * Moves the ends of a person's console sessions with the sandbox's time, so that who advances it on the page stays signed in.
 * Source: D-457.
 */
import { isActive } from "../../model/approval/ConsoleSession.ts"
import type { Stored } from "../../store/ChangeSet.ts"
import * as Changes from "../../store/Changes.ts"
import { answer, type Decision, type DecisionContext } from "../Decision.ts"

/** `millis`: how far the time is moved; negative where it was moved less far than announced. */
export const shiftSessions =
  (approverId: string, millis: number) =>
  (sessions: ReadonlyArray<Stored<"ConsoleSession">>, { now }: DecisionContext): Decision<null> =>
    answer(
      200,
      null,
      Changes.combine(
        ...sessions
          .filter(({ data }) => data.approverId === approverId && isActive(data, now))
          .map((session) => {
            const { activeAt, expiresAt } = session.data
            const shifted = { ...session.data, activeAt: activeAt + millis, expiresAt: expiresAt + millis }
            return Changes.update(session, shifted)
          }),
      ),
    )
