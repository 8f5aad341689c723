/** The transport of the euro bank's files. */
import { type SftpServer, sftpCarrier } from "@countersign/adapter-sftp"

export const euroServer = (folder: string, server: Pick<SftpServer, "host" | "port" | "hostKeys" | "keyFile">) =>
  sftpCarrier({
    name: "euro",
    folder,
    server: { username: "engines", ...server },
    remoteOut: "/inbox",
    remoteIn: "/outbox",
    received: { moveTo: "/outbox/archive" },
  })
