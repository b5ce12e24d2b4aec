/** The list with the item of one place at another one. */
export const moved = <T>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1));

/** The values of a row with these pictures in this order: `picturesOf` reads them back. */
export function picturesAsValues(srcs: readonly string[]): { image: string; moreImages: string } {
  const [image = '', ...more] = srcs;
  return { image, moreImages: more.join('\n') };
}

/** Why a picture is not added that the row has. */
export const alreadyListed = 'This picture is already in the list.';
