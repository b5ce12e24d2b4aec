/** The beginning of a text: at most `lengthMax` UTF-16 code units, and never half of a surrogate pair. */
export function cutText(text: string, lengthMax: number): string {
  const cut = text.slice(0, lengthMax);
  return cut.length < text.length && endsInHalf(cut) ? cut.slice(0, -1) : cut;
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** The text, cut with an ellipsis if it is longer than `lengthMax` UTF-16 code units. */
export function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${cutText(text, lengthMax)}…` : text;
}
