import type { QueryClient } from '@tanstack/react-query';
import { readKey } from '../../api/read.ts';
import { forgetSession } from '../../lib/session-list.ts';
import { scannedListKeys, signedOutKey } from '../../lib/sign-out-storage.ts';

/**
 * Removes the product data that this tab keeps. Scanned codes that are not saved go only after a sign-out, which asks
 * before: nobody chooses the end of a session.
 */
export function forgetWork(client: QueryClient): void {
  const [auth] = readKey('authStatus');
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== auth });
  forgetSession();
  try {
    if (localStorage.getItem(signedOutKey) === null) return;
    for (const key of [...scannedListKeys(), signedOutKey]) localStorage.removeItem(key);
  } catch {
    // Without storage nothing outlives the page.
  }
}
