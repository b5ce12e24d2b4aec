/**
 * Tells the process that started this one that it is ready to work. Without such a parent (a container, a shell)
 * nothing happens. The supervisor of the embedded default waits for it.
 */
export function signalReady(): void {
  process.send?.({ type: 'ready' });
}
