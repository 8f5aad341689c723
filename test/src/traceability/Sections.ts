/** All statements of the specification, section by section, in its order. */
import type { Section } from "./Statement.ts"
import { accounts } from "./statements/Accounts.ts"
import { actions } from "./statements/Actions.ts"
import { agentEndpoints } from "./statements/AgentEndpoints.ts"
import { authentication } from "./statements/Authentication.ts"
import { beneficiaries } from "./statements/Beneficiaries.ts"
import { cardEndpoints } from "./statements/CardEndpoints.ts"
import { cards } from "./statements/Cards.ts"
import { credentials } from "./statements/Credentials.ts"
import { errors } from "./statements/Errors.ts"
import { events } from "./statements/Events.ts"
import { externalAccountEndpoints } from "./statements/ExternalAccountEndpoints.ts"
import { general } from "./statements/General.ts"
import { limits } from "./statements/Limits.ts"
import { quotes } from "./statements/Quotes.ts"
import { sandboxAuthentication } from "./statements/SandboxAuthentication.ts"
import { sandboxBehaviour } from "./statements/SandboxBehaviour.ts"
import { signing } from "./statements/Signing.ts"
import { states } from "./statements/States.ts"
import { versioning } from "./statements/Versioning.ts"
import { walletEndpoints } from "./statements/WalletEndpoints.ts"

export const sections: ReadonlyArray<Section> = [
  general,
  actions,
  quotes,
  accounts,
  beneficiaries,
  cards,
  credentials,
  states,
  agentEndpoints,
  externalAccountEndpoints,
  cardEndpoints,
  walletEndpoints,
  sandboxBehaviour,
  authentication,
  signing,
  sandboxAuthentication,
  events,
  errors,
  limits,
  versioning,
]
