/** A module of `--ports` that lacks most ports. */
import { SandboxRails } from "@countersign/core/sandbox"

export default SandboxRails.layer
