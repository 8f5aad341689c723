/** Before all tests: a new folder for the traffic of the run, with the document that it is held against. */
import { OpenApiDocument } from "@countersign/adapter-http"
import { Api } from "@countersign/client/api"
import { beginRun } from "./Document.ts"

export default (): void => beginRun(OpenApiDocument.make(Api, ""), process.argv.slice(2).join(" ") === "run")
