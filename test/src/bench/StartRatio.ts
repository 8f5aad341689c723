/** The start of the service in memory beside the start of a bare server of Node: both from the command to the first answer. */
import { credentialOptions } from "../e2e/Flow.ts"
import { bareHttpServer, bundledService, type Child } from "./Child.ts"
import { startNames } from "./Figures.ts"
import type { Case, Measured } from "./Rounds.ts"

const started = (start: () => Promise<Child>) => async (): Promise<Measured> => {
  const begun = performance.now()
  await using child = await start()
  const answer = await fetch(child.output)
  await answer.arrayBuffer()
  const millis = performance.now() - begun
  return { perSecond: 1000 / millis, p50Millis: millis, count: 1 }
}

const inMemory = () => bundledService([...credentialOptions, "--store", "memory"])

/** The first start may have to build the bundle, and is not measured. */
export const startCases = async (): Promise<ReadonlyArray<Case>> => {
  await started(inMemory)()
  return [
    { name: startNames.base, run: started(bareHttpServer) },
    { name: startNames.name, bases: [startNames.base], run: started(inMemory) },
  ]
}
