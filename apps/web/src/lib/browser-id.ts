import { newId } from './new-id.ts';

const key = 'draftshelf-browser';

let made: string | undefined;

/** The random id of this browser, made once. Without storage it lasts as long as the page. */
export function browserId(): string {
  made ??= storedId();
  return made;
}

function storedId(): string {
  const id = newId();
  try {
    const known = localStorage.getItem(key);
    if (known !== null && known.length === id.length) return known;
    localStorage.setItem(key, id);
  } catch {
    // The id lasts as long as the page.
  }
  return id;
}
