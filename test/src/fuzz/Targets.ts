/** All decoders under search. */
import { bundleTargets } from "./BundleTargets.ts"
import { httpTargets } from "./HttpTargets.ts"
import { passkeyTargets } from "./PasskeyTargets.ts"
import type { Target, TargetSource } from "./Target.ts"
import { textTargets } from "./TextTargets.ts"
import { tokenTargets } from "./TokenTargets.ts"
import { webhookTargets } from "./WebhookTargets.ts"

const made = (target: Target): TargetSource => ({ name: target.name, cost: 1, make: () => target })

export const targets: ReadonlyArray<TargetSource> = [
  ...textTargets.map(made),
  ...passkeyTargets,
  ...tokenTargets,
  ...bundleTargets,
  ...webhookTargets,
  ...httpTargets,
]
