/** Blocks the event loop without using the CPU, like a machine that is too busy to run this process. */
export function blockThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
