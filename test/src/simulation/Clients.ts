/** The clients of a simulated run: each performs random actions, one after the other. */
import { accountActions } from "./AccountActions.ts"
import type { Answers } from "./Answers.ts"
import { cardActions } from "./CardActions.ts"
import { type ClientActions, client } from "./ClientRequests.ts"
import { depositActions } from "./DepositActions.ts"
import { documentActions } from "./DocumentActions.ts"
import { importActions } from "./ImportActions.ts"
import { invitationActions } from "./InvitationActions.ts"
import { quoteActions } from "./QuoteActions.ts"
import type { Randomness } from "./Randomness.ts"
import { stablecoinActions } from "./StablecoinActions.ts"
import { transferActions } from "./TransferActions.ts"
import { trustActions } from "./TrustActions.ts"
import type { Pay } from "./World.ts"

/** All actions of a client. */
export const clientActions: ClientActions = {
  ...transferActions,
  ...quoteActions,
  ...cardActions,
  ...accountActions,
  ...documentActions,
  ...stablecoinActions,
  ...depositActions,
  ...invitationActions,
  ...importActions,
  ...trustActions,
}

const bag = Object.entries(clientActions).flatMap(([name, { run, weight }]) =>
  Array.from({ length: weight }, () => ({ name, run })),
)

const triesMax = 4

/** Runs one client. An action without a target does not count as a step. */
export const runClient = async (
  pay: Pay,
  random: Randomness,
  answers: Answers,
  name: string,
  steps: number,
): Promise<void> => {
  const person = client(pay, random, answers, name)
  const step = async (): Promise<void> => {
    for (let left = triesMax; left > 0; left--) {
      const action = bag[random.below(bag.length)]
      const isDone = await action?.run(person)
      if (action === undefined || isDone === undefined) continue
      const what = isDone ? action.name : `${action.name}: refused`
      answers.actionCounts.set(what, (answers.actionCounts.get(what) ?? 0) + 1)
      return
    }
  }
  for (let left = steps; left > 0; left--) await step()
}
