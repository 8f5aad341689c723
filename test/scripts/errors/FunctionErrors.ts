/** What the functions of the packages throw, reject with or fail with, beside the operations. */

export interface FunctionErrors {
  readonly of: string
  readonly packageName: string
  readonly errors: ReadonlyArray<string>
  readonly when: string
}

const row = (packageName: string, of: string, errors: string, when: string): FunctionErrors => ({
  packageName,
  of,
  errors: errors.split(" "),
  when,
})

/** A layer fails when it is built; `embed` rejects with the failure of its layers, and its calls with those of the operations. */
export const functionErrors: ReadonlyArray<FunctionErrors> = [
  row(
    "client",
    "each function of `makeClient`",
    "ApiError",
    "the answer is no success; without an answer it rejects with the error of `fetch`",
  ),
  row(
    "client",
    "`SignedClient`",
    "SignedRequestError",
    "an answer is no success; `code` is `UNKNOWN` if its body is no error",
  ),
  row("client/webhook", "`verifyWebhook`", "WebhookRefused", "the delivery is not to be trusted; `reason` says why"),
  row("client/tape", "`readTape`", "InvalidTape", "a file is no tape"),
  row(
    "adapter-http",
    "`embed`",
    "EmbedOptionsError",
    "options are not valid; `problems` has all of them, and nothing has started",
  ),
  row(
    "adapter-http",
    "`embed`",
    "OtherWalletSecret DamagedWalletRoot",
    "the wallet secret is not the store's, or a root does not open with it",
  ),
  row("adapter-http", "`embed`", "SandboxOnlyServices", "a port or store of a sandbox is used outside of one"),
  row(
    "adapter-http",
    "`NodeWebhookSigner.layer`, `embed`",
    "InvalidWebhookKey",
    "a webhook key is no P-256 private key in PEM",
  ),
  row(
    "adapter-http",
    "`run` of `embed`",
    "ServiceError StoreUnavailable",
    "an operation is refused, with its `code`; or the store did not answer, which a request shows as 503",
  ),
  row(
    "adapter-postgres",
    "`PostgresStore.layer`, `layerPool`, `layerPglite`",
    "MigrationFailed SchemaMismatch",
    "the database cannot be used, or has the schema of another release",
  ),
  row(
    "adapter-postgres",
    "`PostgresStore.layerPglite`",
    "FolderInUse FolderUnusable",
    "another process has the folder open, or it cannot be written",
  ),
  row(
    "adapter-postgres",
    "`PostgresStore.transaction`",
    "TransactionUnsuitable TransactionConflict",
    "the client has no open transaction of READ COMMITTED, or another transaction was first: run yours again",
  ),
  row(
    "adapter-postgres",
    "`CellOperations`",
    "NotPossible OperationFailed",
    "a move of cells is not possible, or a node refused it",
  ),
  row("adapter-memory", "`MemoryStore.load`", "SnapshotInvalid", "a saved state is not one of this release"),
  row(
    "adapter-messages",
    "`SmtpMail.layer`, `HttpTexts.layer`, `Messages.layerOtp`, `Messages.layerSecurityCodes`",
    "MessagesUnusable",
    "an option is not valid, or the server refuses the credentials",
  ),
  row(
    "adapter-messages",
    "`PostgresCodes.layer`",
    "CodesUnavailable MessagesUnusable",
    "the table cannot be used, or its name is not valid",
  ),
  row("adapter-messages", "`MailServer` and `TextGateway`", "MessageFailure", "one message was not accepted"),
  row(
    "adapter-rates",
    "`FileRates.layer`, `HttpRates.layer`",
    "RatesUnusable",
    "an option is not valid, or the first table cannot be read",
  ),
  row("adapter-s3", "`S3Vault.layer`", "BucketUnusable", "the bucket refuses the credentials at the start"),
  row(
    "adapter-bank-files",
    "`PostgresBankFileStore`, `BankFiles`",
    "BankFilesUnavailable FolderUnavailable",
    "the database or a folder cannot be used now; the next cycle tries again",
  ),
  row(
    "adapter-keys",
    "`walletSecretFrom`, `webhookKeyFrom`, `createKey`",
    "KeySourceError",
    "the token or key service does not give the secret",
  ),
  row(
    "ports-http",
    "`httpPorts`, `portReports`",
    "PortOptionsError",
    "an address or a secret is not valid; nothing was sent",
  ),
  row("core/ports", "a port of your own", "PortUnavailable", "a question cannot be answered now: the client gets 503"),
  row(
    "core/ports",
    "`DocumentVault`",
    "VaultUnavailable BytesMissing",
    "the vault does not answer, or a file has fewer bytes than were announced",
  ),
  row(
    "core/ports",
    "`CsvReader`, `SavedWorlds`",
    "CsvMalformed SavedWorldsUnavailable",
    "a file of customers, or a saved state of a sandbox, cannot be read",
  ),
  row(
    "core/ports",
    "`PasskeyChecks`, `OidcChecks`",
    "PasskeyRefused OidcRefused OidcUnavailable",
    "a passkey or token is not valid, or the issuer's keys are not reached",
  ),
  row(
    "core/crypto",
    "`OtpBundle`, `SessionBundle`, `Stamp`, `P256`",
    "BundleRefused StampRefused NotOpened InvalidPrivateKey InvalidPublicKey",
    "a bundle, signature or key is not valid",
  ),
  row("core/store", "`StateImages`", "ImageInvalid", "a saved state does not fit the store"),
]
