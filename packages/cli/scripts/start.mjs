/**
 * Starts the command line in the repository, after a change of the sources from a new bundle.
 * Source: D-432.
 */
import "./bundle.mjs"

await import("../bin/countersign.js")
