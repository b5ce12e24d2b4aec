/** Texts of failed formulas in English, German, French and Spanish spreadsheets. */
const errors = new Set([
  ...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!'],
  ...['#SPILL!', '#CALC!', '#GETTING_DATA', '#FIELD!', '#BLOCKED!'],
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!'],
  ...['#N/D', '#¡REF!', '#¡VALOR!', '#¡DIV/0!', '#¿NOMBRE?', '#¡NUM!', '#¡NULO!'],
]);
/** LibreOffice's own errors have numbers. */
const numberedError = /^Err:5\d\d$/;

const isError = (cell: string): boolean =>
  cell.startsWith('#') ? errors.has(cell) : cell.startsWith('Err:') && numberedError.test(cell);

/** Spreadsheets have no longer formulas. */
const formulaCharsMax = 8_192;

const text = '"((?:[^"]|"")*)"';
const constantText = new RegExp(`^=\\s*${text}$`);
/** The address, and the text or number that is shown. */
const linkNames =
  'HYPERLINK|LIEN_HYPERTEXTE|HIPERV[IÍ]NCULO|COLLEG\\.IPERTESTUALE|HIPERLIGAÇÃO|HIPERLINK|HIPERŁĄCZE|HYPERTEXTOVÝ\\.ODKAZ|HIPERHIVATKOZÁS|HYPERLINKKI|ГИПЕРССЫЛКА|KÖPRÜ';
const link = new RegExp(
  `^=\\s*(?:${linkNames})\\(\\s*${text}\\s*(?:[,;]\\s*(?:${text}|(-?\\d+(?:\\.\\d+)?))\\s*)?\\)$`,
  'i',
);
/** Spreadsheets translate the function's name. */
const picture =
  /^=\s*(?:_xlfn\.)?(?:IMAGE[NM]?|IMAGINE|IMMAGINE|BILDE?|BILLEDE|AFBEELDING|OBRAZ|OBR[ÁA]Z[EO]K|K[ÉE]P|KUVA|SLIKA|RES[İI]M|G[ÖO]RÜNTÜ|ИЗОБРАЖЕНИЕ|ЗОБРАЖЕННЯ|ΕΙΚΟΝΑ|이미지)\(\s*"(https?:\/\/[^"]+)"\s*[,;)]/iu;
/** The form in which Google Sheets exports its own functions. */
const ofGoogle = new RegExp(`__xludf\\.DUMMYFUNCTION\\(\\s*${text}`, 'i');

/** Named cells in a product, as no title is written: '=Price*Rate', '=Price/1.19'. */
const ofNames = /^=\s*[\p{L}_][\p{L}\d_.]*(?:\s*(?:\*\s*[\p{L}_][\p{L}\d_.]*|[*/]\s*\d+(?:[.,]\d+)?))+$/u;

/**
 * One part of a formula. The first group is a part that names other cells or a function; '[.B2]' is how OpenDocument
 * names a cell.
 */
const part =
  /\s*(?:((?:(?:\[\d+\])?[\p{L}_][\p{L}\d_.]*|'(?:[^']|'')*')(?:[(!]|\[[^"]*\])|\$?[A-Z]{1,3}(?:\$?\d{1,7}|:\$?[A-Z]{1,3})(?![\p{L}\d])|\[[^\].]*\.\$?[A-Z]{1,3}\$?\d{1,7}(?::[^\]]*)?\])|"(?:[^"]|"")*"|\d+(?:\.\d+)?(?:E[+-]?\d+)?|TRUE|FALSE|[-+*/^&=<>(),;:%{}@#!])/uy;

/**
 * Whether a text from '=' on is nothing but a formula about other cells or with functions: '=B2*1.2', not '=Lamp='. A
 * workbook names no other cells in the copies of a formula: of them, '=' is left.
 */
function isFormula(cell: string): boolean {
  if (cell.length > formulaCharsMax) return false;
  if (cell === '=' || ofNames.test(cell)) return true;
  let names = false;
  part.lastIndex = 1;
  while (part.lastIndex < cell.length) {
    const found = part.exec(cell);
    if (found === null) return false;
    names ||= found[1] !== undefined;
  }
  return names;
}

const unquoted = (quoted: string): string => quoted.replaceAll('""', '"');

/** The address of a link, whatever text is shown for it; the cell itself if it is none. */
export const addressOfLink = (cell: string): string =>
  cell.startsWith('=') && cell.length <= formulaCharsMax ? (link.exec(cell)?.[1] ?? cell) : cell;

/** The value of a formula that needs no other cell; undefined: it is none. */
function constantOf(cell: string): string | undefined {
  if (cell.length > formulaCharsMax) return undefined;
  const [, constant] = constantText.exec(cell) ?? [];
  if (constant !== undefined) return unquoted(constant).trim();
  const [, address, shown, number] = link.exec(cell) ?? [];
  if (address !== undefined) return unquoted(shown || number || address).trim();
  const [, inner] = ofGoogle.exec(cell) ?? [];
  return picture.exec(inner === undefined ? cell : `=${unquoted(inner)}`)?.[1];
}

/** Whether a cell is certainly no error or formula. */
const isUsual = (cell: string): boolean => !/^[#E=]/.test(cell);

/** The reason why a filled cell has no value; null if it has one. */
export function formulaIssue(cell: string): 'formula-error' | 'formula-not-calculated' | null {
  if (isUsual(cell)) return null;
  if (isError(cell)) return 'formula-error';
  if (!cell.startsWith('=') || constantOf(cell) !== undefined) return null;
  return isFormula(cell) ? 'formula-not-calculated' : null;
}

/**
 * The value of a trimmed cell: empty for the error of a formula and for a formula that was never calculated, the shown
 * text of a link, the address of a picture. Most cells are their own value.
 */
export function withoutFormula(cell: string): string {
  if (isUsual(cell)) return cell;
  if (isError(cell)) return '';
  if (!cell.startsWith('=')) return cell;
  return constantOf(cell) ?? (isFormula(cell) ? '' : cell);
}
