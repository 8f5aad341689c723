/** The faults of the sandbox's ports: each is switched on with its settings, and off. Source: D-480. */
import { useState } from "preact/hooks"
import { useRound } from "./Changes.ts"
import { type Fault, FaultForm } from "./FaultForm.tsx"
import { faultPorts, portNames } from "./FaultNames.ts"
import { useLoaded, useProblemOf } from "./Loaded.ts"
import { useSession } from "./Session.ts"
import type { FaultPort, Faults } from "./Wire.ts"

export const FaultSwitches = () => {
  const { announce, api } = useSession()
  const problemOf = useProblemOf()
  const changes = useRound("faults")
  const [round, setRound] = useState(0)
  const [isAsking, setIsAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { problem: unread, value } = useLoaded<Faults>("/sandbox/faults", round + changes)

  const put = async (faults: object, said: string) => {
    setIsAsking(true)
    setProblem(undefined)
    try {
      await api.put("/sandbox/faults", faults)
      announce(said)
    } catch (failure) {
      setProblem(problemOf(failure))
    } finally {
      setIsAsking(false)
      setRound((known) => known + 1)
    }
  }
  const turn = (faults: Faults, port: FaultPort, fault: Fault | undefined) => {
    const others = faults.on.filter((other) => other !== port).map((other) => [other, faults[other]])
    const next = { seed: faults.seed, ...Object.fromEntries(others), ...(fault === undefined ? {} : { [port]: fault }) }
    return put(next, `${portNames[port].title}: the fault is ${fault === undefined ? "off" : "on"}.`)
  }

  return (
    <section class="faults" aria-labelledby="faults-title">
      <h3 id="faults-title" tabIndex={-1}>
        Faults
      </h3>
      <p class="soft small">
        Ports of this sandbox fail on purpose until you switch them off, reset the world, or stop the server.
      </p>
      <div role="alert">{problem === undefined ? null : <p class="problem">{problem}</p>}</div>
      {unread === undefined ? null : <p class="problem">{unread}</p>}
      {value === undefined ? null : (
        <>
          {faultPorts.map((port) => (
            <FaultForm
              key={port}
              port={port}
              faults={value}
              isAsking={isAsking}
              onSwitch={(fault) => void turn(value, port, fault)}
            />
          ))}
          {value.on.length === 0 ? null : (
            <button
              type="button"
              class="danger"
              disabled={isAsking}
              onClick={() => void put({}, "All faults are off.")}
            >
              Switch all faults off
            </button>
          )}
        </>
      )}
    </section>
  )
}
