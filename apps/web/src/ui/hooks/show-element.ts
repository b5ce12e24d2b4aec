/** Scrolls an element of the page to the middle of the screen and focuses it. */
export function showElement(id: string): void {
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}
