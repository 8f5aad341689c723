/** The public names of the arbitraries: every entity, every request, and checks of every response. For fast-check. */

export { type Answer, problemsOfAnswer, problemsOfMalformed } from "./Answers.ts"
export { arbitraryOf, type ModelName, modelNames, modelOf } from "./Entities.ts"
export { type EveryAnswerOptions, everyAnswer, type RequestSender, type RequestTarget } from "./EveryAnswer.ts"
export { fromSchema, type Overrides } from "./FromSchema.ts"
export { type Operation, operationOf, operations, type Scheme } from "./Operations.ts"
export { type KnownValues, knownIdsIn, overridesFor } from "./Overrides.ts"
export { type GeneratedRequest, type MalformedRequest, malformed, type RequestOptions, requestOf } from "./Requests.ts"
export { type SearchOptions, search } from "./Search.ts"
