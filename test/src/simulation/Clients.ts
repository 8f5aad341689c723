/** The clients of a simulated run: each does so many things, one after the other, as its own chance has it. */
import { accountDeeds } from "./AccountDeeds.ts"
import { type Answers, client, type Deeds } from "./Asking.ts"
import { cardDeeds } from "./CardDeeds.ts"
import type { Chance } from "./Chance.ts"
import { quoteDeeds } from "./QuoteDeeds.ts"
import { transferDeeds } from "./TransferDeeds.ts"
import type { Pay } from "./World.ts"

/** Everything that a client can do. */
export const deeds: Deeds = { ...transferDeeds, ...quoteDeeds, ...cardDeeds, ...accountDeeds }

const bag = Object.entries(deeds).flatMap(([name, { run, weight }]) =>
  Array.from({ length: weight }, () => ({ name, run })),
)

const triesMax = 4

/** One client's life. What there is nothing to do it to is not a step. */
export const live = async (pay: Pay, luck: Chance, answers: Answers, name: string, steps: number): Promise<void> => {
  const person = client(pay, luck, answers, name)
  const step = async (): Promise<void> => {
    for (let left = triesMax; left > 0; left--) {
      const deed = bag[luck.below(bag.length)]
      const isDone = await deed?.run(person)
      if (deed === undefined || isDone === undefined) continue
      const what = isDone ? deed.name : `${deed.name}: refused`
      answers.deeds.set(what, (answers.deeds.get(what) ?? 0) + 1)
      return
    }
  }
  for (let left = steps; left > 0; left--) await step()
}
