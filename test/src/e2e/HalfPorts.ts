/** Ports of a deployment that has forgotten most of them. */
import { SandboxRails } from "@countersign/core/sandbox"

export default SandboxRails.layer
