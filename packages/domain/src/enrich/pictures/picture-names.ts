import { gtin14 } from '../../base/gtin.ts';

/** Paths and keys as they are compared. */
const normalized = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

const separators = /[-_ ./]+/g;
const betweenDigits = /(?<=\d)[-_ ./]+(?=\d)/g;
/** Without separators, but for those between digits: 'ab-12/3' and 'AB 12_3' are equal, 'K 2.5' and 'K 25' are not. */
const squeezed = (text: string): string => text.replace(betweenDigits, '~').replace(separators, '');
/** Of a code with so many digits, separators only group them: '0893 200 1' is '08932001'. */
const groupedDigitsMin = 7;
const isGrouped = (text: string): boolean => text.replace(/\D/g, '').length >= groupedDigitsMin;

const views = ['main', 'front', 'back', 'side', 'detail'] as const;
/** What numbers the pictures of a product: '-2', '_03', ' (4)', '-a', '-front'. */
const suffix = new RegExp(
  `^(.+?)(?:[-_ ]?\\((\\d{1,2})\\)|[-_ ](\\d{1,2})|[-_ ]([a-h])|[-_ ](${views.join('|')}))$`,
);

/** Shorter names are too common to be a code with something left out. */
const partCharsMin = 2;

export type PictureName = {
  /** The last part of the path, with its extension. */
  file: string;
  /** Without the extension. */
  stem: string;
  /** The stem without a suffix, and the place that the suffix gives; null: it has none. */
  base: { stem: string; place: number } | null;
  /** The folder that it is in; '' at the top. */
  folder: string;
  path: string;
};

/** The parts of a picture's path in a container, as they are compared. */
export function pictureName(entry: string): PictureName {
  const path = normalized(entry.replaceAll('\\', '/'));
  const parts = path.split('/').filter((part) => part !== '');
  const file = parts.at(-1) ?? '';
  const stem = withoutExtension(file);
  return { path: parts.join('/'), file, stem, base: baseOf(stem), folder: parts.at(-2)?.trim() ?? '' };
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

/** The order of pictures of a product: those without a suffix or with 'main' first, then by number. */
export function comparePictures(one: PictureName, other: PictureName): number {
  const placeOf = ({ base }: PictureName) => base?.place ?? 0;
  return placeOf(one) - placeOf(other) || natural.compare(one.path, other.path);
}
const natural = new Intl.Collator('en', { numeric: true });

/** A text, and the GTIN that it is: leading zeros are often missing. */
function exactForms(text: string): string[] {
  const gtin = gtin14(text);
  return gtin === null ? [text] : [text, `gtin ${gtin}`];
}

/** Products with the first row of each that has a key. */
type Products = Map<number, number>;
/** The products that have a text as a key, for each text that pictures ask for. */
type Wanted = Map<string, Products>;

/** What pictures are matched by, of a row. `cells`: the cells of its picture columns. */
export type PictureKeys = { product: number; row: number; keys: readonly string[]; cells: readonly string[] };

export type PicturedRow = { product: number; row: number };

/** `rows`: one, or one of each product whose cell names the picture. None: for this reason. */
export type PictureMatch = { n: number; rows: PicturedRow[]; reason: string | null };

/**
 * Matches pictures to products by their names, without a guess: a picture whose name may mean two products is matched
 * to none. `pictures`: their numbers and paths. `add` takes the rows of the list, in order; memory grows with the
 * pictures only.
 */
export function pictureMatcher(pictures: readonly { n: number; entry: string }[]) {
  const named = pictures.map(({ n, entry }) => ({ n, name: pictureName(entry) }));
  const exact: Wanted = new Map();
  const loose: Wanted = new Map();
  /** Products with a code that is a base with a suffix: 'ab-10' for the picture 'ab-12'. */
  const siblings: Wanted = new Map();
  const files = new Map<string, { n: number; path: string }[]>();
  /** The products whose cells name a picture. */
  const inCells = new Map<number, Products>();

  for (const { n, name } of named) {
    const { stem, base, folder, path } = name;
    for (const text of [stem, base?.stem ?? '', folder]) {
      for (const form of exactForms(text)) exact.set(form, new Map());
      loose.set(squeezed(text), new Map());
    }
    if (base !== null) siblings.set(base.stem, new Map());
    for (const file of new Set([name.file, stem])) files.set(file, [...(files.get(file) ?? []), { n, path }]);
  }

  return {
    add({ product, row, keys, cells }: PictureKeys): void {
      for (const text of keys.map(normalized)) {
        for (const form of exactForms(text)) note(exact.get(form), product, row);
        note(loose.get(squeezed(text)), product, row);
        if (isGrouped(text)) note(loose.get(text.replace(separators, '')), product, row);
        note(siblings.get(baseOf(text)?.stem ?? ''), product, row);
      }
      for (const path of cells.flatMap(pathsIn)) {
        const n = fileAt(path);
        if (n === null) continue;
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
    // '1.jpg' is the first picture of its folder, also if there is a product 1: the folder is a product's, or others
    // have such a file too.
    const isInOthers = name.folder !== '' && (files.get(name.stem)?.length ?? 0) > 1;
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
        : `It may be of ${all.size} products.`;
    return { n, rows: [], reason };
  }

  /** The products with a text as a key; `orLoose`: else those whose key differs in separators. */
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
    // Where codes of other products have such a suffix, it need not number a picture.
    const others = ofBase.size > 0 && base !== null ? siblings.get(base.stem) : undefined;
    return union(ofStem, ofBase, others ?? new Map());
  }

  /** The one picture at the end of a path; null if there is none, or if there are several. */
  function fileAt(path: string): number | null {
    const file = path.slice(path.lastIndexOf('/') + 1);
    const isAt = (one: string) => one === path || one.endsWith(`/${path}`);
    const found = (files.get(file) ?? []).filter((one) => isAt(one.path));
    const bare = withoutExtension(path);
    const isBareAt = (one: string) => one === bare || one.endsWith(`/${bare}`);
    const others = (files.get(withoutExtension(file)) ?? []).filter((one) =>
      isBareAt(withoutExtension(one.path)),
    );
    const [only, second] = found.length > 0 ? found : others;
    return only === undefined || second !== undefined ? null : only.n;
  }
}

const rowsOf = (products: Products): PicturedRow[] =>
  Array.from(products, ([product, row]) => ({ product, row }));

function note(products: Products | undefined, product: number, row: number): void {
  if (products !== undefined && !products.has(product)) products.set(product, row);
}

function union(...parts: Products[]): Products {
  const all: Products = new Map();
  for (const part of parts) for (const [product, row] of part) note(all, product, row);
  return all;
}

/** The paths of files that a cell names; an address on the web is none. */
function pathsIn(cell: string): string[] {
  const parts = cell.split(/[,;|\n]/).filter((part) => part !== '' && !part.includes('://'));
  return parts.map((part) => normalized(part.replaceAll('\\', '/')).replace(/^\.?\/+/, ''));
}
