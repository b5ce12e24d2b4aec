/** Set from a sign-out until the sign-in page has removed this browser's data. Other tabs hear of it. */
export const signedOutKey = 'draftshelf-signed-out';
/** Prefix of the keys of unsaved scanned codes, one per line. */
export const scannedListKey = 'draftshelf-batch-scan';

export function scannedListKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(scannedListKey));
  } catch {
    return [];
  }
}

/** Also tells the other tabs. */
export function markSignedOut(): void {
  try {
    localStorage.setItem(signedOutKey, 'yes');
  } catch {
    // Without storage there is nothing to remove.
  }
}
