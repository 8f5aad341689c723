/**
 * Wrong stores: each a few lines around the store in memory, with the law of the port that it breaks.
 * Source: D-518.
 */
import { keys } from "./Keys.ts"
import { losses } from "./Losses.ts"
import { money } from "./Money.ts"
import { pages } from "./Pages.ts"
import { refusals } from "./Refusals.ts"
import { tenants } from "./Tenants.ts"
import { times } from "./Times.ts"
import { work } from "./Work.ts"
import type { WrongStore } from "./WrongStore.ts"

export const wrongStores: ReadonlyArray<WrongStore> = [
  ...losses,
  ...refusals,
  ...keys,
  ...money,
  ...work,
  ...tenants,
  ...pages,
  ...times,
]
