/** Work that never overlaps itself. Calls during a run cause one more run after it. */
export interface OneAtATime {
  run: () => void
  /** Waits for the current run. */
  settled: () => Promise<void>
}

export function oneAtATime(work: () => Promise<void>, onError: (error: unknown) => void): OneAtATime {
  let running: Promise<void> | null = null
  let isAgain = false
  const loop = async () => {
    do {
      isAgain = false
      await work().catch(onError)
    } while (isAgain)
    running = null
  }
  return {
    run: () => {
      if (running === null) running = loop()
      else isAgain = true
    },
    settled: async () => {
      await running
    },
  }
}
