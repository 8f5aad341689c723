/** The callers of sets under load, what each of them may write, and their ledger accounts. */
import type { Caller } from "@countersign/core"
import type { LedgerAccount, Owner } from "@countersign/core/store"
import { agentOf, alpha, alphaId, ann, beta, betaId, bob, id, ownerOf } from "../Examples.ts"

interface Writer {
  readonly caller: Caller
  readonly owners: readonly [Owner, ...ReadonlyArray<Owner>]
}

const carla = id("Customer", 7)

export const writers: readonly [Writer, ...ReadonlyArray<Writer>] = [
  { caller: alpha, owners: [ownerOf(ann), ownerOf(bob), ownerOf(null)] },
  { caller: beta, owners: [ownerOf(null, betaId), ownerOf(carla, betaId)] },
  { caller: agentOf(ann), owners: [ownerOf(ann)] },
  { caller: agentOf(bob), owners: [ownerOf(bob)] },
]

export const owners: ReadonlyArray<Owner> = writers.flatMap((writer) => writer.owners).slice(0, 5)

const nameOf = ({ customerId, platformId }: Owner) =>
  `${platformId === alphaId ? "alpha" : "beta"}-${customerId?.slice(-2) ?? "own"}`

export const outsideOf = (owner: Owner): LedgerAccount => ({
  id: `outside:${nameOf(owner)}`,
  ...owner,
  currency: "USD",
  floor: null,
})

export const availableOf = (owner: Owner, n = 0): LedgerAccount => ({
  id: `available:${nameOf(owner)}-${n}`,
  ...owner,
  currency: "USD",
  floor: 0,
})
