/** The record that a job works on. Source: D-354. */

/** Returns the id at the end of the name of the job's lane; `undefined` if the job has no lane, or one that names no record. */
export const jobSubject = (lane: string | undefined): { readonly subject?: string } => {
  const subject = lane === undefined ? undefined : /[A-Za-z]+:[0-9a-f-]{36}$/u.exec(lane)?.[0]
  return subject === undefined ? {} : { subject }
}
