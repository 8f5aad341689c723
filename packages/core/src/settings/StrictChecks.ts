/**
 * Whether check digits and checksums of new external accounts are verified. It is off by default, because the sandbox's magic
 * suffixes need numbers with wrong check digits.
 * Source: wire contract 2.3; D-044.
 */
import { Context } from "effect"

export const StrictChecks = Context.Reference<boolean>("@countersign/core/StrictChecks", { defaultValue: () => false })
