/** Error values of English, German, French and Spanish spreadsheets. */
const errors = new Set([
  ...['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!'],
  ...['#SPILL!', '#CALC!', '#GETTING_DATA', '#FIELD!', '#BLOCKED!'],
  ...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!'],
  ...['#N/D', '#¡REF!', '#¡VALOR!', '#¡DIV/0!', '#¿NOMBRE?', '#¡NUM!', '#¡NULO!'],
]);
/** LibreOffice's own errors are numbered. */
const numberedError = /^Err:5\d\d$/;

const isError = (cell: string): boolean =>
  cell.startsWith('#') ? errors.has(cell) : cell.startsWith('Err:') && numberedError.test(cell);

/** The length of the longest formula that spreadsheets allow. */
const formulaCharsMax = 8_192;

const text = '"((?:[^"]|"")*)"';
const constantText = new RegExp(`^=\\s*${text}$`);
/** Names of the HYPERLINK function. The groups of `link`: the address, then the shown text or the shown number. */
const linkNames =
  'HYPERLINK|LIEN_HYPERTEXTE|HIPERV[IÍ]NCULO|COLLEG\\.IPERTESTUALE|HIPERLIGAÇÃO|HIPERLINK|HIPERŁĄCZE|HYPERTEXTOVÝ\\.ODKAZ|HIPERHIVATKOZÁS|HYPERLINKKI|ГИПЕРССЫЛКА|KÖPRÜ';
const link = new RegExp(
  `^=\\s*(?:${linkNames})\\(\\s*${text}\\s*(?:[,;]\\s*(?:${text}|(-?\\d+(?:\\.\\d+)?))\\s*)?\\)$`,
  'i',
);
/** The IMAGE function, whose name spreadsheets translate. The group is the picture's address. */
const picture =
  /^=\s*(?:_xlfn\.)?(?:IMAGE[NM]?|IMAGINE|IMMAGINE|BILDE?|BILLEDE|AFBEELDING|OBRAZ|OBR[ÁA]Z[EO]K|K[ÉE]P|KUVA|SLIKA|RES[İI]M|G[ÖO]RÜNTÜ|ИЗОБРАЖЕНИЕ|ЗОБРАЖЕННЯ|ΕΙΚΟΝΑ|이미지)\(\s*"(https?:\/\/[^"]+)"\s*[,;)]/iu;
/** The form in which Google Sheets exports its own functions. */
const ofGoogle = new RegExp(`__xludf\\.DUMMYFUNCTION\\(\\s*${text}`, 'i');

/** A product or quotient of named cells, such as '=Price*Rate' and '=Price/1.19'. Titles do not have this form. */
const ofNames = /^=\s*[\p{L}_][\p{L}\d_.]*(?:\s*(?:\*\s*[\p{L}_][\p{L}\d_.]*|[*/]\s*\d+(?:[.,]\d+)?))+$/u;

/**
 * One token of a formula. Group 1 is a function name or a reference to other cells. OpenDocument writes a reference to
 * a cell as '[.B2]'.
 */
const part =
  /\s*(?:((?:(?:\[\d+\])?[\p{L}_][\p{L}\d_.]*|'(?:[^']|'')*')(?:[(!]|\[[^"]*\])|\$?[A-Z]{1,3}(?:\$?\d{1,7}|:\$?[A-Z]{1,3})(?![\p{L}\d])|\[[^\].]*\.\$?[A-Z]{1,3}\$?\d{1,7}(?::[^\]]*)?\])|"(?:[^"]|"")*"|\d+(?:\.\d+)?(?:E[+-]?\d+)?|TRUE|FALSE|[-+*/^&=<>(),;:%{}@#!])/uy;

/**
 * Whether a text that begins with '=' is a formula with references or functions: '=B2*1.2', but not '=Lamp='. Copies
 * of a shared formula in a workbook have no text of their own and are read as '='.
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

/** Returns the address of a HYPERLINK formula. Any other cell is returned unchanged. */
export const addressOfLink = (cell: string): string =>
  cell.startsWith('=') && cell.length <= formulaCharsMax ? (link.exec(cell)?.[1] ?? cell) : cell;

/** Returns the value of a formula without references, or undefined for other texts. */
function constantOf(cell: string): string | undefined {
  if (cell.length > formulaCharsMax) return undefined;
  const [, constant] = constantText.exec(cell) ?? [];
  if (constant !== undefined) return unquoted(constant).trim();
  const [, address, shown, number] = link.exec(cell) ?? [];
  if (address !== undefined) return unquoted(shown || number || address).trim();
  const [, inner] = ofGoogle.exec(cell) ?? [];
  return picture.exec(inner === undefined ? cell : `=${unquoted(inner)}`)?.[1];
}

/** Whether a cell is certainly neither an error nor a formula. */
const isUsual = (cell: string): boolean => !/^[#E=]/.test(cell);

/** Returns the reason why a filled cell has no value, or null if the cell has a value. */
export function findFormulaIssue(cell: string): 'formula-error' | 'formula-not-calculated' | null {
  if (isUsual(cell)) return null;
  if (isError(cell)) return 'formula-error';
  if (!cell.startsWith('=') || constantOf(cell) !== undefined) return null;
  return isFormula(cell) ? 'formula-not-calculated' : null;
}

/**
 * Returns the value of a trimmed cell: '' for an error and for a formula that was never calculated, the shown text of
 * a HYPERLINK formula, the picture's address of an IMAGE formula. Most cells are returned as they are.
 */
export function resolveFormula(cell: string): string {
  if (isUsual(cell)) return cell;
  if (isError(cell)) return '';
  if (!cell.startsWith('=')) return cell;
  return constantOf(cell) ?? (isFormula(cell) ? '' : cell);
}
