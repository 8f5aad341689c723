/** Evaluates a bundle of tests, again for each mutant: all modules of this repository are evaluated again with it. */
import { Script } from "node:vm"
import { makeSuite, type SuiteHooks } from "./Suite.ts"

/** Loads the tests of a bundle, given how to require the modules of packages. */
export type Evaluate = (require: (id: string) => unknown) => Promise<ReturnType<typeof makeSuite>>

export const evaluatorOf = (code: string, hooks?: SuiteHooks): Evaluate => {
  const script = new Script(`(require) => { const module = { exports: {} }, exports = module.exports; ${code}
      return module.exports.files }`)
  const evaluate: (require: (id: string) => unknown) => { readonly [file: string]: () => unknown } =
    script.runInThisContext()
  return async (require) => {
    const tests = makeSuite(hooks)
    for (const [name, file] of Object.entries(evaluate((id) => tests.modules.get(id) ?? require(id))))
      await tests.load(name, file)
    return tests
  }
}
