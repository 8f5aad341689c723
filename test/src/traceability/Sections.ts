/** All statements of the specification, section by section, in its order. */
import type { Section } from "./Statement.ts"
import { accounts } from "./statements/Accounts.ts"
import { actions } from "./statements/Actions.ts"
import { beneficiaries } from "./statements/Beneficiaries.ts"
import { general } from "./statements/General.ts"
import { quotes } from "./statements/Quotes.ts"

export const sections: ReadonlyArray<Section> = [general, actions, quotes, accounts, beneficiaries]
