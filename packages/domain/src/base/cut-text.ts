/** Returns the beginning of a text: at most `lengthMax` UTF-16 code units, and never half of a surrogate pair. */
export function cutText(text: string, lengthMax: number): string {
  const cut = text.slice(0, lengthMax);
  return cut.length < text.length && endsInHalf(cut) ? cut.slice(0, -1) : cut;
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}

/** Removes from both ends the characters that `isOuter` accepts. A regular expression could take quadratic time. */
export function trimEnds(text: string, isOuter: (char: string) => boolean): string {
  let [from, to] = [0, text.length];
  while (from < to && isOuter(text.charAt(from))) from += 1;
  while (to > from && isOuter(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Cuts a text after `lengthMax` UTF-16 code units and appends an ellipsis. A shorter text is returned unchanged. */
export function shortenText(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${cutText(text, lengthMax)}…` : text;
}
