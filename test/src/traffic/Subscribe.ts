/** Loaded by servers that tests start in processes of their own: notes their answers for the end of the run. */
import { existsSync } from "node:fs"
import { documentFile } from "./Document.ts"
import { record } from "./Recorder.ts"

if (existsSync(documentFile)) record(() => undefined)
