/**
 * Signals the parent process that this one is ready. The supervisor of the embedded default waits for it. Without an
 * IPC channel to the parent (a container, a shell) nothing happens.
 */
export function signalReady(): void {
  process.send?.({ type: 'ready' });
}
