/**
 * Whether the stored cells of a row are what a parse worker writes. A damaged row must not take its neighbours away.
 */
export function isReadable(cells: unknown): cells is string[] {
  return Array.isArray(cells) && cells.every((cell) => typeof cell === 'string');
}
