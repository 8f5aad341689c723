/** Scenarios of the sandbox: lists them, and runs one over the interface of this process. D-472. */

import { Api } from "@countersign/client/api"
import { type OfferedScenario, OfferedScenarios } from "@countersign/client/scenarios"
import { CurrentCaller, Jobs, notFound, ScenarioRuns, ServiceError } from "@countersign/core"
import { TokenPermissions } from "@countersign/core/models"
import { serviceNameOf, WallTime, WireNames } from "@countersign/core/ports"
import { Effect } from "effect"
import { sender } from "../middleware/OwnRequests.ts"
import { answering, created, ok } from "./EndpointHandlers.ts"
import { group } from "./HandlerGroup.ts"
import { runScenario } from "./ScenarioSteps.ts"

const isOffered = (name: string): name is OfferedScenario => Object.hasOwn(OfferedScenarios, name)

const data = Object.entries(OfferedScenarios).map(([name, texts]) => ({ name, ...texts }))

const notAllowed = (permission: string) =>
  new ServiceError({
    code: "FORBIDDEN",
    message: `A scenario sends requests as its caller, who lacks ${permission}.`,
    details: { reason: "PERMISSION_MISSING", permission },
  })

export const layer = group(
  Api,
  "sandboxScenarios",
  Effect.fnUntraced(function* (handlers) {
    const runs = yield* ScenarioRuns
    const { drain } = yield* Jobs
    const wall = yield* WallTime
    const run = Effect.fnUntraced(function* (name: string) {
      const caller = yield* CurrentCaller
      if (caller._tag !== "Platform") return yield* Effect.die(new Error("a scenario runs for a platform"))
      const missing = TokenPermissions.find((permission) => !caller.permissions.includes(permission))
      if (missing !== undefined) return yield* notAllowed(missing)
      if (!isOffered(name)) return yield* new ServiceError(notFound("scenario"))
      const own = yield* sender
      const serviceName = serviceNameOf(yield* WireNames)
      return yield* runs.run(
        name,
        Effect.provideService(runScenario(name, { caller, drain, own, serviceName }), WallTime, wall),
      )
    })
    return handlers.handleAll(
      yield* answering(handlers, {
        sandboxListScenarios: () => ok(Effect.succeed({ data })),
        sandboxRunScenario: ({ params }) => created(run(params.scenario)),
      }),
    )
  }),
)
