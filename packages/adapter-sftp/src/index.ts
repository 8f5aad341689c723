/** The public names of the SFTP adapter. */

export type { SftpOptions, SftpServer } from "./options/SftpOptions.ts"
export type { Skipped } from "./SendFiles.ts"
export { type Carried, type SftpCarrier, sftpCarrier } from "./SftpCarrier.ts"
