/** Handlers of the sandbox's worlds, scenarios and faults that return the decoded request. */

import { Api } from "@countersign/client/api"
import { Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { read, wrote } from "./FakeAnswers.ts"

const worlds = HttpApiBuilder.group(Api, "sandboxWorlds", (handlers) =>
  handlers.handleAll({
    sandboxListWorlds: read("sandboxWorlds.sandboxListWorlds"),
    sandboxSaveWorld: wrote("sandboxWorlds.sandboxSaveWorld", 201),
    sandboxForkWorld: wrote("sandboxWorlds.sandboxForkWorld", 201),
    sandboxImportWorld: wrote("sandboxWorlds.sandboxImportWorld", 201),
    sandboxLoadWorld: wrote("sandboxWorlds.sandboxLoadWorld", 200),
    sandboxGetWorldFile: read("sandboxWorlds.sandboxGetWorldFile"),
    sandboxDeleteWorld: wrote("sandboxWorlds.sandboxDeleteWorld", 204),
    sandboxResetWorld: wrote("sandboxWorlds.sandboxResetWorld", 200),
  }),
)

const scenarios = HttpApiBuilder.group(Api, "sandboxScenarios", (handlers) =>
  handlers.handleAll({
    sandboxListScenarios: read("sandboxScenarios.sandboxListScenarios"),
    sandboxRunScenario: wrote("sandboxScenarios.sandboxRunScenario", 201),
  }),
)

const faults = HttpApiBuilder.group(Api, "sandboxFaults", (handlers) =>
  handlers.handleAll({
    sandboxGetFaults: read("sandboxFaults.sandboxGetFaults"),
    sandboxSetFaults: wrote("sandboxFaults.sandboxSetFaults", 200),
    sandboxClearFaults: wrote("sandboxFaults.sandboxClearFaults", 204),
  }),
)

export const SandboxWorlds = Layer.mergeAll(worlds, scenarios, faults)
