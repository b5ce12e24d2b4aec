/** Returns the beginning of a text: at most `lengthMax` UTF-16 code units, and never half of a surrogate pair. */
export function cutText(text: string, lengthMax: number): string {
  const cut = text.slice(0, lengthMax);
  return cut.length < text.length && endsInHalf(cut) ? cut.slice(0, -1) : cut;
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** Removes outer characters from both ends of a text. A regular expression could take quadratic time. */
export function trimEnds(text: string, isOuter: (char: string) => boolean): string {
  let [from, to] = [0, text.length];
  while (from < to && isOuter(text.charAt(from))) from += 1;
  while (to > from && isOuter(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Returns a text, cut and with an ellipsis if it has more than `lengthMax` UTF-16 code units. */
export function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${cutText(text, lengthMax)}…` : text;
}
