/** A module of `--ports` whose bank and checks are those of the sandbox. */
import { Sandbox } from "@countersign/core/sandbox"
import { Layer } from "effect"

export default Layer.fresh(Sandbox.layer)
