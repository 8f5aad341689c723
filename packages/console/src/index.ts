/** The approvals page: a document, and where it stands. */
export { consolePage, consolePageOf } from "./ConsoleRoute.ts"
export { consoleDocument, consoleHeaders } from "./Document.ts"
