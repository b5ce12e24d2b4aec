/** Set from a sign-out until the sign-in page has removed what this browser kept. Other tabs hear of it. */
export const signedOutKey = 'draftshelf-signed-out';
/** The scanned codes that are not saved yet: a key per line that begins with this. */
export const scannedListKey = 'draftshelf-batch-scan';

/** The keys of the scanned codes that this browser has not saved yet. */
export function scannedListKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(scannedListKey));
  } catch {
    return [];
  }
}

/** Tells the other tabs and the sign-in page that somebody has signed out. */
export function markSignedOut(): void {
  try {
    localStorage.setItem(signedOutKey, 'yes');
  } catch {
    // Without storage there is nothing to remove.
  }
}
