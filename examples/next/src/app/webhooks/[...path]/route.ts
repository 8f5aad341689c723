/** The key that verifies webhooks. */
export * from "../../2025-10-13/[...path]/route.ts"
