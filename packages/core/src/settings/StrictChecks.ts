/**
 * Whether the check digits and checksums of new external accounts are checked. A deployment's choice: the sandbox's magic
 * suffixes need numbers whose check digits do not fit.
 * Source: wire contract 2.3; D-044.
 */
import { Context } from "effect"

export const StrictChecks = Context.Reference<boolean>("@countersign/core/StrictChecks", { defaultValue: () => false })
