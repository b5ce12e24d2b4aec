/** The store was looked at; the steps are done or hidden. */
type Remembered = 'store-seen' | 'steps-over';

const keyOf = (what: Remembered) => `draftshelf.${what}`;

/** False where a browser keeps nothing. */
export function isRemembered(what: Remembered): boolean {
  try {
    return localStorage.getItem(keyOf(what)) !== null;
  } catch {
    return false;
  }
}

export function remember(what: Remembered): void {
  try {
    localStorage.setItem(keyOf(what), 'yes');
  } catch {
    // Without storage the steps are shown again.
  }
}

/** Called by links to products in the store. */
export const rememberStore = (): void => remember('store-seen');
