/**
 * The texts and languages of messages.
 * Source: D-528.
 */
import { Effect } from "effect"
import { isEmailAddress } from "./Addresses.ts"
import { builtInTexts, type LanguageTexts } from "./BuiltInTexts.ts"
import { languageOfPhone } from "./PhoneLanguages.ts"

/** Whom a message is for, to choose its language by. */
export interface Recipient {
  readonly customerId: string | null
  /** An e-mail address or a telephone number. */
  readonly contact: string
  /** Known for codes of wallets. */
  readonly platformId?: string
}

export interface MessageOptions {
  /** The name in messages that no platform has named itself. */
  readonly appName: string
  /** The languages of a customer; the first one with texts is used. Default: that of a telephone number's country. */
  readonly languageOf?: (recipient: Recipient) => Effect.Effect<string | undefined>
  /** Used where `languageOf` knows none, or one without texts. Default: `en`. */
  readonly languageDefault?: string
  /** Texts that replace the built-in ones of a language, or add a language. */
  readonly texts?: Readonly<Record<string, LanguageTexts>>
}

export interface ChosenTexts {
  readonly language: string
  readonly texts: LanguageTexts
}

const builtIn: Readonly<Record<string, LanguageTexts>> = builtInTexts

const byPhone = ({ contact }: Recipient): Effect.Effect<string | undefined> => Effect.succeed(languageOfPhone(contact))

/** Returns the texts for a recipient. A language that cannot be found out costs the customer no code. */
export const textsFor = (options: MessageOptions, recipient: Recipient): Effect.Effect<ChosenTexts> => {
  const { languageDefault = "en", languageOf = byPhone, texts: own = {} } = options
  const find = (language: string | undefined): ChosenTexts | undefined => {
    if (language === undefined) return undefined
    // `pt-BR` has the texts of `pt` unless it has its own.
    for (const name of [language, language.split("-")[0] ?? ""]) {
      const source = [own, builtIn].find((each) => Object.hasOwn(each, name))
      const texts = source?.[name]
      if (texts !== undefined) return { language: name, texts }
    }
    return undefined
  }
  return Effect.suspend(() => languageOf(recipient)).pipe(
    Effect.catchCause(() =>
      Effect.as(Effect.logWarning("the language of a customer could not be found out"), undefined),
    ),
    Effect.map((language) => find(language) ?? find(languageDefault) ?? { language: "en", texts: builtInTexts.en }),
  )
}

/** Returns what is wrong with options. */
export const problemOf = ({ appName, texts = {} }: MessageOptions): string | undefined => {
  if (appName.trim() === "") return "`appName` must not be empty."
  for (const [language, { approval, contact, signIn }] of Object.entries(texts)) {
    for (const { sms, subject } of [approval, contact, signIn]) {
      if (subject.includes("{code}"))
        return `\`texts.${language}\`: a subject must not contain {code}: mail servers log it.`
      if (!sms.includes("{code}")) return `\`texts.${language}\`: each text message must contain {code}.`
    }
  }
  return undefined
}

export const isEmailContact = (contact: string): boolean => isEmailAddress(contact)
