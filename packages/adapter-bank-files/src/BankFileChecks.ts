/** What an operator can find out about bank files before they are used: the folders and the store. Source: D-534. */
import type { PortCheck } from "@countersign/core/ports"
import { Effect } from "effect"
import type { Bank } from "./Bank.ts"
import type { BankFileStore } from "./orders/BankFileStore.ts"

const folderCheck = ({ folder, name }: Bank): PortCheck => {
  const fix = "create the folder, let the service write it, and keep its parts on one file system"
  return {
    name: `bank ${name}`.slice(0, 16),
    run: Effect.match(folder.problems, {
      onSuccess: (problems) =>
        problems.length === 0
          ? { status: "ok", text: `the folder of the bank ${name} can be used` }
          : { status: "problem", text: `the folder of the bank ${name}: ${problems.join(", ")}`, fix },
      onFailure: ({ message }) => ({ status: "problem", text: `the bank ${name}: ${message}`, fix }),
    }),
  }
}

export const bankFileChecks = (
  banks: ReadonlyArray<Bank>,
  store: BankFileStore["Service"],
): ReadonlyArray<PortCheck> => [
  ...banks.map(folderCheck),
  {
    name: "bank file store",
    run: Effect.match(
      store.transact((rows) => rows.listUnreported(1)),
      {
        onSuccess: () => ({ status: "ok", text: "the store of bank files answers" }) as const,
        onFailure: () =>
          ({
            status: "problem",
            text: "the store of bank files does not answer",
            fix: "start its database, and run PostgresBankFileStore.migrate once",
          }) as const,
      },
    ),
  },
]
