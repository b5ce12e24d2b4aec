/** The digits of an HS code, which the store has 6 to 13 of; dots and blanks do not count. Null: it is none. */
export function hsCodeOf(text: string | undefined): string | null {
  const digits = (text ?? '').replace(/[\s.-]/g, '');
  return /^\d{6,13}$/.test(digits) ? digits : null;
}
