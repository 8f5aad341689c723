/**
 * The names under which flows run: the default one, and one that respells every element of the contract with the service's name.
 * Source: wire contract areas 2.5; D-431.
 */
import { serviceNameDefault } from "@countersign/core/models"

export const serviceNames: ReadonlyArray<string> = [serviceNameDefault, "Acme"]
