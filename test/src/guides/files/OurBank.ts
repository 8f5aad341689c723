/** Our bank, which takes NACHA files, and one of the euro area, which takes ISO 20022 files. */
import { type Bank, federalReserveHolidays, isoBank, nachaBank, targetHolidays } from "@countersign/adapter-bank-files"

export const dollarBank = (folder: string): Bank =>
  nachaBank({
    name: "dollars",
    folder,
    calendar: { timeZone: "America/New_York", cutOff: "16:00", holidays: federalReserveHolidays },
    company: {
      companyName: "ENGINES LTD",
      companyId: "1234567890",
      odfi: "021000021",
      bankName: "FIRST BANK",
      hasDebits: true,
    },
  })

export const euroBank = (folder: string): Bank =>
  isoBank({
    name: "euros",
    folder,
    calendar: { timeZone: "Europe/Berlin", cutOff: "15:00", holidays: targetHolidays },
    account: { name: "Engines Ltd", iban: "DE89370400440532013000", bic: "COBADEFFXXX" },
  })
