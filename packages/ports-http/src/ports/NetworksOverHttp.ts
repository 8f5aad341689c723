/**
 * `UmaNetwork`, `NetworkFees`, `VaspDirectory`, `DomainOwnership` and `DepositScreening` at a server that answers over HTTP.
 * Source: D-536.
 */
import type { DepositScreening, DomainOwnership, NetworkFees, UmaNetwork, VaspDirectory } from "@countersign/core/ports"
import { Effect } from "effect"
import type { PortClient } from "../call/PortClient.ts"
import {
  domainOwnershipOperations,
  networkFeesOperations,
  umaNetworkOperations as uma,
  vaspDirectoryOperations,
} from "../contract/NetworkOperations.ts"
import { depositScreeningOperations as screening } from "../contract/ScreeningOperations.ts"

type PortOf<Key extends { readonly Service: unknown }> = Key["Service"]

const resultOf = <A, E>(answer: Effect.Effect<{ readonly result: A }, E>) => Effect.map(answer, ({ result }) => result)

/** `null` in JSON is `undefined` in a port. */
const knownOf = <A, E>(answer: Effect.Effect<{ readonly result: A | null }, E>) =>
  Effect.map(answer, ({ result }) => result ?? undefined)

export const umaNetworkOverHttp = ({ ask }: PortClient): PortOf<typeof UmaNetwork> => ({
  find: (address, sender) => ask(uma.find, { address, ...(sender === undefined ? {} : { sender }) }),
  providers: resultOf(ask(uma.providers, {})),
  requirements: resultOf(ask(uma.requirements, {})),
})

export const networkFeesOverHttp = ({ ask }: PortClient): PortOf<typeof NetworkFees> => ({
  estimate: (withdrawal) => knownOf(ask(networkFeesOperations.estimate, withdrawal)),
})

export const vaspDirectoryOverHttp = ({ ask }: PortClient): VaspDirectory => ({
  entries: resultOf(ask(vaspDirectoryOperations.entries, {})),
})

export const domainOwnershipOverHttp = ({ ask }: PortClient): PortOf<typeof DomainOwnership> => ({
  check: (claim) => resultOf(ask(domainOwnershipOperations.check, claim)),
})

export const depositScreeningOverHttp = ({ ask }: PortClient): PortOf<typeof DepositScreening> => ({
  screen: (deposit) => ask(screening.screen, deposit),
  transactionHash: (arrived) => knownOf(ask(screening.transactionHash, arrived)),
})
