/** The approvals page: a document, and where it stands. */
export { type ConsolePageOptions, consolePage, consolePageOf } from "./ConsoleRoute.ts"
export { type ConsoleMode, consoleDocument, consoleHeaders } from "./Document.ts"
