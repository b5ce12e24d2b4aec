/** The mark stays for so long while the tab is looked at, as the notification does. */
const seenMs = 10_000;

let mark = '';
let observer: MutationObserver | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Puts words before the title of the page, on whichever screen, until the operator has looked at the tab for ten
 * seconds. Titles of screens that are opened meanwhile get them as well.
 */
export function markTitle(words: string): void {
  unmark();
  mark = `${words} · `;
  writeMark();
  observer = new MutationObserver(writeMark);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  document.addEventListener('visibilitychange', leaveWhenSeen);
  leaveWhenSeen();
}

function writeMark(): void {
  if (!document.title.startsWith(mark)) document.title = mark + document.title;
}

function leaveWhenSeen(): void {
  clearTimeout(timer);
  if (document.visibilityState === 'visible') timer = setTimeout(unmark, seenMs);
}

function unmark(): void {
  clearTimeout(timer);
  observer?.disconnect();
  document.removeEventListener('visibilitychange', leaveWhenSeen);
  if (mark !== '' && document.title.startsWith(mark)) document.title = document.title.slice(mark.length);
  mark = '';
}
