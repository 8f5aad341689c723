/**
 * The ports of this deployment, which `countersign serve` loads. Your bank and your verifier answer at COUNTERSIGN_PORTS_URL, in a language of yours.
 * In a merge of layers the later one wins. Files with TO WRITE are yours to complete; `countersign doctor --live` lists what is missing.
 */
import { Issuer } from "@countersign/core/ports"
import { Layer } from "effect"
import { codes } from "./ports/Codes.ts"
import { rates } from "./ports/Rates.ts"
import { strongAuthentication } from "./ports/StrongAuthentication.ts"

/** `Issuer.layerNone` offers no cards. */
export default Layer.orDie(Layer.mergeAll(codes, rates, strongAuthentication, Issuer.layerNone))
