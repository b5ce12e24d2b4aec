/**
 * What the operator has to do before a code can be used, as a sentence; null: nothing. Another dialog that is open is
 * about something else, and its answer may change where the code belongs.
 */
export function whatToDoFirst(code: string): string | null {
  const dialog = Array.from(document.querySelectorAll('[role="dialog"], [role="alertdialog"]')).at(-1);
  if (dialog === undefined) return null;
  if (dialog.getAttribute('role') === 'alertdialog') {
    return `Answer the question on the screen, then scan ${code} again.`;
  }
  const label = document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent;
  return `Close ${label ? `“${label}”` : 'the dialog'}, then scan ${code} again.`;
}
