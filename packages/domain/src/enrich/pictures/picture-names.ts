import { toGtin14 } from '../../base/gtin.ts';

const normalized = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

const separators = /[-_ ./]+/g;
const betweenDigits = /(?<=\d)[-_ ./]+(?=\d)/g;
/** Removes separators except between digits: 'ab-12/3' and 'AB 12_3' become equal, but 'K 2.5' and 'K 25' do not. */
const squeezed = (text: string): string => text.replace(betweenDigits, '~').replace(separators, '');
/** From this number of digits on, separators only group digits: '0893 200 1' is '08932001'. */
const groupedDigitsMin = 7;
const isGrouped = (text: string): boolean => text.replace(/\D/g, '').length >= groupedDigitsMin;

const views = ['main', 'front', 'back', 'side', 'detail'] as const;
/** The suffix of one of several pictures of a product: '-2', '_03', ' (4)', '-a', '-front'. */
const suffix = new RegExp(
  `^(.+?)(?:[-_ ]?\\((\\d{1,2})\\)|[-_ ](\\d{1,2})|[-_ ]([a-h])|[-_ ](${views.join('|')}))$`,
);

/** The minimum length of a code without its separators or suffix. Shorter names are too common. */
const partCharsMin = 2;

export type PictureName = {
  /** The file name without its extension. */
  stem: string;
  /** The stem without its suffix, and the position that the suffix gives. Null if the name has no suffix. */
  base: { stem: string; place: number } | null;
  /** The containing folder, or '' at the top level. */
  folder: string;
  path: string;
};

/** Returns the normalized parts of a picture's path in a container. */
export function parsePictureName(entry: string): PictureName {
  const path = normalized(entry.replaceAll('\\', '/'));
  const parts = path.split('/').filter((part) => part !== '');
  const stem = withoutExtension(parts.at(-1) ?? '');
  return { path: parts.join('/'), stem, base: baseOf(stem), folder: parts.at(-2)?.trim() ?? '' };
}

const withoutExtension = (file: string): string => file.replace(/\.[a-z0-9]{1,5}$/, '').trim();

function baseOf(stem: string): PictureName['base'] {
  const [, base, inBrackets, number, letter, view] = suffix.exec(stem) ?? [];
  if (base === undefined) return null;
  const place =
    view !== undefined
      ? views.indexOf(view as (typeof views)[number])
      : letter !== undefined
        ? letter.charCodeAt(0) - 'a'.charCodeAt(0)
        : Number(inBrackets ?? number);
  return { stem: base.trim(), place };
}

/** Orders the pictures of a product: names without a suffix or with 'main' first, then names by number. */
export function comparePictures(one: PictureName, other: PictureName): number {
  const placeOf = ({ base }: PictureName) => base?.place ?? 0;
  return placeOf(one) - placeOf(other) || natural.compare(one.path, other.path);
}
const natural = new Intl.Collator('en', { numeric: true });

/** Returns a key and, for a GTIN, its form with 14 digits, because leading zeros are often missing. */
function exactForms(text: string): string[] {
  const gtin = toGtin14(text);
  return gtin === null ? [text] : [text, `gtin ${gtin}`];
}

/** Maps the numbers of the products with a certain key to their first rows with this key. */
type Products = Map<number, number>;
/** Products by key, for keys that occur in names of pictures. */
type Wanted = Map<string, Products>;

/** `cells` are the cells of a row's picture columns. */
export type PictureKeys = { product: number; row: number; keys: readonly string[]; cells: readonly string[] };

export type PicturedRow = { product: number; row: number };

/** `rows`: the matched row, or a row of each product whose cell names the picture. Empty without a match. */
export type PictureMatch = { n: number; rows: PicturedRow[]; reason: string | null };

/**
 * Matches pictures to products by name, without guesses: a name that may mean two products matches neither. Add the
 * rows in order. Memory grows only with the number of pictures.
 */
export function createPictureMatcher(pictures: readonly { n: number; entry: string }[]) {
  const named = pictures.map(({ n, entry }) => ({ n, name: parsePictureName(entry) }));
  const exact: Wanted = new Map();
  const loose: Wanted = new Map();
  /** Products whose code is the picture's base with another suffix: 'ab-10' for the picture 'ab-12'. */
  const siblings: Wanted = new Map();
  const byPath = endIndex(named.map(({ n, name }) => ({ n, path: name.path })));
  const byBarePath = endIndex(named.map(({ n, name }) => ({ n, path: withoutExtension(name.path) })));
  /** Products whose cells name a picture, by the picture's number. */
  const inCells = new Map<number, Products>();

  for (const { name } of named) {
    for (const text of [name.stem, name.base?.stem ?? '', name.folder]) {
      for (const form of exactForms(text)) exact.set(form, new Map());
      loose.set(squeezed(text), new Map());
    }
    if (name.base !== null) siblings.set(name.base.stem, new Map());
  }

  return {
    addRow({ product, row, keys, cells }: PictureKeys): void {
      for (const text of keys.map(normalized)) {
        for (const form of exactForms(text)) note(exact.get(form), product, row);
        note(loose.get(squeezed(text)), product, row);
        if (isGrouped(text)) note(loose.get(text.replace(separators, '')), product, row);
        note(siblings.get(baseOf(text)?.stem ?? ''), product, row);
      }
      for (const path of cells.flatMap(pathsIn)) {
        const n = fileAt(path);
        if (n === null || n === 'several') continue;
        if (!inCells.has(n)) inCells.set(n, new Map());
        note(inCells.get(n), product, row);
      }
    },
    matches: (): PictureMatch[] => named.map(matchOf),
  };

  function matchOf({ n, name }: (typeof named)[number]): PictureMatch {
    const ofCells = inCells.get(n);
    if (ofCells !== undefined) return { n, rows: rowsOf(ofCells), reason: null };
    const ofFolder = whole(name.folder, true);
    // '1.jpg' in a folder is the first picture of the folder, even if a product 1 exists.
    const isInOthers = name.folder !== '' && byBarePath.find(name.stem) === 'several';
    const isNumbered = /^\d{1,2}$/.test(name.stem) && (ofFolder.size > 0 || isInOthers);
    const ofStem = isNumbered ? new Map() : whole(name.stem, false);
    const ofName = ofStem.size > 0 || isNumbered ? ofStem : byParts(name);
    const all = union(ofName, ofFolder);
    const agreed = rowsOf(all).filter(({ product }) => ofName.has(product) && ofFolder.has(product));
    const rows = ofName.size > 0 && ofFolder.size > 0 ? agreed : rowsOf(all);
    if (rows.length === 1) return { n, rows, reason: null };
    const reason =
      all.size === 0
        ? 'No product has this name as its SKU, UPC, item number or handle.'
        : `The picture may belong to any of ${all.size} products.`;
    return { n, rows: [], reason };
  }

  /** Returns the products with this key, else, with `orLoose`, products whose key differs only in separators. */
  function whole(text: string, orLoose: boolean): Products {
    if (orLoose && text.length < partCharsMin) return new Map();
    const found = union(...exactForms(text).map((form) => exact.get(form) ?? new Map()));
    return found.size > 0 || !orLoose ? found : withoutSeparators(text);
  }

  function withoutSeparators(text: string): Products {
    const chars = squeezed(text);
    return chars.length < partCharsMin ? new Map() : (loose.get(chars) ?? new Map());
  }

  function byParts({ stem, base }: PictureName): Products {
    const ofStem = withoutSeparators(stem);
    const ofBase = base === null ? new Map() : whole(base.stem, true);
    // `base` lacks a suffix such as '-2'. If codes of other products have suffixes, the suffix may be part of a code.
    const others = ofBase.size > 0 && base !== null ? siblings.get(base.stem) : undefined;
    return union(ofStem, ofBase, others ?? new Map());
  }

  function fileAt(path: string): FoundAt {
    return byPath.find(path) ?? byBarePath.find(withoutExtension(path));
  }
}

type FoundAt = number | 'several' | null;

/** Returns an index that finds the picture whose path ends with a given path, by binary search over reversed paths. */
function endIndex(paths: readonly { n: number; path: string }[]) {
  const keyOf = (path: string) => `${path.split('/').reverse().join('/')}/`;
  const pictures = paths
    .map(({ n, path }) => ({ n, key: keyOf(path) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1));
  return {
    find(path: string): FoundAt {
      const wanted = keyOf(path);
      let [from, to] = [0, pictures.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if ((pictures[middle]?.key ?? '') < wanted) from = middle + 1;
        else to = middle;
      }
      const [first, second] = pictures.slice(from, from + 2).filter(({ key }) => key.startsWith(wanted));
      return second === undefined ? (first?.n ?? null) : 'several';
    },
  };
}

const rowsOf = (products: Products): PicturedRow[] =>
  Array.from(products, ([product, row]) => ({ product, row }));

function note(products: Products | undefined, product: number, row: number): void {
  if (products !== undefined && !products.has(product)) products.set(product, row);
}

/** A single part is returned without a copy, because it may contain all products. */
function union(...parts: Products[]): Products {
  const [only, second] = parts.filter(({ size }) => size > 0);
  if (only !== undefined && second === undefined) return only;
  const all: Products = new Map();
  for (const part of parts) for (const [product, row] of part) note(all, product, row);
  return all;
}

/** Maximum number of paths that are read per cell. No product has as many pictures. */
const pathsMax = 100;

/** Returns the first file paths in a cell, without web addresses. */
function pathsIn(cell: string): string[] {
  const parts = cell.split(/[,;|\n]/).filter((part) => part !== '' && !part.includes('://'));
  return parts
    .slice(0, pathsMax)
    .map((part) => normalized(part.replaceAll('\\', '/')).replace(/^\.?\/+/, ''));
}
