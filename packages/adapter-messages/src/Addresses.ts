/**
 * The addresses that messages go to and come from. What has another form is refused, so that no address can add a header or a command.
 * Source: D-430 (dot-atom at a host name), D-528; RFC 5322; ITU-T E.164.
 */

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,64}"
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
const emailPattern = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`, "u")

/** Addresses in the form that the service accepts from its callers. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= 254 && text.indexOf("@") <= 64 && emailPattern.test(text)

export const isPhoneNumber = (text: string): boolean => /^\+[1-9]\d{1,14}$/u.test(text)

export const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1).toLowerCase()

/** A text as one line of a header: without control and format characters, which could end the line or turn its direction. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim()

/** Whether an address is that of a server which only this machine reaches. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/u.test(host)
