/** Before all tests: a new folder for the traffic of the run, with the document that it is held against. */
import { beginRun } from "./Document.ts"

/** `vitest run` without files or names of tests runs them all. */
export default (): void => beginRun(process.argv.slice(2).join(" ") === "run")
