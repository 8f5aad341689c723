/** TO WRITE, if you have customers in a region that requires strong authentication: your provider of it. */
import { ScaProvider, withPortChecks } from "@countersign/core/ports"
import { Layer } from "effect"
import { notWritten, notWrittenCheck } from "./NotWritten.ts"

export const strongAuthentication = Layer.sync(ScaProvider, () =>
  withPortChecks<ScaProvider["Service"]>(
    {
      startEnrollment: notWritten("ScaProvider.startEnrollment"),
      confirmEnrollment: notWritten("ScaProvider.confirmEnrollment"),
      challenge: notWritten("ScaProvider.challenge"),
      check: notWritten("ScaProvider.check"),
      startReset: notWritten("ScaProvider.startReset"),
      resetState: notWritten("ScaProvider.resetState"),
    },
    [notWrittenCheck("strong authentication", "ports/StrongAuthentication.ts")],
  ),
)
