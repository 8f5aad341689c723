/**
 * The ports of this deployment, which `countersign serve` loads. Your bank is in ports/BankFiles.ts, your verifier in ports/Verification.ts.
 * In a merge of layers the later one wins. Files with TO WRITE are yours to complete; `countersign doctor --live` lists what is missing.
 */
import { Issuer } from "@countersign/core/ports"
import { Layer } from "effect"
import { bank } from "./ports/BankFiles.ts"
import { codes } from "./ports/Codes.ts"
import { rates } from "./ports/Rates.ts"
import { strongAuthentication } from "./ports/StrongAuthentication.ts"
import { verification } from "./ports/Verification.ts"

/** `Issuer.layerNone` offers no cards. */
export default Layer.orDie(Layer.mergeAll(bank, verification, codes, rates, strongAuthentication, Issuer.layerNone))
