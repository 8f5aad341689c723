/** The route handler: every method of every path below this folder. */
import { payments } from "../../../payments.ts"

const answer = async (request: Request): Promise<Response> => (await payments).handler(request)

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
}
