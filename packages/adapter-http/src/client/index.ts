/** The client, without server code: a browser may import it. */
export * from "./CallRefused.ts"
export * from "./Client.ts"
