/** All statements of the specification, section by section, in its order. */

import type { Section } from "./Statement.ts"
import { accounts } from "./statements/Accounts.ts"
import { beneficiaries } from "./statements/Beneficiaries.ts"
import { general } from "./statements/General.ts"

export const sections: ReadonlyArray<Section> = [general, accounts, beneficiaries]
