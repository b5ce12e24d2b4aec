/** A text field's content and selection at one time. Fields for numbers have no selection. */
export type FieldText = { field: TextField; value: string; start: number | null; end: number | null };
export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Inputs that hold no text. */
const otherInputs = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'];

/** The field that a key writes into; null: none. */
export function textFieldOf(target: EventTarget | null): TextField | null {
  if (target instanceof HTMLTextAreaElement) return target;
  return target instanceof HTMLInputElement && !otherInputs.includes(target.type) ? target : null;
}

/** Notes the content of a field, so that it can be restored. */
export function noteText(field: TextField): FieldText {
  return { field, value: field.value, start: field.selectionStart, end: field.selectionEnd };
}

/** Restores the content of a field as if a person had typed it, so that a form sees the change. */
export function restoreText({ field, value, start, end }: FieldText): void {
  if (field.value !== value) {
    const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    // React replaces the setter of the element, and would not notice a change through it.
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, value);
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'deleteContentBackward' }));
  }
  if (start !== null && field.selectionStart !== null) field.setSelectionRange(start, end);
}

/** Writes characters at the caret of a field, as if they had been typed. */
export function writeText(field: TextField, text: string): void {
  if (document.activeElement !== field) field.focus();
  // The only call that also works in fields for numbers and can be undone with Ctrl+Z. No browser plans to remove it.
  document.execCommand('insertText', false, text);
}

/** The characters that were written into a field since its content was noted. */
export function writtenSince({ field, value, start, end }: FieldText): string {
  const from = start ?? value.length;
  const behind = value.length - (end ?? value.length);
  return field.value.slice(from, field.value.length - behind);
}
