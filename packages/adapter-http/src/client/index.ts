/** The client, without server code: a browser may import it. */
export { CallRefused } from "./CallRefused.ts"
export * from "./Client.ts"
