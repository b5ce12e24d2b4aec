/** Keys that begin a character without entering one: an accent, or a letter that an input method composes. */
const composing = ['Dead', 'Process', 'Unidentified'];

/** Whether a key enters text: a character, a part of a character, or what was copied. */
export function typesText(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (composing.includes(key)) return true;
  if (key === 'Insert') return shiftKey;
  // Characters outside the basic plane have two units. On a Mac, Alt enters characters of its own.
  if ([...key].length !== 1 || event.getModifierState('AltGraph')) return [...key].length === 1;
  return ctrlKey || metaKey ? key.toLowerCase() === 'v' && !altKey : !altKey || key > '~';
}
