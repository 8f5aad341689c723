/** Where the sandbox shows cards. */
export * from "../../2025-10-13/[...path]/route.ts"
