import { createContext, use } from 'react';

/** Whether the server does not answer, as the top bar says. */
export const ServerLostContext = createContext(false);

/** Reason for a button that needs the server; null while the server answers. */
export function useLostReason(): string | null {
  return use(ServerLostContext) ? 'No connection to the server.' : null;
}
