/**
 * The texts of messages in six languages. `{app}`, `{code}` and `{validity}` are placeholders. No subject has a code: mail servers log it.
 * Text messages use letters of the GSM alphabet only, so that a code is one segment.
 * Source: D-528.
 */

/** Why the code is sent: to sign in to a wallet, to confirm a contact, or to approve something. */
export type MessagePurpose = "signIn" | "contact" | "approval"

/** The texts of one purpose in one language. */
export interface PurposeTexts {
  /** Subject and headline of the e-mail. */
  readonly subject: string
  /** The whole text message; it needs `{code}`. */
  readonly sms: string
}

/** The texts of one language, to add or replace with the option `texts`. */
export interface LanguageTexts extends Readonly<Record<MessagePurpose, PurposeTexts>> {
  /** How long the code is valid. */
  readonly validity: string
  readonly warning: string
}

export const builtInTexts = {
  en: {
    signIn: {
      subject: "Your sign-in code for {app}",
      sms: "{app}: {code} is your sign-in code. Valid for {validity}. Never share it.",
    },
    contact: {
      subject: "Confirm your contact for {app}",
      sms: "{app}: {code} confirms your number. Valid for {validity}. Never share it.",
    },
    approval: {
      subject: "Your approval code for {app}",
      sms: "{app}: {code} is your approval code. Valid for {validity}. Never share it.",
    },
    validity: "The code is valid for {validity}.",
    warning: "Never share this code. If you did not request it, ignore this message.",
  },
  de: {
    signIn: {
      subject: "Ihr Anmeldecode für {app}",
      sms: "{app}: {code} ist Ihr Anmeldecode. Gültig für {validity}. Nie weitergeben.",
    },
    contact: {
      subject: "Bestätigen Sie Ihren Kontakt für {app}",
      sms: "{app}: {code} bestätigt Ihre Nummer. Gültig für {validity}. Nie weitergeben.",
    },
    approval: {
      subject: "Ihr Freigabecode für {app}",
      sms: "{app}: {code} ist Ihr Freigabecode. Gültig für {validity}. Nie weitergeben.",
    },
    validity: "Der Code ist {validity} gültig.",
    warning:
      "Geben Sie diesen Code niemals weiter. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht.",
  },
  es: {
    signIn: {
      subject: "Tu código de acceso a {app}",
      sms: "{app}: {code} es tu clave de acceso. Caduca en {validity}. No la compartas.",
    },
    contact: {
      subject: "Confirma tu contacto en {app}",
      sms: "{app}: {code} es la clave para confirmar tu contacto. Caduca en {validity}. No la compartas.",
    },
    approval: {
      subject: "Tu código de aprobación de {app}",
      sms: "{app}: {code} es tu clave para aprobar. Caduca en {validity}. No la compartas.",
    },
    validity: "El código caduca en {validity}.",
    warning: "No compartas nunca este código. Si no lo has solicitado, ignora este mensaje.",
  },
  fr: {
    signIn: {
      subject: "Votre code de connexion à {app}",
      sms: "{app} : {code} est votre code de connexion. Valable {validity}. Ne le partagez jamais.",
    },
    contact: {
      subject: "Confirmez votre contact pour {app}",
      sms: "{app} : {code} confirme votre contact. Valable {validity}. Ne le partagez jamais.",
    },
    approval: {
      subject: "Votre code d’approbation pour {app}",
      sms: "{app} : {code} est votre code d'approbation. Valable {validity}. Ne le partagez jamais.",
    },
    validity: "Le code est valable {validity}.",
    warning: "Ne partagez jamais ce code. Si vous ne l’avez pas demandé, ignorez ce message.",
  },
  pt: {
    signIn: {
      subject: "O seu código de acesso a {app}",
      sms: "{app}: use {code} para entrar. Expira em {validity}. Nunca partilhe.",
    },
    contact: {
      subject: "Confirme o seu contacto em {app}",
      sms: "{app}: use {code} para confirmar o contacto. Expira em {validity}. Nunca partilhe.",
    },
    approval: {
      subject: "O seu código de aprovação de {app}",
      sms: "{app}: use {code} para aprovar. Expira em {validity}. Nunca partilhe.",
    },
    validity: "O código expira em {validity}.",
    warning: "Nunca partilhe este código. Se não o pediu, ignore esta mensagem.",
  },
  it: {
    signIn: {
      subject: "Il tuo codice di accesso a {app}",
      sms: "{app}: {code} è il tuo codice di accesso. Scade tra {validity}. Non condividerlo.",
    },
    contact: {
      subject: "Conferma il tuo contatto per {app}",
      sms: "{app}: {code} conferma il tuo numero. Scade tra {validity}. Non condividerlo.",
    },
    approval: {
      subject: "Il tuo codice di approvazione per {app}",
      sms: "{app}: {code} è il tuo codice di approvazione. Scade tra {validity}. Non condividerlo.",
    },
    validity: "Il codice scade tra {validity}.",
    warning: "Non condividere mai questo codice. Se non lo hai richiesto, ignora questo messaggio.",
  },
} satisfies Readonly<Record<string, LanguageTexts>>
