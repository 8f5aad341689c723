/** The clients of a simulated run: each performs random actions, one after the other. */
import { accountActions } from "./AccountActions.ts"
import type { Answers } from "./Answers.ts"
import { cardActions } from "./CardActions.ts"
import { type ClientAction, type ClientActions, client } from "./ClientRequests.ts"
import { contactActions } from "./ContactActions.ts"
import { credentialActions } from "./CredentialActions.ts"
import { delegatedKeyActions } from "./DelegatedKeyActions.ts"
import { depositActions } from "./DepositActions.ts"
import { documentActions } from "./DocumentActions.ts"
import { endpointActions } from "./EndpointActions.ts"
import { importActions } from "./ImportActions.ts"
import { invitationActions } from "./InvitationActions.ts"
import { keyActions } from "./KeyActions.ts"
import { listActions } from "./ListActions.ts"
import { quoteActions } from "./QuoteActions.ts"
import type { Randomness } from "./Randomness.ts"
import { stablecoinActions } from "./StablecoinActions.ts"
import { transferActions } from "./TransferActions.ts"
import { trustActions } from "./TrustActions.ts"
import { verificationActions } from "./VerificationActions.ts"
import { walletActions } from "./WalletActions.ts"
import type { Pay } from "./World.ts"

const areas = {
  transfers: transferActions,
  quotes: quoteActions,
  cards: cardActions,
  accounts: accountActions,
  documents: documentActions,
  stablecoins: stablecoinActions,
  deposits: depositActions,
  invitations: invitationActions,
  imports: importActions,
  trust: trustActions,
  credentials: credentialActions,
  wallet: walletActions,
  verifications: verificationActions,
  lists: listActions,
  endpoint: endpointActions,
  keys: keyActions,
  delegated: delegatedKeyActions,
  contacts: contactActions,
} as const satisfies { readonly [area: string]: ClientActions }

/** A group of actions. */
export type Area = keyof typeof areas

/** All actions of a client. */
export const clientActions: ClientActions = Object.fromEntries(Object.values(areas).flatMap(Object.entries))

/** The actions of a run, each as often as its frequency. */
export type ActionBag = ReadonlyArray<{ readonly name: string; readonly run: ClientAction["run"] }>

/**
 * Some areas are frequent in a run, and others do not occur: so it gets deeper into the frequent ones. `only`: the areas of a run that is not
 * left to the random numbers.
 */
export const actionBag = (random: Randomness, only?: ReadonlyArray<Area>): ActionBag =>
  Object.entries(areas).flatMap(([area, actions]) => {
    const generated = random.pick([0, 1, 1, 1, 4])
    const factor = only === undefined ? generated : Number(only.some((each) => each === area))
    return Object.entries<ClientAction>(actions).flatMap(([name, { run, weight }]) =>
      Array.from({ length: weight * factor }, () => ({ name, run })),
    )
  })

const triesMax = 4

/** Runs one client. An action without a target does not count as a step. */
export const runClient = async (
  pay: Pay,
  random: Randomness,
  answers: Answers,
  { bag, name, steps }: { readonly bag: ActionBag; readonly name: string; readonly steps: number },
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
