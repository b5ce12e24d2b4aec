/** Signals the parent that this process is ready; the supervisor of the embedded default waits for it. */
export function signalReady(): void {
  process.send?.({ type: 'ready' });
}
