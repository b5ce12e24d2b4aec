import { otherWorkbooks, saveAsSentence } from './other-workbooks.ts';

/** Thrown for a file that is not CSV. The message is a sentence for the operator. */
export class NotCsvError extends Error {
  override readonly name = 'NotCsvError';
  readonly isOtherFormat: boolean;
  readonly isWebPage: boolean;

  constructor(sentence: string, { isOtherFormat = true, isWebPage = false } = {}) {
    super(sentence);
    this.isOtherFormat = isOtherFormat;
    this.isWebPage = isWebPage;
  }
}

const refusal = (what: string, remedy: string) => `This is ${what}, not a CSV file. ${remedy}`;
const choose = 'Choose a CSV file instead.';
const unpack = 'Unpack it and upload the CSV file in it.';
const exportThem = 'Export the products as CSV and upload that.';

const beginnings: readonly [readonly number[], string][] = [
  [
    [0x50, 0x4b, 0x03, 0x04],
    refusal('an Excel workbook or another ZIP archive', 'Save it as CSV and upload that.'),
  ],
  [[0x50, 0x4b, 0x05, 0x06], refusal('an empty ZIP archive', choose)],
  [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], saveAsSentence(otherWorkbooks['.xls'])],
  [[0x1f, 0x8b, 0x08], refusal('a gzip archive', unpack)],
  [[0x42, 0x5a, 0x68], refusal('a bzip2 archive', unpack)],
  [[0x28, 0xb5, 0x2f, 0xfd], refusal('a zstd archive', unpack)],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], refusal('a 7z archive', unpack)],
  [[0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], refusal('a RAR archive', unpack)],
  [[0x25, 0x50, 0x44, 0x46, 0x2d], refusal('a PDF document', choose)],
  [[0x89, 0x50, 0x4e, 0x47], refusal('a PNG image', choose)],
  [[0xff, 0xd8, 0xff], refusal('a JPEG image', choose)],
  [[0x47, 0x49, 0x46, 0x38], refusal('a GIF image', choose)],
  [[0x7f, 0x45, 0x4c, 0x46], refusal('a program', choose)],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66], refusal('an SQLite database', exportThem)],
  [[0x50, 0x41, 0x52, 0x31], refusal('a Parquet file', exportThem)],
];

/** Matches the first text of a file. HTML in a description does not match, because it comes later. */
const webPage = /^(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|meta|title|script|body|table)[\s>]/i;
const textBeginnings: readonly [RegExp, string][] = [
  [webPage, refusal('a web page (HTML)', exportThem)],
  [/^<\?xml\s/i, refusal('an XML file', exportThem)],
  [/^(?:\[\s*)?\{\s*"[^"\r\n]*"\s*:/, refusal('a JSON file', exportThem)],
];
const textBeginningBytes = 1024;

const nulShareMax = 0.3;
const controlShareMax = 0.03;

/** Returns an error if a file's first bytes are not CSV, else null. `holdsNuls`: the encoding has NULs, like UTF-16. */
export function findNotCsvError(head: Uint8Array, holdsNuls: boolean): NotCsvError | null {
  for (const [bytes, sentence] of beginnings) {
    if (bytes.every((byte, at) => head[at] === byte)) return new NotCsvError(sentence);
  }
  if (holdsNuls || head.length < 2) return null;
  const text = new TextDecoder().decode(head.subarray(0, textBeginningBytes)).trimStart();
  for (const [beginning, sentence] of textBeginnings) {
    if (beginning.test(text)) return new NotCsvError(sentence, { isWebPage: beginning === webPage });
  }
  let nuls = 0;
  let controls = 0;
  for (let at = 0; at < head.length; at += 1) {
    const byte = head[at] as number;
    if (byte === 0) nuls += 1;
    else if (byte < 32 && !textControls.includes(byte)) controls += 1;
  }
  if (nuls === head.length) {
    return new NotCsvError(
      'The file contains only null bytes. It was probably damaged in transfer; export it again.',
    );
  }
  const isBinary = nuls > head.length * nulShareMax || controls > 1 + head.length * controlShareMax;
  return isBinary ? new NotCsvError(refusal('a binary file', choose), { isOtherFormat: false }) : null;
}

const textControls: readonly number[] = [1, 9, 10, 11, 12, 13, 26, 27, 28, 29, 30, 31];
