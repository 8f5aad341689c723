/** The approvals page: a document, and where it stands. */
export { consolePage } from "./ConsoleRoute.ts"
export { consoleDocument, consoleHeaders } from "./Document.ts"
