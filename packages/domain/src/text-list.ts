/** The tags or collections in a cell, without duplicates. */
export function listOf(text: string | undefined): string[] {
  const seen = new Map<string, string>();
  for (const part of (text ?? '').split(/[,;|\n]/)) {
    const value = part.trim();
    if (value !== '' && !seen.has(value.toLowerCase())) seen.set(value.toLowerCase(), value);
  }
  return [...seen.values()];
}
