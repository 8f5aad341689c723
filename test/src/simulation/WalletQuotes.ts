/** Quotes whose source is the embedded wallet of a simulated run: only a signature of its owner executes them. */
import type { Body } from "./Answers.ts"
import type { Pay } from "./World.ts"

export const isOfWallet = ({ wallet }: Pick<Pay, "wallet">, quote: Body): boolean =>
  (quote["source"] as Body | undefined)?.["accountId"] === wallet.accountId
